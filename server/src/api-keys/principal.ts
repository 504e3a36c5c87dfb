// The one door of keys: a key, by either header, is a person and what the key may do. Nothing else leads to them: no
// cookie, no session, no parameter of the address.
import { isApiKey, type ApiScope } from '@parley/schema/accounts/api-key-rules';
import type { Config } from '../config/config.ts';
import { reasonText } from '../platform/reasons.ts';
import { accessTokenIn } from '../platform/requests/request-info.ts';
import type { KeyHolder } from '../platform/requests/key-holder.ts';
import type { KeyHolders } from './key-holders.ts';

export interface Door {
  config: Pick<Config, 'accounts'>;
  keyHolders: KeyHolders;
}

/** A key that does not open what it was sent for. */
export class KeyRefused extends Error {
  override name = 'KeyRefused';
  readonly status: 401 | 403;
  readonly code: 'invalid_api_key' | 'second_factor_missing' | 'insufficient_scope';

  constructor(status: KeyRefused['status'], code: KeyRefused['code'], message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @throws KeyRefused without a key that is in use, and for one whose owner has to add a second factor */
export async function assertHolder({ config, keyHolders }: Door, headers: Headers): Promise<KeyHolder> {
  const key = keyIn(headers);
  if (key === null) refuseKey('Send a key of this server as "Authorization: Bearer …" or as "x-api-key".');
  const holder = config.accounts.allowApiKeys && isApiKey(key) ? await keyHolders.find(key) : null;
  if (!holder) refuseKey('This key is not valid: it was mistyped, has ended, or never was one of this server.');
  if (holder.lacksFactor) throw new KeyRefused(403, 'second_factor_missing', reasonText({ type: 'factor_missing' }));
  return holder;
}

/** @throws KeyRefused for a key that may not do this */
export function assertScope({ scopes }: KeyHolder, scope: ApiScope): void {
  if (scopes.includes(scope)) return;
  throw new KeyRefused(403, 'insufficient_scope', `This key is not for this: it lacks the scope "${scope}".`);
}

export function keyIn(headers: Headers): string | null {
  return accessTokenIn(headers.get('authorization')) ?? headers.get('x-api-key');
}

function refuseKey(message: string): never {
  throw new KeyRefused(401, 'invalid_api_key', message);
}
