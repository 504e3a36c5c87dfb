import type { Message } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { SetKeyButton } from './set-key-button.tsx';
import { useTakesKey } from './use-takes-key.ts';

/** Failures that another key may fix. */
const MENDED: readonly Reason['type'][] = [
  'no_user_key',
  'invalid_user_key',
  'expired_user_key',
  'no_base_url',
  'no_service_key',
  'forbidden_base_url',
  'invalid_api_key',
  'insufficient_quota',
];

/** Shown with an answer that failed because of its key: opens the key dialog, if the user may set a key. */
export function FixKeyButton({ message: { endpoint, reason } }: { message: Message }) {
  const takesKey = useTakesKey(endpoint);
  if (!reason || !MENDED.includes(reason.type) || !takesKey) return null;
  return <SetKeyButton endpoint={endpoint} />;
}
