// Tests of this room: tests/integration/chat, tests/e2e/chat.

// One exchange (question and answer) from ask to `final`, as the routers use it.
import type { CreatedEvent, Entry, FinalEvent } from '@parley/schema/generation/events';
import type { AskInput } from '@parley/schema/chat/ask';
import type { AskManyInput } from '@parley/schema/chat/ask-many';
import { createBegin, type AskedFrom, type BeginDeps } from './begin/begin.ts';
import { createAttach, type AttachDeps } from './attach.ts';
import { createRetryAfterRecovery, type RetryAfterRecovery } from './retry-after-recovery.ts';
import { createStartRun, type RunDeps } from './run.ts';
import { createGoOn } from './research/take-over.ts';
import type { GoOn } from './finalize.ts';
import { createWriteNow } from '../research/write-now.ts';
import { earlyStops, generations } from '@parley/db/tables/generations';
import { and, eq, sql } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { withDeadline } from '../platform/deadline.ts';

export interface AskService {
  /** Begins an exchange and returns its `created` event; the run continues in the background. */
  ask(userId: string, input: AskInput, from?: AskedFrom): Promise<CreatedEvent>;
  /** Asks several models the same question; gives one event for each, in their order. */
  askMany(userId: string, input: AskManyInput, from?: Pick<AskedFrom, 'client'>): Promise<CreatedEvent[]>;
  /** Gives the events of a generation after `afterSeq`, up to `final`. Waits briefly if its ask has not arrived yet. */
  attach(userId: string, generationId: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<Entry, void>;
  /** Stops a generation and returns its `final` event; null when nothing was running. */
  stop(userId: string, generationId: string, signal?: AbortSignal): Promise<FinalEvent | null>;
  retryAfterRecovery: RetryAfterRecovery;
  /** Goes on with a research that this process has claimed. */
  goOn: GoOn;
}

export type AskServiceDeps = Omit<BeginDeps, 'startRun' | 'retryAfterRecovery'> &
  Omit<RunDeps, 'writeNow'> &
  Omit<AttachDeps, 'findPending'>;

export function createAskService(deps: AskServiceDeps): AskService {
  const { runs, generationLog, pubsub, timings } = deps;
  pubsub.on('stop:', (generationId) => void runs.stop(generationId));
  const retryAfterRecovery = createRetryAfterRecovery(deps);
  const startRun = createStartRun({ ...deps, writeNow: createWriteNow(pubsub) });
  const begin = createBegin({ ...deps, retryAfterRecovery, startRun });
  /** The asks that this process has received and not yet answered: an attach waits for them however long they take. */
  const pending = new Map<string, Promise<unknown>>();
  const attach = createAttach({ ...deps, findPending: (userId, id) => pending.get(`${userId} ${id}`) });
  return {
    ask: async (userId, input, from) => {
      const [created] = await track(userId, [input], from);
      if (!created) throw new Error('An ask has begun without a reply');
      return created;
    },
    askMany: (userId, { conversationId, folderId, isTemporary, asks }, from) =>
      track(
        userId,
        asks.map((ask) => ({ ...ask, conversationId, folderId, isTemporary })),
        from,
      ),
    attach,
    stop,
    retryAfterRecovery,
    goOn: createGoOn(deps, startRun),
  };

  /** Keeps these runs pending until they have begun or were refused. */
  function track(userId: string, inputs: readonly AskInput[], from?: AskedFrom): Promise<CreatedEvent[]> {
    const keys = inputs.map(({ generationId }) => `${userId} ${generationId}`);
    const asking = begin(userId, inputs, from);
    const over = asking
      .catch(() => {})
      .finally(() => {
        // The same ask may have been sent again meanwhile.
        for (const key of keys) if (pending.get(key) === over) pending.delete(key);
      });
    for (const key of keys) pending.set(key, over);
    return asking;
  }

  /** Stops a generation in whichever process runs it; if its ask has not arrived yet, it stops when it does. */
  async function stop(userId: string, generationId: string, left?: AbortSignal): Promise<FinalEvent | null> {
    const live = generationLog.find(generationId);
    if (live?.userId === userId) return runs.stop(generationId);
    if (!(await requestStop(deps, userId, generationId))) return null;
    const signal = withDeadline(timings.askTimeoutMs, left);
    for await (const { event } of attach(userId, generationId, 0, signal)) if (event.type === 'final') return event;
    return null;
  }
}

/**
 * Tells the owner of a run to stop, or leaves a mark for an ask that has not arrived; returns whether the run exists.
 * Both lock the user's row and take a number of its change counter, by which an ask in one statement sees whatever
 * came between: so a stop comes wholly before or after an ask and is never lost.
 */
function requestStop({ db }: Pick<AskServiceDeps, 'db'>, userId: string, generationId: string): Promise<boolean> {
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
