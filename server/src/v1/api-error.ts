// Tests of this room: tests/integration/v1.

// Errors in OpenAI's shape, from one table of reasons.
import type { Reason } from '@parley/schema/reasons';
import { ZodError } from 'zod';
import { KeyRefused } from '../api-keys/principal.ts';
import { KeySpent } from '../billing/key-spending.ts';
import { reasonOfDatabase } from '../platform/database-fault.ts';
import { Refusal } from '../platform/errors.ts';
import { INTERNAL_ERROR_MESSAGE, reasonStatus, reasonText } from '../platform/reasons.ts';

export interface Fault {
  status: number;
  type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error';
  code: string | null;
  message: string;
  /** The field of the request that is at fault. */
  param?: string | null;
  /** The official clients send a request again after these statuses, which here helps nobody. */
  isFinal?: boolean;
  retryAfterSeconds?: number | null;
}

/** A refusal that only programs get. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** @throws ApiError for a field of the request, which it names */
export function refuseField(param: string, message: string, code: string | null = null): never {
  throw new ApiError({ status: 400, type: 'invalid_request_error', code, message, param });
}

/** Null for what nobody expected: it is logged, and its message kept from the client. */
export function apiFault(error: unknown): Fault | null {
  if (error instanceof ApiError) return error.fault;
  if (error instanceof KeyRefused)
    return { status: error.status, type: typeFor(error.status), code: error.code, message: error.message };
  if (error instanceof KeySpent) return { ...faultOfReason(error.reason), message: spentMessage(error) };
  if (error instanceof Refusal) return faultOfReason(error.reason);
  if (error instanceof ZodError) return faultOfInput(error);
  const reason = reasonOfDatabase(error);
  return reason && faultOfReason(reason);
}

function spentMessage({ monthlyCredits }: KeySpent): string {
  return `This key may spend ${monthlyCredits} credits in a month, and too few of them are left. It works again next month.`;
}

export const UNEXPECTED: Fault = { status: 500, type: 'server_error', code: null, message: INTERNAL_ERROR_MESSAGE };

export function errorBody({ type, code, message, param = null }: Fault): object {
  return { error: { message, type, param, code } };
}

export function respondFault(fault: Fault, body: (fault: Fault) => object = errorBody): Response {
  const { status, isFinal = false, retryAfterSeconds = null } = fault;
  const headers = {
    ...(isFinal && { 'x-should-retry': 'false' }),
    ...(retryAfterSeconds !== null && { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
  };
  return Response.json(body(fault), { status, headers });
}

type Row = Partial<Pick<Fault, 'status' | 'type' | 'code' | 'message' | 'isFinal'>>;

const PROVIDER: Row = { message: 'The provider did not answer. Please try again in a moment.' };

/** Where the status of a reason or its words are others than in the REST API. */
const ROWS: { readonly [T in Reason['type']]?: Row } = {
  unauthorized: { type: 'authentication_error', code: 'invalid_api_key', message: 'This key opens nothing here.' },
  banned: { type: 'permission_error', code: 'account_banned' },
  illegal_model_request: { status: 404, code: 'model_not_found' },
  model_not_yours: { status: 404, code: 'model_not_found' },
  not_found: { code: 'model_not_found' },
  context_too_long: { code: 'context_length_exceeded' },
  moderation: { code: 'content_policy_violation' },
  concurrent: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  message_limit: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  token_balance: { status: 429, type: 'rate_limit_error', code: 'insufficient_quota', isFinal: true },
  budget: { status: 429, type: 'rate_limit_error', code: 'insufficient_quota', isFinal: true },
  credits_reserved: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  invalid_api_key: {
    code: 'provider_key_refused',
    message: 'The provider does not take the key that this server has for it.',
    isFinal: true,
  },
  insufficient_quota: {
    status: 429,
    type: 'rate_limit_error',
    code: 'insufficient_quota',
    message: "This server's account at the provider has no credit left.",
    isFinal: true,
  },
  provider_rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    code: 'rate_limit_exceeded',
    message: 'The provider takes no more requests right now. Please try again later.',
  },
  provider_unavailable: PROVIDER,
  provider_broke_off: { message: 'The provider broke off its answer.' },
  provider_stalled: { message: 'The provider fell silent.' },
  provider_malformed: { message: 'The provider sent what is no answer.' },
  content_filtered: {
    status: 400,
    type: 'invalid_request_error',
    code: 'content_filter',
    message: 'The provider filtered the answer.',
  },
  answer_too_long: { message: 'The answer is longer than this server lets one be.', isFinal: true },
  answer_too_slow: { message: 'The answer takes longer than this server lets one take.', isFinal: true },
  interrupted: { message: 'The call was ended.' },
};

function faultOfReason(reason: Reason): Fault {
  const status = reasonStatus(reason);
  const fault: Fault = { status, type: typeFor(status), code: null, message: reasonText(reason), ...ROWS[reason.type] };
  switch (reason.type) {
    case 'provider_refused':
      // What the provider says of the request is about the request that was relayed to it.
      return reason.status >= 500 ? fault : { ...fault, status: 400, type: 'invalid_request_error' };
    case 'provider_rate_limited':
    case 'credits_reserved':
      return { ...fault, retryAfterSeconds: reason.retryAfterSeconds };
    case 'message_limit':
      return { ...fault, retryAfterSeconds: reason.retryAfterSeconds ?? null };
    case 'concurrent':
      return { ...fault, retryAfterSeconds: 1 };
    default:
      return fault;
  }
}

function typeFor(status: number): Fault['type'] {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** Names the first field that is at fault, or that is not known here. */
function faultOfInput({ issues }: ZodError): Fault {
  const issue = issues[0] && deepest(issues[0]);
  const where = (issue?.path ?? [])
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('');
  const path = where.replace(/^\./, '');
  const base = { status: 400, type: 'invalid_request_error' as const };
  if (issue?.code === 'unrecognized_keys') {
    const param = [path, issue.keys[0] ?? ''].filter((part) => part !== '').join('.');
    return { ...base, code: 'unknown_parameter', message: `This server does not know the parameter ${param}.`, param };
  }
  return { ...base, code: null, message: issue?.message ?? 'The request is not valid', param: path || null };
}

type Issue = ZodError['issues'][number];

/** Of what fits none of several shapes: what is wrong within the one that is meant, where that is clear. */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const [inner, another] = issue.errors.flatMap(([first]) => (first && first.path.length > 0 ? [deepest(first)] : []));
  return inner && !another ? { ...inner, path: [...issue.path, ...inner.path] } : issue;
}
