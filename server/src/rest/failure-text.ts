import type { Reason } from '@parley/schema/reasons';
import { sentenceOf } from './sentences.ts';

/** A failure as the text of a message: JSON for the types that clients have words for, a sentence for the others. */
export function failureTextOf(reason: Reason): string {
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
    case 'concurrent':
      return JSON.stringify({ ...reason, pendingRequests: reason.limit, ...violation() });
    case 'message_limit':
    case 'token_balance':
      return JSON.stringify({ ...reason, ...violation() });
    default:
      return sentenceOf(reason);
  }
}

/** Existing clients know these three beside a limit and show none: overruns are not counted up here. */
function violation() {
  return { prev_count: 0, violation_count: 1, date: new Date().toISOString() };
}
