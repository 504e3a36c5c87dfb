import type { Reason } from '@parley/schema/reasons';

/** How Bing says that something went well or not. */
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

/** What Bing's word for a failure means to the person who asked. */
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
      return { type: 'provider_refused', status: 400, text };
    default:
      return { type: 'provider_unavailable', status: null };
  }
}
