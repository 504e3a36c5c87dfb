import type { Message } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
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

/** Whether an answer failed because of its key, and the person may set another one. */
export function useFixesKey({ endpoint, reason }: Message): boolean {
  const takesKey = useTakesKey(endpoint);
  return reason !== null && MENDED.includes(reason.type) && takesKey;
}
