// Whether an endpoint needs the user's own key, and the state of that key.
import { keyNameOf } from '@parley/schema/accounts/key-name';
import type { SavedKey } from '@parley/schema/accounts/keys';
import type { EndpointConfig } from '@parley/schema/catalog/startup';

export type KeyState =
  /** The server has its own key. */
  | { status: 'unneeded' }
  | { status: 'loading' }
  /** The list of keys failed to load: the server will report a missing key. */
  | { status: 'unknown' }
  | KeyNeeded
  /** Null: it does not expire. */
  | { status: 'good'; until: string | null };

/** `isRereading`: a newer list of keys is on its way. */
type KeyNeeded = { isRereading: boolean } & ({ status: 'missing' } | { status: 'expired'; at: string });

/** Whether an endpoint takes a key or, treated the same, a base URL from its users. */
export function takesKey(config: EndpointConfig | undefined): boolean {
  return config?.userProvide === true || config?.userProvideURL === true;
}

/** Whether the user must set a key first. */
export function needsKey(state: KeyState): state is KeyNeeded {
  return state.status === 'missing' || state.status === 'expired';
}

/** The saved key of an endpoint. */
export function findKey(
  keys: readonly SavedKey[] | undefined,
  endpoint: string,
  config: EndpointConfig | undefined,
): SavedKey | undefined {
  const name = keyNameOf(endpoint, config?.azure ?? false);
  return keys?.find((key) => key.name === name);
}

/** Only for endpoints that take keys. */
export function stateOfKey(key: SavedKey | undefined, now: number, isRereading = false): KeyState {
  if (!key) return { status: 'missing', isRereading };
  const { expiresAt } = key;
  return expiresAt !== null && Date.parse(expiresAt) <= now
    ? { status: 'expired', at: expiresAt, isRereading }
    : { status: 'good', until: expiresAt };
}
