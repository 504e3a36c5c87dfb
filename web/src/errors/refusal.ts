import type { Reason } from '@parley/schema/reasons';
import { reasonOf, statusOf } from './reason-of.ts';

/** Temporary failures: overload, a proxy's error, or a session that is being renewed. */
const PASSING: readonly Reason['type'][] = ['unavailable', 'unauthorized', 'unexpected_answer'];

/** Why a query was rejected for good; null if a retry may succeed. */
export function permanentRefusalOf(error: unknown): Reason | null {
  const status = statusOf(error);
  return status !== null && status < 500 && status !== 429 ? refusalOf(error) : null;
}

/** Why the server rejected the call; null if it did not, and a retry may help. */
export function refusalOf(error: unknown): Reason | null {
  const reason = reasonOf(error);
  if (reason) return PASSING.includes(reason.type) ? null : reason;
  const status = statusOf(error);
  return status === null || status >= 502 ? null : { type: 'unknown', text: '' };
}
