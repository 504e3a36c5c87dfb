// The keys room: what a person must bring so that an endpoint can be asked, and whether it is there.
import { keyNameOf } from '@parley/schema/key-name';
import type { SavedKey } from '@parley/schema/keys';
import type { EndpointConfig } from '@parley/schema/startup';

export type KeyState =
  /** The server has its own. */
  | { status: 'unneeded' }
  | { status: 'loading' }
  /** It could not be read: the server will say. */
  | { status: 'unknown' }
  | { status: 'missing' }
  | { status: 'expired'; at: string }
  /** Null: it does not expire. */
  | { status: 'good'; until: string | null };

/** Whether an endpoint asks its users for a key or, which comes to the same, for an address. */
export function takesKey(config: EndpointConfig | undefined): boolean {
  return config?.userProvide === true || config?.userProvideURL === true;
}

/** Whether there is something for the person to do before the endpoint can be asked. */
export function wantsKey({ status }: KeyState): boolean {
  return status === 'missing' || status === 'expired';
}

/** What is saved for an endpoint, among all that is. */
export function findKey(
  keys: readonly SavedKey[] | undefined,
  endpoint: string,
  config: EndpointConfig | undefined,
): SavedKey | undefined {
  const name = keyNameOf(endpoint, config?.azure ?? false);
  return keys?.find((key) => key.name === name);
}

/** Of an endpoint that takes keys. */
export function stateOfKey(key: SavedKey | undefined, now: number): KeyState {
  if (!key) return { status: 'missing' };
  const { expiresAt } = key;
  return expiresAt !== null && Date.parse(expiresAt) <= now
    ? { status: 'expired', at: expiresAt }
    : { status: 'good', until: expiresAt };
}
