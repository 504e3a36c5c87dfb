import { TRPCClientError, type TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable, type Unsubscribable } from '@trpc/server/observable';

/**
 * A link that is fetched with the first operation that goes through it. Where it cannot be fetched the operation fails
 * like one that found no server, and the next one fetches it again.
 */
export function lazyLink<Router extends AnyTRPCRouter>(load: () => Promise<TRPCLink<Router>>): TRPCLink<Router> {
  return (runtime) => (operation) =>
    observable((observer) => {
      let passedOn: Unsubscribable | null = null;
      let isOver = false;
      load().then(
        (link) => {
          if (!isOver) passedOn = link(runtime)(operation).subscribe(observer);
        },
        (cause: unknown) => {
          if (!isOver) observer.error(TRPCClientError.from(cause instanceof Error ? cause : new Error(String(cause))));
        },
      );
      return () => {
        isOver = true;
        passedOn?.unsubscribe();
      };
    });
}
