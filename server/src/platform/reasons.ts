// How HTTP tells a reason: its status, and its English text for REST clients. The web app has its own translations.
import type { Reason } from '@parley/schema/reasons';

type Type = Reason['type'];
type Reasons = { [T in Type]: Extract<Reason, { type: T }> };
type Row<T extends Type> = readonly [status: number, text: string | ((reason: Reasons[T]) => string)];

/** The generic message that clients show for a failure they have no text for. */
export const INTERNAL_ERROR_MESSAGE =
  'An error occurred while processing your request. Please contact the administrator.';

const BUDGETS: Readonly<Record<string, string>> = { all: 'budget of this server', group: 'budget of your group' };

/** Failures of a provider are 502: the request itself was valid. */
const ROWS: { readonly [T in Type]: Row<T> } = {
  unauthorized: [401, 'Unauthorized'],
  invalid_credentials: [422, 'The e-mail address or the password is incorrect.'],
  banned: [403, 'Your account has been temporarily banned due to violations of our service.'],
  account_disabled: [403, 'An administrator has disabled this account.'],
  account_waiting: [403, 'This account waits for the approval of an administrator.'],
  email_unconfirmed: [
    403,
    'The address of this account is not confirmed yet: please follow the link in the mail that was sent to it.',
  ],
  invalid_confirmation: [400, 'This link is no longer valid. Please ask for another one on the sign-in page.'],
  factor_needed: [
    403,
    'This account also asks for a code of an authenticator app or a passkey. Please sign in on the site itself.',
  ],
  factor_missing: [
    403,
    'This server asks for a second factor. Please sign in on the site itself and add an authenticator app or a passkey.',
  ],
  last_factor: [409, 'This server asks for a second factor: add another one before you remove this one.'],
  step_up_needed: [403, 'This needs a fresh proof of who asks. Please do it on the site itself.'],
  passkey_refused: [422, 'The passkey was not accepted.'],
  wrong_code: [422, 'The code is wrong, or was used already.'],
  sign_in_again: [403, 'It took too long, or there were too many wrong codes. Please sign in again.'],
  registration_closed: [403, 'Registration is not allowed.'],
  invalid_invitation: [400, 'This invitation is no longer valid, or is for another e-mail address.'],
  email_login_closed: [403, 'Sign-in by e-mail is not allowed.'],
  directory_unreachable: [503, 'The directory of this organization cannot be reached at the moment.'],
  password_expired: [403, 'The password has expired. Please choose a new one in the directory of this organization.'],
  email_domain_not_allowed: [403, 'The e-mail address must belong to a domain that may register here.'],
  registration_failed: [500, 'The account could not be created.'],
  username_taken: [409, 'Another account has this user name.'],
  social_login: [403, 'The sign-in at the other site did not succeed.'],
  invalid_reset_token: [400, 'This password reset token is no longer valid.'],
  too_many_attempts: [
    429,
    ({ retryAfterSeconds }) => `Too many attempts. Please try again in ${duration(retryAfterSeconds)}.`,
  ],
  forbidden: [403, 'This request may only come from our own site.'],
  last_administrator: [409, 'There is always at least one administrator: give somebody else the role first.'],
  own_account: [409, 'Another administrator has to do this to your account.'],
  builder_disabled: [403, 'Assistants cannot be created or changed on this server.'],
  non_browser: [403, 'Illegal request'],
  invalid_input: [422, ({ text }) => text],
  not_found: [404, ({ what }) => NOT_FOUND[what] ?? `The ${what} was not found.`],
  conflict: [409, ({ text }) => text],
  illegal_model_request: [400, ({ model, endpoint }) => `The model ${model} is not available for ${endpoint}.`],
  model_not_yours: [
    403,
    ({ model }) => `The model ${model} is not available to you. An administrator can change that.`,
  ],
  context_too_long: [
    400,
    ({ tokens, window }) =>
      tokens === null
        ? 'The conversation is longer than the model takes.'
        : `The message has ${tokens} tokens, more than the ${window} that the model takes.`,
  ],
  files_too_long: [
    400,
    ({ passages, max }) =>
      `The attached files have ${passages} passages, more than the ${max} that one question can search.`,
  ],
  moderation: [400, 'The message was flagged by our moderation.'],
  memory_off: [409, 'Memory is off: nothing is saved.'],
  memory_full: [409, ({ max }) => `At most ${max} entries can be remembered: delete some first.`],
  no_user_key: [400, ({ endpoint }) => `No key was found for ${endpoint}.`],
  invalid_user_key: [400, ({ endpoint }) => `The key for ${endpoint} is not valid.`],
  no_base_url: [400, ({ endpoint }) => `No base URL was found for ${endpoint}.`],
  expired_user_key: [400, ({ endpoint, expiredAt }) => `The key for ${endpoint} expired at ${expiredAt}.`],
  no_service_key: [400, ({ model }) => `${model} answers by a Google service key only.`],
  forbidden_base_url: [
    400,
    ({ host }) => `The base URL at ${host} may not be called: it must be a public https address.`,
  ],
  concurrent: [429, ({ limit }) => `Only ${limit} message(s) at a time. Please let the other answer finish first.`],
  message_limit: [
    429,
    ({ max, windowInMinutes }) => `Only ${max} message(s) in ${windowInMinutes} minute(s) are allowed.`,
  ],
  token_balance: [
    402,
    ({ balance, tokenCost }) => `Insufficient funds: the balance is ${balance}, the message costs ${tokenCost}.`,
  ],
  budget: [
    402,
    ({ scope, period, renewsAt }) =>
      `The ${BUDGETS[scope] ?? 'budget'} for this ${period} is used up. It begins again at ${renewsAt}.`,
  ],
  credits_reserved: [
    429,
    ({ retryAfterSeconds }) =>
      `Other answers that are being written have reserved the credits that are left. What they do not use comes back: please try again in ${duration(retryAfterSeconds)}.`,
  ],
  invalid_api_key: [502, INTERNAL_ERROR_MESSAGE],
  insufficient_quota: [502, INTERNAL_ERROR_MESSAGE],
  provider_rate_limited: [502, INTERNAL_ERROR_MESSAGE],
  provider_refused: [502, ({ text }) => text],
  provider_unavailable: [502, INTERNAL_ERROR_MESSAGE],
  provider_broke_off: [502, INTERNAL_ERROR_MESSAGE],
  provider_stalled: [502, INTERNAL_ERROR_MESSAGE],
  provider_malformed: [502, INTERNAL_ERROR_MESSAGE],
  content_filtered: [502, INTERNAL_ERROR_MESSAGE],
  empty_answer: [502, INTERNAL_ERROR_MESSAGE],
  answer_too_long: [502, INTERNAL_ERROR_MESSAGE],
  answer_too_slow: [502, INTERNAL_ERROR_MESSAGE],
  interrupted: [503, INTERNAL_ERROR_MESSAGE],
  storage_full: [507, "The server's disk is full. Nothing can be saved until there is room."],
  unexpected_answer: [500, INTERNAL_ERROR_MESSAGE],
  unavailable: [503, 'The server is busy. Please try again in a moment.'],
  unknown: [500, INTERNAL_ERROR_MESSAGE],
};

/** What is not found is named by its word, but for these. */
const NOT_FOUND: { readonly [What in Reasons['not_found']['what']]?: string } = {
  convo: 'The conversation was not found.',
  mcp_server: 'The tool server was not found.',
  share: 'The shared conversation was not found.',
  title: 'The title is not ready, or was fetched before.',
};

export function reasonStatus({ type }: Reason): number {
  return ROWS[type][0];
}

/** For users of REST clients, in English. */
export function reasonText(reason: Reason): string {
  return textAs(reason.type, reason);
}

function textAs<T extends Type>(type: T, reason: Reasons[T]): string {
  const [, text] = ROWS[type];
  return typeof text === 'string' ? text : text(reason);
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} second(s)` : `${Math.ceil(seconds / 60)} minutes`;
}
