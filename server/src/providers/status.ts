import type { Reason } from '@parley/schema/reasons';
import { tooLongReason } from './too-long.ts';

export interface ProviderFailure {
  status: number;
  /** The provider's own error code. */
  code?: string | undefined;
  headers?: Headers | undefined;
  /** In seconds, where the provider sends it elsewhere than in a header. */
  retryAfter?: number | undefined;
  text: string;
}

/** The longest provider message shown to users, in characters. */
const TEXT_MAX = 500;

const BAD_KEY = new Set(['invalid_api_key', 'authentication_error', 'API_KEY_INVALID', 'UNAUTHENTICATED']);
const NO_QUOTA = new Set(['insufficient_quota', 'billing_error']);
const TOO_FAST = new Set(['rate_limit_exceeded', 'rate_limit_error']);

/** The reason for a provider's HTTP status and error code. */
export function reasonOfStatus(failure: ProviderFailure, endpoint: string): Reason {
  const { status, code = '', headers, text } = failure;
  // Anthropic has no code for an empty balance, only these words.
  if (status === 402 || NO_QUOTA.has(code) || /credit balance is too low/i.test(text))
    return { type: 'insufficient_quota', endpoint };
  if (status === 401 || status === 403 || BAD_KEY.has(code)) return { type: 'invalid_api_key', endpoint };
  if (status === 429 || TOO_FAST.has(code)) {
    const retryAfterSeconds = secondsOf(failure.retryAfter ?? headers?.get('retry-after'));
    return { type: 'provider_rate_limited', retryAfterSeconds };
  }
  const tooLong = tooLongReason({ code, text });
  if (tooLong) return tooLong;
  if (status >= 500) return { type: 'provider_unavailable', status };
  return { type: 'provider_refused', status, text: text.slice(0, TEXT_MAX) };
}

function secondsOf(value: number | string | null | undefined): number | null {
  const seconds = Number(value ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
}
