import type { MessagePart } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import type { ParseKeys, TFunction } from 'i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import { i18n } from '../i18n.ts';

/** Longer error texts are cut (the error catalogue's limit for unknown failures). */
const TEXT_CHARS_MAX = 512;

/** What is known of the endpoint that failed. */
export interface Failing {
  endpoint?: string | undefined;
  /** Whether users bring their own key; nobody else can change the server's. */
  takesKey?: boolean | undefined;
  /** What of the answer is kept, where there is one. */
  parts?: readonly MessagePart[];
}

/** The reasons whose message depends on the type alone. */
const PLAIN = {
  unauthorized: 'com_error_unauthorized',
  invalid_credentials: 'com_auth_error_login',
  registration_closed: 'com_error_registration_closed',
  email_login_closed: 'com_error_email_login_closed',
  email_domain_not_allowed: 'com_error_email_domain',
  registration_failed: 'com_error_registration_failed',
  username_taken: 'com_error_username_taken',
  invalid_reset_token: 'com_auth_error_invalid_reset_token',
  forbidden: 'com_error_forbidden',
  builder_disabled: 'com_error_builder_disabled',
  non_browser: 'com_error_forbidden',
  moderation: 'com_error_moderation',
  no_user_key: 'com_error_no_user_key',
  invalid_user_key: 'com_error_invalid_user_key',
  no_base_url: 'com_error_no_base_url',
  provider_broke_off: 'com_error_provider_broke_off',
  provider_malformed: 'com_error_provider_malformed',
  content_filtered: 'com_error_content_filtered',
  empty_answer: 'com_error_empty_answer',
  answer_too_long: 'com_error_answer_too_long',
  answer_too_slow: 'com_error_answer_too_slow',
  storage_full: 'com_error_storage_full',
  interrupted: 'com_error_interrupted',
  unavailable: 'com_error_unavailable',
} as const satisfies Partial<Record<Reason['type'], ParseKeys>>;

type PlainReason = Extract<Reason, { type: keyof typeof PLAIN }>;

/** The message for a reason. */
export function describeReason(
  reason: Reason,
  t: TFunction,
  { endpoint, takesKey = false, parts }: Failing = {},
): string {
  if (reason.type === 'provider_broke_off' && parts && !parts.some(isWritten))
    return t('com_error_provider_broke_off_early');
  if (isPlain(reason)) return t(PLAIN[reason.type]);
  switch (reason.type) {
    case 'banned':
      return reason.until ? t('com_error_banned_until', { 0: localTime(reason.until) }) : t('com_error_banned');
    case 'social_login':
      return t(`com_error_social_${reason.why}`);
    case 'too_many_attempts':
      return t('com_error_too_many_attempts', { count: minutes(reason.retryAfterSeconds) });
    case 'invalid_input':
    case 'conflict':
      return reason.text;
    case 'not_found':
      return t(`com_error_not_found_${reason.what}`);
    case 'illegal_model_request':
      return t('com_error_illegal_model', { 0: reason.model, 1: endpointLabel(reason.endpoint) });
    case 'context_too_long':
      return reason.tokens === null
        ? t('com_error_conversation_too_long')
        : t('com_error_context_too_long', { 0: reason.tokens, 1: reason.window });
    case 'files_too_long':
      return t('com_error_files_too_long', { 0: reason.passages, 1: reason.max });
    case 'expired_user_key':
      return t('com_error_expired_user_key', { 0: endpointLabel(reason.endpoint), 1: localTime(reason.expiredAt) });
    case 'no_service_key':
      return t(takesKey ? 'com_error_no_service_key' : 'com_error_no_server_service_key', { 0: reason.model });
    case 'forbidden_base_url':
      return t('com_error_forbidden_base_url', { 0: reason.host });
    case 'concurrent':
      return t('com_error_concurrent', { count: reason.limit });
    case 'message_limit':
      return messageLimit(reason, t);
    case 'token_balance':
      return tokenBalance(reason, t);
    case 'invalid_api_key':
      return t(takesKey ? 'com_error_invalid_api_key' : 'com_error_invalid_server_key', {
        0: endpointLabel(reason.endpoint),
      });
    case 'insufficient_quota':
      return t(takesKey ? 'com_error_insufficient_quota' : 'com_error_insufficient_server_quota', {
        0: endpointLabel(reason.endpoint),
      });
    case 'provider_rate_limited':
      return reason.retryAfterSeconds === null
        ? t('com_error_provider_rate_limited')
        : t('com_error_provider_rate_limited_for', { count: reason.retryAfterSeconds });
    case 'provider_refused':
      return t('com_error_provider_refused', { 0: reason.status, 1: shortened(reason.text) });
    case 'provider_unavailable':
      return unavailable(reason, t, endpoint);
    case 'provider_stalled':
      return t('com_error_provider_stalled', { count: reason.seconds });
    case 'unexpected_answer':
      return t('com_error_unexpected_answer', { 0: `${reason.status} ${reason.statusText}`.trim() });
    case 'unknown':
      return reason.text ? t('com_error_unknown', { 0: shortened(reason.text) }) : t('com_error_unknown_plain');
    default:
      return reason satisfies never;
  }
}

function isWritten(part: MessagePart): boolean {
  return part.type !== 'text' || part.text !== '';
}

function isPlain(reason: Reason): reason is PlainReason {
  return reason.type in PLAIN;
}

function unavailable(
  { status }: Extract<Reason, { type: 'provider_unavailable' }>,
  t: TFunction,
  endpoint: string | undefined,
): string {
  if (endpoint === undefined)
    return status === null ? t('com_error_provider_unreachable') : t('com_error_provider_unavailable', { 0: status });
  const name = endpointLabel(endpoint);
  return status === null
    ? t('com_error_endpoint_unreachable', { 0: name })
    : t('com_error_endpoint_unavailable', { 0: name, 1: status });
}

function tokenBalance({ balance, promptTokens, tokenCost }: Extract<Reason, { type: 'token_balance' }>, t: TFunction) {
  const credits = (count: number) => t('com_error_credits', { count: Math.floor(count) });
  return t('com_error_token_balance', { 0: credits(balance), 1: promptTokens, 2: credits(tokenCost) });
}

function messageLimit({ max, windowInMinutes }: Extract<Reason, { type: 'message_limit' }>, t: TFunction): string {
  return t('com_error_message_limit', {
    0: t('com_error_message_limit_messages', { count: max }),
    1: t('com_error_message_limit_minutes', { count: windowInMinutes }),
  });
}

function minutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}

function localTime(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleString(i18n.language);
}

/** JSON is not cut: half an object is useless. */
function shortened(text: string): string {
  if (text.length <= TEXT_CHARS_MAX || isJson(text)) return text;
  return `${text.slice(0, TEXT_CHARS_MAX).toWellFormed()}...`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
