/** Errors in Google's format. */
import { BAD_SIGNATURE } from '../../tools/scenarios.ts';
import type { Refusal } from '../../scenario.ts';

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

type Words = Pick<Refusal, 'status' | 'code' | 'message'>;

/** A wrong API key is a bad request there, and an empty balance looks like a rate limit. */
export function refused(refusal: Refusal): Refusal {
  if (refusal.code === BAD_SIGNATURE) return { ...refusal, message: 'Thought signature is not valid.' };
  if (refusal.code !== 'invalid_api_key') return { ...refusal, headers: {} };
  return { ...refusal, status: 400, message: 'API key not valid. Please pass a valid API key.' };
}

export function errorBody({ status, code, message }: Words): unknown {
  const details = detailsOf(code);
  return { error: { code: status, message, status: STATUSES[status] ?? 'UNKNOWN', ...(details && { details }) } };
}

function detailsOf(code: string | null): object[] | null {
  const type = (name: string) => ({ '@type': `type.googleapis.com/google.rpc.${name}` });
  if (code === 'invalid_api_key')
    return [{ ...type('ErrorInfo'), reason: 'API_KEY_INVALID', domain: 'googleapis.com' }];
  if (code === 'rate_limit_exceeded') return [{ ...type('RetryInfo'), retryDelay: '7s' }];
  return null;
}
