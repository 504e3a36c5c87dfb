// English texts of all refusals, for REST clients.
import type { Reason } from '@parley/schema/reasons';

/** The generic message that clients show for a failure they have no text for. */
export const INTERNAL_ERROR_MESSAGE =
  'An error occurred while processing your request. Please contact the administrator.';

/** The reasons with one text. */
const PLAIN = {
  unauthorized: 'Unauthorized',
  invalid_credentials: 'The e-mail address or the password is incorrect.',
  banned: 'Your account has been temporarily banned due to violations of our service.',
  registration_closed: 'Registration is not allowed.',
  email_login_closed: 'Sign-in by e-mail is not allowed.',
  email_domain_not_allowed: 'The e-mail address must belong to a domain that may register here.',
  registration_failed: 'The account could not be created.',
  username_taken: 'Another account has this user name.',
  social_login: 'The sign-in at the other site did not succeed.',
  invalid_reset_token: 'This password reset token is no longer valid.',
  forbidden: 'This request may only come from our own site.',
  builder_disabled: 'Assistants cannot be created or changed on this server.',
  non_browser: 'Illegal request',
  moderation: 'The message was flagged by our moderation.',
  unavailable: 'The server is busy. Please try again in a moment.',
} as const satisfies Partial<Record<Reason['type'], string>>;

type PlainReason = Extract<Reason, { type: keyof typeof PLAIN }>;

/** The English text of a refusal for REST clients; Parley's web app has its own translations. */
export function messageFor(reason: Reason): string {
  if (isPlain(reason)) return PLAIN[reason.type];
  switch (reason.type) {
    case 'too_many_attempts':
      return `Too many attempts. Please try again in ${waitOf(reason.retryAfterSeconds)}.`;
    case 'invalid_input':
    case 'provider_refused':
    case 'conflict':
      return reason.text;
    case 'not_found':
      return notFound(reason.what);
    case 'illegal_model_request':
      return `The model ${reason.model} is not available for ${reason.endpoint}.`;
    case 'context_too_long':
    case 'files_too_long':
      return tooLong(reason);
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
    case 'concurrent':
      return `Only ${reason.limit} message(s) at a time. Please let the other answer finish first.`;
    case 'message_limit':
      return `Only ${reason.max} message(s) in ${reason.windowInMinutes} minute(s) are allowed.`;
    case 'token_balance':
      return `Insufficient funds: the balance is ${reason.balance}, the message costs ${reason.tokenCost}.`;
    case 'storage_full':
      return "The server's disk is full. Nothing can be saved until there is room.";
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

function isPlain(reason: Reason): reason is PlainReason {
  return reason.type in PLAIN;
}

function tooLong(reason: Extract<Reason, { type: 'context_too_long' | 'files_too_long' }>): string {
  if (reason.type === 'context_too_long')
    return reason.tokens === null
      ? 'The conversation is longer than the model takes.'
      : `The message has ${reason.tokens} tokens, more than the ${reason.window} that the model takes.`;
  return `The attached files have ${reason.passages} passages, more than the ${reason.max} that one question can search.`;
}

function waitOf(seconds: number): string {
  return seconds < 120 ? `${seconds} second(s)` : `${Math.ceil(seconds / 60)} minutes`;
}

function notFound(what: Extract<Reason, { type: 'not_found' }>['what']): string {
  return what === 'title' ? 'The title is not ready, or was fetched before.' : `The ${nounOf(what)} was not found.`;
}

function nounOf(what: Extract<Reason, { type: 'not_found' }>['what']): string {
  if (what === 'mcp_server') return 'tool server';
  if (what === 'share') return 'shared conversation';
  return what === 'convo' ? 'conversation' : what;
}
