import { asFields } from '@parley/schema/json';
import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable, type Unsubscribable } from '@trpc/server/observable';

export interface RefreshLinkDeps {
  /** The current token and its user; null when signed out. */
  current: () => { token: string; userId: string } | null;
  /** A new token, shared by all callers; null if the session is over; throws if the server is unreachable. */
  refresh: () => Promise<string | null>;
}

/**
 * Answers a 401, and a refusal of a session that has become limited, with one refresh, shared by all requests that got one, and repeats the request once. If the refresh
 * fails, or the session now belongs to another user, the request fails.
 */
export function refreshLink<Router extends AnyTRPCRouter>({ current, refresh }: RefreshLinkDeps): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const sentBy = current();
        let request: Unsubscribable;
        let isOver = false;

        request = next(op).subscribe({
          ...observer,
          error: (error) => {
            if (sentBy && isAnotherSession(error.data)) void recover(error);
            else observer.error(error);
          },
        });

        async function recover(refused: Parameters<typeof observer.error>[0]): Promise<void> {
          try {
            // Another request may have fetched a new token while this one was pending.
            if (current()?.token === sentBy?.token) await refresh();
          } catch {
            return fail(refused);
          }
          if (isOver) return;
          if (current()?.userId !== sentBy?.userId) return fail(refused);
          request = next(op).subscribe(observer);
        }

        function fail(error: Parameters<typeof observer.error>[0]): void {
          if (!isOver) observer.error(error);
        }

        return () => {
          isOver = true;
          request.unsubscribe();
        };
      });
}

/** A renewal tells what the session is now. */
function isAnotherSession(data: unknown): boolean {
  const { httpStatus, reason } = asFields(data);
  return httpStatus === 401 || asFields(reason).type === 'factor_missing';
}
