import type { AppRouter } from '@parley/server/router';
import type { Reason } from '@parley/schema/reasons';
import { TRPCClientError } from '@trpc/client';

/** Why a call was refused; null when the server gave no reason, which mostly means that it could not be reached. */
export function reasonOf(error: unknown): Reason | null {
  return isAnswer(error) ? (error.data?.reason ?? null) : null;
}

/** The HTTP status of a refused call; null when there was no answer at all. */
export function statusOf(error: unknown): number | null {
  return isAnswer(error) ? (error.data?.httpStatus ?? null) : null;
}

function isAnswer(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}
