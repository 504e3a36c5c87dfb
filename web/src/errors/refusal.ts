import type { Reason } from '@parley/schema/reasons';
import { errorReason, errorStatus } from './error-reason.ts';

/** Temporary failures: overload, a proxy's error, or a session that is being renewed. */
const PASSING: readonly Reason['type'][] = ['unavailable', 'unauthorized', 'unexpected_answer'];

/** Why a query was rejected permanently; null if a retry may succeed. */
export function permanentRefusal(error: unknown): Reason | null {
  const status = errorStatus(error);
  return status !== null && status < 500 && status !== 429 ? errorRefusal(error) : null;
}

/** Why the server rejected the call; null if it did not, and a retry may help. */
export function errorRefusal(error: unknown): Reason | null {
  const reason = errorReason(error);
  if (reason) return PASSING.includes(reason.type) ? null : reason;
  const status = errorStatus(error);
  return status === null || status >= 502 ? null : { type: 'unknown', text: '' };
}
