import type { AppRouter } from '@parley/server/router';
import type { Reason } from '@parley/schema/reasons';
import { TRPCClientError } from '@trpc/client';

/** Why a call was refused; null when there is no reason, which mostly means that the server could not be reached. */
export function reasonOf(error: unknown): Reason | null {
  return isAnswer(error) ? (error.data?.reason ?? unexpectedOf(error)) : null;
}

/** What answered was not the server as we know it, but perhaps a proxy before it. */
export function unexpectedOf(error: unknown): Extract<Reason, { type: 'unexpected_answer' }> | null {
  const response = isAnswer(error) && !error.data && error.meta?.response;
  if (!(response instanceof Response)) return null;
  const { status, statusText } = response;
  return { type: 'unexpected_answer', status, statusText };
}

/** The HTTP status of a refused call; null when there was no answer at all. */
export function statusOf(error: unknown): number | null {
  return isAnswer(error) ? (error.data?.httpStatus ?? null) : null;
}

function isAnswer(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}
