import type { Reason, Violation } from '@parley/schema/reasons';
import { sentenceOf } from './sentences.ts';

/**
 * A failure as the text of a message: JSON for the types that clients have words for, a sentence for the others. `date`
 * is when it happened: now, unless it is an old one.
 */
export function failureTextOf(
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
      return sentenceOf(reason);
  }
}

/** What was counted, of a failure that was stored. */
function violationIn(reason: Reason): Violation | null {
  return ('violation' in reason && reason.violation) || null;
}

/** The score of this type of violation before and after it, and when. What is no offence, an empty purse, scores 0. */
function counted(violation: Violation | null, date: string) {
  const { before, after } = violation ?? { before: 0, after: 0 };
  return { prev_count: before, violation_count: after, date };
}
