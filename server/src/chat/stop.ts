import type { Db } from '@parley/db/client';
import { earlyStops, generations } from '@parley/db/tables/generations';
import type { Entry, FinalEvent } from '@parley/schema/generation/events';
import { and, eq, sql } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { withDeadline } from '../platform/deadline.ts';
import type { GenerationLog } from '../generation/log.ts';
import type { Runs } from '../generation/runs.ts';
import type { Timings } from '../config/timings.ts';

interface StopDeps {
  db: Db;
  runs: Runs;
  generationLog: GenerationLog;
  attach(userId: string, generationId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<Entry>;
  timings: Pick<Timings, 'askTimeoutMs'>;
}

/** Stops a generation in whichever process runs it; if its ask has not arrived yet, it stops when it does. */
export function createStop({ db, runs, generationLog, attach, timings }: StopDeps) {
  return stop;

  async function stop(userId: string, generationId: string, signal?: AbortSignal): Promise<FinalEvent | null> {
    const live = generationLog.find(generationId);
    if (live?.userId === userId) return runs.stop(generationId);
    const isRunning = await requestStop(userId, generationId);
    return isRunning ? waitForFinal(userId, generationId, signal) : null;
  }

  /**
   * Tells the owner of a run to stop, or leaves a mark for an ask that has not arrived; returns whether the run exists.
   * Both lock the user's row and take a number of its change counter, by which an ask in one statement sees whatever
   * came between: so a stop comes wholly before or after an ask and is never lost.
   */
  function requestStop(userId: string, generationId: string): Promise<boolean> {
    return db.query.transaction(async (tx) => {
      await nextChange(tx, userId);
      const mine = and(eq(generations.id, generationId), eq(generations.userId, userId));
      const [known] = await tx.select({ endedAt: generations.endedAt }).from(generations).where(mine);
      if (!known) await tx.insert(earlyStops).values({ userId, generationId }).onConflictDoNothing();
      if (known?.endedAt !== null) return false;
      const notified = sql`pg_notify('parley', ${`stop:${generationId}`}::text)`;
      await tx.update(generations).set({ stopRequested: true }).where(mine).returning({ notified });
      return true;
    });
  }

  async function waitForFinal(userId: string, generationId: string, left?: AbortSignal): Promise<FinalEvent | null> {
    const signal = withDeadline(timings.askTimeoutMs, left);
    for await (const { event } of attach(userId, generationId, 0, signal)) if (event.type === 'final') return event;
    return null;
  }
}
