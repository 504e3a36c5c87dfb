// Errors in Anthropic's shape.
import type { Fault } from '../api-error.ts';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

export function messagesError({ status, message, param }: Fault): object {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const where = param && !message.includes(param) ? `${param}: ${message}` : message;
  return { type: 'error', error: { type, message: where }, request_id: null };
}
