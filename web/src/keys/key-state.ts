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
  | { status: 'missing'; isRereading: boolean }
  | { status: 'expired'; at: string; isRereading: boolean }
  /** Null: it does not expire. */
  | { status: 'good'; until: string | null };

/** Whether an endpoint takes a key or, treated the same, a base URL from its users. */
export function takesKey(config: EndpointConfig | undefined): boolean {
  return config?.userProvide === true || config?.userProvideURL === true;
}

/** Whether the user must set a key first. */
export function needsKey({ status }: KeyState): boolean {
  return status === 'missing' || status === 'expired';
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

/** Whether an answer that is on its way decides if the user must set a key first. */
export function isKeyPending(state: KeyState): boolean {
  return state.status === 'loading' || ('isRereading' in state && state.isRereading);
}

/** Only for endpoints that take keys. `isRereading`: a newer list of keys is on its way. */
export function stateOfKey(key: SavedKey | undefined, now: number, isRereading = false): KeyState {
  if (!key) return { status: 'missing', isRereading };
  const { expiresAt } = key;
  return expiresAt !== null && Date.parse(expiresAt) <= now
    ? { status: 'expired', at: expiresAt, isRereading }
    : { status: 'good', until: expiresAt };
}
