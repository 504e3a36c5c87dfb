import { keyNameOf } from '@parley/schema/key-name';
import type { SavedKey, SaveKey } from '@parley/schema/keys';
import { audit } from '../auth/audit.ts';
import type { Deps } from '../deps.ts';
import { findBaseURL } from '../endpoints/user-key.ts';
import { baseURLOf } from '../egress.ts';
import { refuse } from '../errors.ts';
import { putKey } from './keys.ts';
import { createSeal } from './seal.ts';

/**
 * Keeps a key for an endpoint on offer that asks its users for one.
 * @throws Refusal `not_found`, `invalid_input` for a date that has passed, `forbidden_base_url`
 */
export async function saveKey(deps: Deps, userId: string, input: SaveKey): Promise<SavedKey> {
  const { db, config, secrets } = deps;
  const name = keyNameOf(input.name, config.endpoints.pluginsUseAzure);
  const { userProvideURL } = assertTakesKeys(deps, [name, input.name]);
  const baseURL = userProvideURL ? findBaseURL(input.value) : undefined;
  // Said at once rather than when the first question has been asked.
  if (baseURL !== undefined) baseURLOf(baseURL, config.server.egressAllowedHosts);
  const expiresAt = input.expiresAt === null ? null : futureOf(input.expiresAt);
  const { seal } = createSeal(secrets.credsKey, []);
  await putKey(db, userId, { name, expiresAt, sealed: seal(input.value, { userId, name }) });
  audit(deps, 'key_saved', { userId, endpoint: name });
  return { name, expiresAt };
}

function assertTakesKeys({ endpoints }: Deps, names: readonly string[]) {
  const takers = endpoints.list().filter(({ config }) => config.userProvide || config.userProvideURL);
  const taker = takers.find(({ name }) => names.includes(name));
  return taker?.config ?? refuse({ type: 'not_found', what: 'endpoint' });
}

function futureOf(iso: string): string {
  const time = Date.parse(iso);
  if (time > Date.now()) return new Date(time).toISOString();
  return refuse({ type: 'invalid_input', text: 'expiresAt must be in the future' });
}
