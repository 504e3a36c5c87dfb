// English texts of all refusals, for REST clients.
import type { Reason } from '@parley/schema/reasons';

/** The generic message that clients show for a failure they have no text for. */
export const INTERNAL_ERROR_MESSAGE =
  'An error occurred while processing your request. Please contact the administrator.';

/** The English text of a refusal for REST clients; Parley's web app has its own translations. */
export function messageFor(reason: Reason): string {
  switch (reason.type) {
    case 'unauthorized':
      return 'Unauthorized';
    case 'invalid_credentials':
      return 'The e-mail address or the password is incorrect.';
    case 'banned':
      return 'Your account has been temporarily banned due to violations of our service.';
    case 'account_leaving':
      return `This account will be deleted on ${reason.dueAt.slice(0, 10)}. To keep it, sign in to the website.`;
    case 'username_taken':
      return 'This username is taken.';
    case 'registration_closed':
      return 'Registration is not allowed.';
    case 'email_login_closed':
      return 'Sign-in by e-mail is not allowed.';
    case 'email_domain_not_allowed':
      return 'The e-mail address must belong to a domain that may register here.';
    case 'registration_failed':
      return 'The account could not be created.';
    case 'social_login':
      return 'The sign-in at the other site did not succeed.';
    case 'invalid_reset_token':
      return 'This password reset token is no longer valid.';
    case 'too_many_attempts':
      return `Too many attempts. Please try again in ${waitOf(reason.retryAfterSeconds)}.`;
    case 'forbidden':
      return 'This request may only come from our own site.';
    case 'non_browser':
      return 'Illegal request';
    case 'invalid_input':
    case 'provider_refused':
    case 'conflict':
      return reason.text;
    case 'not_found':
      return `The ${nounOf(reason.what)} was not found.`;
    case 'illegal_model_request':
      return `The model ${reason.model} is not available for ${reason.endpoint}.`;
    case 'context_too_long':
    case 'files_too_long':
      return tooLong(reason);
    case 'moderation':
      return 'The message was flagged by our moderation.';
    case 'no_user_key':
    case 'invalid_user_key':
    case 'no_base_url':
    case 'expired_user_key':
    case 'no_service_key':
    case 'forbidden_base_url':
      return aboutKey(reason);
    case 'concurrent':
      return `Only ${reason.limit} message(s) at a time. Please let the other answer finish first.`;
    case 'message_limit':
      return `Only ${reason.max} message(s) in ${reason.windowInMinutes} minute(s) are allowed.`;
    case 'token_balance':
      return `Insufficient funds: the balance is ${reason.balance}, the message costs ${reason.tokenCost}.`;
    case 'storage_full':
      return "The server's disk is full. Nothing can be saved until there is room.";
    case 'unavailable':
      return 'The server is busy. Please try again in a moment.';
    case 'invalid_api_key':
    case 'insufficient_quota':
    case 'provider_rate_limited':
    case 'provider_unavailable':
    case 'provider_broke_off':
    case 'provider_stalled':
    case 'provider_malformed':
    case 'content_filtered':
    case 'empty_answer':
    case 'answer_too_long':
    case 'answer_too_slow':
    case 'interrupted':
    case 'unexpected_answer':
    case 'unknown':
      return INTERNAL_ERROR_MESSAGE;
    default:
      return reason satisfies never;
  }
}

type KeyReason = Extract<
  Reason,
  {
    type:
      | 'no_user_key'
      | 'invalid_user_key'
      | 'no_base_url'
      | 'expired_user_key'
      | 'no_service_key'
      | 'forbidden_base_url';
  }
>;

function aboutKey(reason: KeyReason): string {
  switch (reason.type) {
    case 'no_user_key':
      return `No key was found for ${reason.endpoint}.`;
    case 'invalid_user_key':
      return `The key for ${reason.endpoint} is not valid.`;
    case 'no_base_url':
      return `No base URL was found for ${reason.endpoint}.`;
    case 'expired_user_key':
      return `The key for ${reason.endpoint} expired at ${reason.expiredAt}.`;
    case 'no_service_key':
      return `${reason.model} answers by a Google service key only.`;
    case 'forbidden_base_url':
      return `The base URL at ${reason.host} may not be called: it must be a public https address.`;
  }
}

function tooLong(reason: Extract<Reason, { type: 'context_too_long' | 'files_too_long' }>): string {
  if (reason.type === 'context_too_long')
    return `The message has ${reason.tokens} tokens, more than the ${reason.window} that the model takes.`;
  return `The attached files have ${reason.passages} passages, more than the ${reason.max} that one question can search.`;
}

function waitOf(seconds: number): string {
  return seconds < 120 ? `${seconds} second(s)` : `${Math.ceil(seconds / 60)} minutes`;
}

function nounOf(what: Extract<Reason, { type: 'not_found' }>['what']): string {
  if (what === 'mcp_server') return 'tool server';
  return what === 'convo' ? 'conversation' : what;
}
