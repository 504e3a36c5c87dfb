import { keyNameOf } from '@parley/schema/accounts/key-name';
import type { SavedKey, SaveKey } from '@parley/schema/accounts/keys';
import { audit } from '../platform/audit.ts';
import type { Deps } from '../deps.ts';
import { findBaseURL } from '../providers/user-key.ts';
import { checkedBaseURL } from '../platform/egress.ts';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { assertReadable } from './assert-readable.ts';
import { putKey } from './keys.ts';
import { createEncryption } from './encryption.ts';

/**
 * Saves a key for an endpoint that is on offer and asks its users for one.
 * @throws Refusal `not_found`, `invalid_input` for a past date or a value that cannot be a key, `forbidden_base_url`
 */
export async function saveKey(deps: Deps, userId: string, input: SaveKey): Promise<SavedKey> {
  const { db, config, secrets } = deps;
  const name = keyNameOf(input.name, config.endpoints.pluginsUseAzure);
  const { type, config: taker } = assertTakesKeys(deps, [name, input.name]);
  const baseURL = taker.userProvideURL ? findBaseURL(input.value) : undefined;
  // Checked now rather than at the first question.
  if (baseURL !== undefined) checkedBaseURL(baseURL, config.server.egressAllowedHosts);
  const expiresAt = input.expiresAt === null ? null : futureOf(input.expiresAt);
  assertReadable(type, input.value);
  const { encrypt } = createEncryption(secrets.credsKey, []);
  await putKey(db, userId, { name, expiresAt, encrypted: encrypt(input.value, { userId, name }) });
  audit(deps, 'key_saved', { userId, endpoint: name });
  return { name, expiresAt };
}

function assertTakesKeys({ endpoints }: Deps, names: readonly string[]) {
  const takers = endpoints.list().filter(({ config }) => config.userProvide || config.userProvideURL);
  const taker = takers.find(({ name }) => names.includes(name));
  return taker ?? refuse({ type: 'not_found', what: 'endpoint' });
}

function futureOf(iso: string): string {
  const time = Date.parse(iso);
  if (time > Date.now()) return isoTime(time);
  return refuse({ type: 'invalid_input', text: 'expiresAt must be in the future' });
}
