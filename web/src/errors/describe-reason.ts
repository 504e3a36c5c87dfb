import { asFields, parseJson } from '@parley/schema/json';
import type { MessagePart } from '@parley/schema/messages/messages';
import { CONVERSATION_ID_REQUIRED, type Reason } from '@parley/schema/reasons';
import type { ParseKeys, TFunction } from 'i18next';
import { endpointLabel, keySettingOf } from '../catalog/choose-model.ts';
import { i18n } from '../i18n.ts';
import { formatCredits } from '../lib/format-number.ts';

/** Longer error texts are cut (the error catalogue's limit for unknown failures). */
const TEXT_CHARS_MAX = 512;

/** What is known of the endpoint that failed. */
export interface Failing {
  endpoint?: string | undefined;
  /** Whether users bring their own key; nobody else can change the server's. */
  takesKey?: boolean | undefined;
  /** Whether the reader runs this site. */
  isOperator?: boolean | undefined;
  /** Whether the reader runs this site, and an administrator has saved the key of the endpoint on its page. */
  isKeySaved?: boolean | undefined;
  /** Whether `quoteIn` is shown apart from the sentence. */
  quotesApart?: boolean | undefined;
  /** What of the answer is kept, where there is one. */
  parts?: readonly MessagePart[];
}

type Type = Reason['type'];
type Reasons = { [T in Type]: Extract<Reason, { type: T }> };
/** A union of all keys takes the compiler a minute: `t` is checked for each pair of them. */
type Sentence = Extract<ParseKeys, `com_error_${string}` | `com_auth_error_${string}`>;
type Describe<T extends Type> = (reason: Reasons[T], t: TFunction, failing: Failing) => string;

const ROWS: { readonly [T in Type]: Sentence | Describe<T> } = {
  unauthorized: 'com_error_unauthorized',
  invalid_credentials: 'com_auth_error_login',
  banned: ({ until }, t) => (until ? t('com_error_banned_until', { 0: localTime(until) }) : t('com_error_banned')),
  account_disabled: 'com_error_account_disabled',
  account_waiting: 'com_error_account_waiting',
  email_unconfirmed: 'com_error_email_unconfirmed',
  invalid_confirmation: 'com_error_invalid_confirmation',
  factor_needed: 'com_error_factor_needed',
  factor_missing: 'com_error_factor_missing',
  last_factor: 'com_error_last_factor',
  step_up_needed: 'com_error_step_up_needed',
  passkey_refused: 'com_error_passkey_refused',
  wrong_code: 'com_error_wrong_code',
  sign_in_again: 'com_error_sign_in_again',
  registration_closed: 'com_error_registration_closed',
  invalid_invitation: 'com_error_invalid_invitation',
  email_login_closed: 'com_error_email_login_closed',
  directory_unreachable: 'com_error_directory_unreachable',
  password_expired: 'com_error_password_expired',
  email_domain_not_allowed: 'com_error_email_domain',
  registration_failed: 'com_error_registration_failed',
  username_taken: 'com_error_username_taken',
  social_login: ({ why }, t) => t(`com_error_social_${why}`),
  invalid_reset_token: 'com_auth_error_invalid_reset_token',
  too_many_attempts: ({ retryAfterSeconds }, t) =>
    t('com_error_too_many_attempts', { count: Math.max(1, Math.ceil(retryAfterSeconds / 60)) }),
  forbidden: 'com_error_forbidden',
  last_administrator: 'com_error_last_administrator',
  own_account: 'com_error_own_account',
  builder_disabled: 'com_error_builder_disabled',
  non_browser: 'com_error_forbidden',
  invalid_input: ({ text }, t) => (text === CONVERSATION_ID_REQUIRED ? t('com_error_convo_id_required') : text),
  not_found: ({ what }, t, { endpoint }) => {
    const said = t(`com_error_not_found_${what}`);
    if (what !== 'endpoint' || endpoint === undefined) return said;
    return t('com_error_then', { 0: t('com_error_unknown_endpoint', { 0: endpointLabel(endpoint) }), 1: said });
  },
  conflict: ({ text }) => text,
  illegal_model_request: ({ model, endpoint }, t) =>
    t('com_error_illegal_model', { 0: model, 1: endpointLabel(endpoint) }),
  model_not_yours: ({ model }, t) => t('com_error_model_not_yours', { 0: model }),
  context_too_long: ({ tokens, window }, t) =>
    tokens === null ? t('com_error_conversation_too_long') : t('com_error_context_too_long', { 0: tokens, 1: window }),
  files_too_long: ({ passages, max }, t) => t('com_error_files_too_long', { 0: passages, 1: max }),
  moderation: 'com_error_moderation',
  memory_off: 'com_error_memory_off',
  memory_full: ({ max }, t) => t('com_error_memory_full', { 0: max }),
  no_user_key: 'com_error_no_user_key',
  invalid_user_key: 'com_error_invalid_user_key',
  no_base_url: 'com_error_no_base_url',
  expired_user_key: ({ endpoint, expiredAt }, t) =>
    t('com_error_expired_user_key', { 0: endpointLabel(endpoint), 1: localTime(expiredAt) }),
  no_service_key: ({ model }, t, { takesKey }) =>
    t(takesKey ? 'com_error_no_service_key' : 'com_error_no_server_service_key', { 0: model }),
  forbidden_base_url: ({ host }, t) => t('com_error_forbidden_base_url', { 0: host }),
  concurrent: ({ limit }, t) => t('com_error_concurrent', { count: limit }),
  message_limit: ({ max, windowInMinutes }, t) => t('com_error_message_limit', { count: max, 1: windowInMinutes }),
  token_balance: ({ balance, promptTokens, tokenCost }, t, { isOperator }) => {
    const [left, cost] = [balance, tokenCost].map((credits) => formatCredits(credits, i18n.language));
    const figures = { 0: left, 1: promptTokens, 2: cost };
    return t(isOperator ? 'com_error_balance_low_admin' : 'com_error_balance_short', figures);
  },
  budget: ({ scope, period, budget, left, renewsAt }, t, { isOperator }) => {
    const of = scope === 'all' || scope === 'group' ? (`com_error_budget_${scope}` as const) : 'com_error_budget';
    const figures = { 0: formatCredits(left, i18n.language), 1: formatCredits(budget, i18n.language) };
    const said = t(`${of}_${period}`, { ...figures, 2: localTime(renewsAt) });
    return isOperator ? said : t('com_error_budget_ask', { 0: said });
  },
  credits_reserved: 'com_error_credits_reserved',
  invalid_api_key: ({ endpoint }, t, { takesKey, isOperator, isKeySaved }) => {
    if (isKeySaved && !takesKey) return t('com_error_saved_key_refused', named(endpoint));
    const ofSite = isOperator ? 'com_error_invalid_server_key_admin' : 'com_error_invalid_server_key';
    return t(takesKey ? 'com_error_invalid_api_key' : ofSite, named(endpoint));
  },
  insufficient_quota: ({ endpoint }, t, { takesKey, isOperator, isKeySaved }) => {
    if (isKeySaved && !takesKey) return t('com_error_saved_key_quota', named(endpoint));
    const ofSite = isOperator ? 'com_error_insufficient_server_quota_admin' : 'com_error_insufficient_server_quota';
    return t(takesKey ? 'com_error_insufficient_quota' : ofSite, named(endpoint));
  },
  provider_rate_limited: ({ retryAfterSeconds: count }, t) =>
    count === null ? t('com_error_provider_rate_limited') : t('com_error_provider_rate_limited_for', { count }),
  provider_refused: ({ text }, t, { endpoint, quotesApart }) => {
    const quote = saidIn(text);
    if (!quotesApart && quote !== '') return t('com_error_unknown', { 0: quote });
    return endpoint ? t('com_error_endpoint_declined', named(endpoint)) : t('com_error_provider_declined');
  },
  provider_unavailable: unavailable,
  provider_broke_off: (_, t, { parts }) =>
    t(parts && !parts.some(isWritten) ? 'com_error_provider_broke_off_early' : 'com_error_provider_broke_off'),
  provider_stalled: ({ seconds }, t) => t('com_error_provider_stalled', { count: seconds }),
  provider_malformed: 'com_error_provider_malformed',
  content_filtered: 'com_error_content_filtered',
  empty_answer: 'com_error_empty_answer',
  answer_too_long: 'com_error_answer_too_long',
  answer_too_slow: 'com_error_answer_too_slow',
  interrupted: 'com_error_interrupted',
  storage_full: 'com_error_storage_full',
  unexpected_answer: ({ status, statusText }, t) => {
    const said = t('com_error_unexpected_answer', { 0: String(status), 1: statusText }).trim();
    return t('com_error_then', { 0: said, 1: t(helpAfter(status)) });
  },
  unavailable: 'com_error_unavailable',
  unknown: ({ text }, t, { quotesApart }) => {
    const quote = saidIn(text);
    return quotesApart || quote === '' ? t('com_error_unknown_plain') : t('com_error_unknown', { 0: quote });
  },
};

/** The message for a reason. */
export function describeReason(reason: Reason, t: TFunction, failing: Failing = {}): string {
  return describeAs(reason.type, reason, t, failing);
}

/** The reasons with the words of somebody else. */
const QUOTING: ReadonlySet<Type> = new Set<Type>([
  'invalid_api_key',
  'insufficient_quota',
  'provider_rate_limited',
  'provider_refused',
  'provider_unavailable',
  'unknown',
]);

/** What somebody else said about it, in their words; empty where nobody did. */
export function quoteIn(reason: Reason): string {
  return QUOTING.has(reason.type) && 'text' in reason ? saidIn(reason.text ?? '') : '';
}

function describeAs<T extends Type>(type: T, reason: Reasons[T], t: TFunction, failing: Failing): string {
  const row = ROWS[type];
  return typeof row === 'function' ? row(reason, t, failing) : t(row);
}

function isWritten(part: MessagePart): boolean {
  return part.type !== 'text' || part.text !== '';
}

function unavailable({ status }: Reasons['provider_unavailable'], t: TFunction, failing: Failing): string {
  const { endpoint, takesKey, isOperator } = failing;
  if (endpoint === undefined) return t(status === null ? 'com_error_provider_unreachable' : 'com_error_provider_down');
  if (status !== null) return t('com_error_endpoint_down', named(endpoint));
  const ofSite = isOperator && !takesKey;
  return t(ofSite ? 'com_error_endpoint_unreachable_admin' : 'com_error_endpoint_unreachable', named(endpoint));
}

/** What to do about an answer that is not from Parley. */
function helpAfter(status: number): ParseKeys {
  if (status === 413) return 'com_error_too_large_on_the_way';
  return status >= 502 && status <= 504 ? 'com_error_server_away' : 'com_error_not_from_server';
}

/** For sentences that name an endpoint and, for the operator, where its key is set. */
function named(endpoint: string): { 0: string; 1: string } {
  return { 0: endpointLabel(endpoint), 1: keySettingOf(endpoint) };
}

function localTime(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleString(i18n.language);
}

/** JSON is not cut: half an object is useless. */
function shortened(text: string): string {
  if (text.length <= TEXT_CHARS_MAX || parseJson(text) !== undefined) return text;
  return `${text.slice(0, TEXT_CHARS_MAX).toWellFormed()}...`;
}

/** What a provider says to people: the sentence in its JSON, where it has one. */
function saidIn(text: string): string {
  const answer = parseJson(text);
  const inner = asFields(answer).error ?? answer;
  const said = typeof inner === 'string' ? inner : asFields(inner).message;
  return shortened((typeof said === 'string' && said.trim() !== '' ? said : text).trim());
}
