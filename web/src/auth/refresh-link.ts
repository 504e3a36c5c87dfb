import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable, type Unsubscribable } from '@trpc/server/observable';

export interface RefreshLinkDeps {
  /** The bearer and its user as they are now; null when nobody is signed in. */
  current: () => { token: string; userId: string } | null;
  /** A new bearer shared by everyone who asks; null when the session is over; throws when it could not be asked. */
  refresh: () => Promise<string | null>;
}

/**
 * Answers a 401 with one refresh, shared by all requests that got one, and sends the request once more. A refresh that
 * fails, or that turns out to be somebody else's session, hands the failure to the request.
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
            if (sentBy && error.data?.httpStatus === 401) void recover(error);
            else observer.error(error);
          },
        });

        async function recover(refused: Parameters<typeof observer.error>[0]): Promise<void> {
          try {
            // Another request may have brought a new bearer while this one was on its way.
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
