// Texts of failed replies, as REST clients parse them (docs/rest-compat.md, Errors in streams).
import type { Reason, Violation } from '@parley/schema/reasons';
import { reasonText } from '../../platform/reasons.ts';

/**
 * The text of a failure message: JSON for the types that clients know, otherwise a sentence. `date` is when it
 * happened: now, unless it is a stored failure.
 */
export function reasonFailureText(
  reason: Reason,
  {
    violation = violationIn(reason),
    date = new Date().toISOString(),
  }: { violation?: Violation | null; date?: string } = {},
): string {
  switch (reason.type) {
    case 'no_user_key':
    case 'invalid_user_key':
    case 'no_base_url':
    case 'moderation':
    case 'invalid_api_key':
    case 'insufficient_quota':
      return JSON.stringify({ type: reason.type });
    case 'banned':
      return JSON.stringify({ type: 'ban' });
    case 'expired_user_key': {
      const expiredAt = new Date(reason.expiredAt).toLocaleString('en-US');
      return JSON.stringify({ type: reason.type, expiredAt, endpoint: reason.endpoint });
    }
    case 'concurrent': {
      const { type, limit } = reason;
      return JSON.stringify({ type, limit, pendingRequests: limit, ...counted(violation, date) });
    }
    case 'message_limit': {
      const { type, max, limiter, windowInMinutes } = reason;
      return JSON.stringify({ type, max, limiter, windowInMinutes, ...counted(violation, date) });
    }
    case 'token_balance': {
      const { type, balance, tokenCost, promptTokens } = reason;
      return JSON.stringify({ type, balance, tokenCost, promptTokens, ...counted(violation, date) });
    }
    default:
      return reasonText(reason);
  }
}

/** The violation of a stored failure. */
function violationIn(reason: Reason): Violation | null {
  return ('violation' in reason && reason.violation) || null;
}

/** The score of this violation type before and after, and when. An empty balance is no violation and scores 0. */
function counted(violation: Violation | null, date: string) {
  const { before, after } = violation ?? { before: 0, after: 0 };
  return { prev_count: before, violation_count: after, date };
}
