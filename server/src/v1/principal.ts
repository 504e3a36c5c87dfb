// The one door of `/v1`: a key, by either header, is a person and what the key may do. Nothing else opens it: no cookie,
// no session, no parameter of the address.
import { isApiKey, type ApiScope } from '@parley/schema/accounts/api-key-rules';
import type { KeyHolder, KeyHolders } from '../api-keys/key-holders.ts';
import type { Config } from '../config.ts';
import { reasonText } from '../platform/reasons.ts';
import { accessTokenIn } from '../platform/requests/request-info.ts';
import { ApiError } from './api-error.ts';

interface Door {
  config: Pick<Config, 'accounts'>;
  keyHolders: KeyHolders;
}

/** @throws ApiError without a key that is in use, and for one whose owner has to add a second factor */
export async function assertHolder({ config, keyHolders }: Door, headers: Headers): Promise<KeyHolder> {
  const key = keyIn(headers);
  if (key === null) refuseKey('Send a key of this server as "Authorization: Bearer …" or as "x-api-key".');
  const holder = config.accounts.allowApiKeys && isApiKey(key) ? await keyHolders.find(key) : null;
  if (!holder) refuseKey('This key is not valid: it was mistyped, has ended, or never was one of this server.');
  if (holder.lacksFactor)
    throw new ApiError({
      status: 403,
      type: 'permission_error',
      code: 'second_factor_missing',
      message: reasonText({ type: 'factor_missing' }),
    });
  return holder;
}

/** @throws ApiError for a key that may not do this */
export function assertScope({ scopes }: KeyHolder, scope: ApiScope): void {
  if (scopes.includes(scope)) return;
  throw new ApiError({
    status: 403,
    type: 'permission_error',
    code: 'insufficient_scope',
    message: `This key is not for this: it lacks the scope "${scope}".`,
  });
}

export function keyIn(headers: Headers): string | null {
  return accessTokenIn(headers.get('authorization')) ?? headers.get('x-api-key');
}

function refuseKey(message: string): never {
  throw new ApiError({ status: 401, type: 'authentication_error', code: 'invalid_api_key', message });
}
