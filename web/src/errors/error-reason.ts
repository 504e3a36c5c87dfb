import type { AppRouter } from '@parley/server/router';
import type { Reason } from '@parley/schema/reasons';
import { TRPCClientError } from '@trpc/client';

/** Why the server rejected a call; null without a reason, which usually means that the server was unreachable. */
export function errorReason(error: unknown): Reason | null {
  return isResponseError(error) ? (error.data?.reason ?? unexpectedAnswer(error)) : null;
}

/** The response is not from Parley, but perhaps from a proxy in front of it. */
export function unexpectedAnswer(error: unknown): Extract<Reason, { type: 'unexpected_answer' }> | null {
  const response = isResponseError(error) && !error.data && error.meta?.response;
  if (!(response instanceof Response)) return null;
  const { status, statusText } = response;
  return { type: 'unexpected_answer', status, statusText };
}

/** The HTTP status of a rejected call; null without a response. */
export function errorStatus(error: unknown): number | null {
  return isResponseError(error) ? (error.data?.httpStatus ?? null) : null;
}

function isResponseError(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}
