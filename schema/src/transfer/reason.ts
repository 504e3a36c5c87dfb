// Reads reasons from an imported file. Each is checked completely, because the interface trusts reasons.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { BUDGET_PERIODS, BUDGET_SCOPES, FACTOR_KINDS, SOCIAL_REFUSALS, STEP_UPS, type Reason } from '../reasons.ts';
import { typedKeys } from '../entries.ts';

const text = z.string().max(10_000).overwrite(cleanText);
const number = z.number();
const endpoint = { endpoint: text };
const violation = z.object({ before: number, after: number }).optional();

const kinds = z.array(z.enum(FACTOR_KINDS));

const shapes = {
  unauthorized: {},
  invalid_credentials: {},
  banned: { until: text.nullable() },
  account_disabled: {},
  account_waiting: {},
  email_unconfirmed: {},
  invalid_confirmation: {},
  factor_needed: { ticket: text, kinds },
  factor_missing: {},
  last_factor: {},
  step_up_needed: { by: z.enum(STEP_UPS), kinds },
  passkey_refused: {},
  wrong_code: {},
  sign_in_again: {},
  registration_closed: {},
  invalid_invitation: {},
  email_login_closed: {},
  directory_unreachable: {},
  password_expired: {},
  email_domain_not_allowed: {},
  registration_failed: {},
  username_taken: {},
  social_login: { why: z.enum(SOCIAL_REFUSALS) },
  invalid_reset_token: {},
  too_many_attempts: { retryAfterSeconds: number },
  forbidden: {},
  last_administrator: {},
  own_account: {},
  builder_disabled: {},
  non_browser: {},
  invalid_input: { text },
  not_found: {
    what: z.enum(['convo', 'message', 'generation', 'endpoint', 'user', 'file', 'assistant', 'action', 'mcp_server']),
  },
  conflict: { text },
  illegal_model_request: { ...endpoint, model: text },
  model_not_yours: { ...endpoint, model: text },
  context_too_long: { tokens: number.nullable(), window: number.nullable() },
  files_too_long: { passages: number, max: number },
  moderation: {},
  memory_off: {},
  memory_full: { max: number },
  no_user_key: endpoint,
  invalid_user_key: endpoint,
  no_base_url: endpoint,
  expired_user_key: { ...endpoint, expiredAt: text },
  no_service_key: { ...endpoint, model: text },
  forbidden_base_url: { host: text },
  concurrent: { limit: number, violation },
  message_limit: {
    max: number,
    windowInMinutes: number,
    limiter: z.enum(['ip', 'user']),
    retryAfterSeconds: number.optional(),
    violation,
  },
  token_balance: { balance: number, promptTokens: number, tokenCost: number },
  budget: {
    scope: z.enum(BUDGET_SCOPES),
    period: z.enum(BUDGET_PERIODS),
    budget: number,
    left: number,
    renewsAt: text,
  },
  credits_reserved: { retryAfterSeconds: number },
  invalid_api_key: { ...endpoint, text: text.optional() },
  insufficient_quota: { ...endpoint, text: text.optional() },
  provider_rate_limited: { retryAfterSeconds: number.nullable(), text: text.optional() },
  provider_refused: { status: number, text },
  provider_unavailable: {
    status: number.nullable(),
    text: text.optional(),
    why: z.enum(['no_host', 'bad_certificate', 'no_tls']).optional(),
  },
  provider_broke_off: {},
  provider_stalled: { seconds: number },
  provider_malformed: { why: z.enum(['version', 'not_mcp', 'error']).optional() },
  content_filtered: {},
  empty_answer: {},
  answer_too_long: {},
  answer_too_slow: {},
  interrupted: {},
  storage_full: {},
  unexpected_answer: { status: number, statusText: text },
  unavailable: {},
  unknown: { text },
} satisfies { [Type in Reason['type']]: Record<Exclude<keyof Extract<Reason, { type: Type }>, 'type'>, z.ZodType> };

const Typed = z.object({ type: z.enum(typedKeys(shapes)) });

/** The reason in a file; null when it is none that Parley knows. */
export function readReason(value: unknown): Reason | null {
  const typed = Typed.safeParse(value);
  if (!typed.success) return null;
  const { type } = typed.data;
  const parsed = z.object(shapes[type]).safeParse(value);
  return parsed.success ? ({ type, ...parsed.data } as Reason) : null;
}
