import type { Reason } from '@parley/schema/reasons';

export interface ProviderFailure {
  status: number;
  /** The provider's own word for it. */
  code?: string | undefined;
  headers?: Headers | undefined;
  text: string;
}

/** As much of a provider's words as people are shown. */
const TEXT_MAX = 500;

/** What a provider's HTTP status and error code mean to the person who asked. */
export function reasonOfStatus({ status, code, headers, text }: ProviderFailure, endpoint: string): Reason {
  if (code === 'insufficient_quota') return { type: 'insufficient_quota', endpoint };
  if (status === 401 || status === 403 || code === 'invalid_api_key') return { type: 'invalid_api_key', endpoint };
  if (status === 429 || code === 'rate_limit_exceeded')
    return { type: 'provider_rate_limited', retryAfterSeconds: secondsOf(headers?.get('retry-after')) };
  if (status >= 500) return { type: 'provider_unavailable', status };
  return { type: 'provider_refused', status, text: text.slice(0, TEXT_MAX) };
}

function secondsOf(value: string | null | undefined): number | null {
  const seconds = Number(value ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
}
