import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable, type Unsubscribable } from '@trpc/server/observable';

/**
 * Sends the mutations that are named by their paths one after the other, each router's apart: of two that set the same
 * thing, an earlier one that arrived later would undo what the person wants now.
 */
export function orderedLink<Router extends AnyTRPCRouter>(paths: ReadonlySet<string>): TRPCLink<Router> {
  /** By router: settles when its newest mutation has. */
  const newest = new Map<string, Promise<void>>();
  return () =>
    ({ op, next }) => {
      if (!paths.has(op.path)) return next(op);
      const router = op.path.slice(0, op.path.lastIndexOf('.'));
      return observable((observer) => {
        const before = newest.get(router);
        let settle: () => void = () => {};
        newest.set(router, new Promise((resolve) => (settle = resolve)));
        let sent: Unsubscribable | undefined;
        const send = () => void (sent = next(op).subscribe(observer));
        if (before) void before.then(send);
        else send();
        return () => {
          sent?.unsubscribe();
          settle();
        };
      });
    };
}
