// Sensitive changes ask once more who one is: the refused call waits for the dialog of whichever room shows one, and is
// repeated after it, so that nothing typed is lost.
import type { Reason } from '@parley/schema/reasons';
import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable, type Unsubscribable } from '@trpc/server/observable';

export type StepUpNeeded = Extract<Reason, { type: 'step_up_needed' }>;
/** False when it is not proven. */
type Ask = (needed: StepUpNeeded) => Promise<boolean>;

/** The newest answers. */
const askers: Ask[] = [];
let pending: Promise<boolean> | null = null;

export function answerStepUps(ask: Ask): () => void {
  askers.push(ask);
  return () => void askers.splice(askers.indexOf(ask), 1);
}

/** One dialog for all that were refused at the same time. */
function prove(needed: StepUpNeeded): Promise<boolean> {
  const ask = askers.at(-1);
  pending ??= (ask ? ask(needed) : Promise.resolve(false)).finally(() => (pending = null));
  return pending;
}

export function stepUpLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let isOver = false;
        let request: Unsubscribable;

        request = next(op).subscribe({
          ...observer,
          error(error) {
            const { reason } = (error.data ?? {}) as { reason?: Reason | null };
            if (reason?.type === 'step_up_needed') void askAndRepeat(reason, error);
            else observer.error(error);
          },
        });

        async function askAndRepeat(
          needed: StepUpNeeded,
          refused: Parameters<typeof observer.error>[0],
        ): Promise<void> {
          const isProven = await prove(needed);
          if (isOver) return;
          if (isProven) request = next(op).subscribe(observer);
          else observer.error(refused);
        }

        return () => {
          isOver = true;
          request.unsubscribe();
        };
      });
}
