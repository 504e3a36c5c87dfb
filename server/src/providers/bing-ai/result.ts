import type { Reason } from '@parley/schema/reasons';
import { reasonOfStatus } from '../status.ts';

/** Bing's result of a request. */
export interface LooseResult {
  value?: string | null;
  message?: string | null;
  error?: string | null;
}

const TEXT_MAX = 500;

/** Whether the conversation is one that Bing does not know (any more). */
export function isForgotten({ value }: LooseResult): boolean {
  return value === 'InvalidSession';
}

/** The reason for one of Bing's result values. */
export function reasonOfResult({ value, message, error }: LooseResult, endpoint: string): Reason {
  const text = (message ?? error ?? '').slice(0, TEXT_MAX);
  switch (value) {
    case 'UnauthorizedRequest':
      return { type: 'invalid_api_key', endpoint };
    case 'Throttled':
      return { type: 'provider_rate_limited', retryAfterSeconds: null };
    case 'CaptchaChallenge':
    case 'ForbiddenRequest':
      return { type: 'provider_refused', status: 403, text };
    case 'InvalidRequest':
      return reasonOfStatus({ status: 400, text }, endpoint);
    default:
      return { type: 'provider_unavailable', status: null };
  }
}
