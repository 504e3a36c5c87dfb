// Attach: streams a generation from any event to its end, whichever process runs it.
import type { Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import type { Entry, FinalEvent } from '@parley/schema/generation/events';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { readConvo } from '../convos/convos.ts';
import { reasonOfDatabase } from '../platform/database-fault.ts';
import { withDeadline } from '../platform/deadline.ts';
import { refuse } from '../platform/errors.ts';
import { tail, type GenerationLog } from '../generation/log.ts';
import { END } from '../generation/live-log.ts';
import { presentMessage } from '../messages/present.ts';
import { readEntries } from '../messages/stored-log.ts';
import { changeTopic } from '../convos/changes.ts';
import type { PubSub } from '../platform/pubsub.ts';
import type { Timings } from '../config/timings.ts';

export interface AttachDeps {
  db: Db;
  generationLog: GenerationLog;
  /** Recovers the runs of dead processes and returns how many there were. */
  settle(): Promise<number>;
  pubsub: PubSub;
  /** Finds the ask of a generation that this process has received and not yet answered. */
  findPending(userId: string, generationId: string): Promise<unknown> | undefined;
  timings: Pick<Timings, 'askTimeoutMs'>;
}

/** Limits how long an attach waits for its ask before it queries the database, in milliseconds. */
const ATTACH_GRACE_MS = 50;
/** Polling interval for a generation that runs in another process. */
const POLL_MS = 200;

export function createAttach(deps: AttachDeps) {
  const { generationLog, pubsub, findPending } = deps;
  const { askTimeoutMs } = deps.timings;
  return attach;

  async function* attach(
    userId: string,
    generationId: string,
    afterSeq: number,
    signal: AbortSignal,
  ): AsyncGenerator<Entry, void> {
    // Browsers send ask and attach together: most asks have arrived before a database query is worth it.
    if (!generationLog.find(generationId) && afterSeq === 0) await arrival(generationId);
    let cursor = afterSeq;
    while (!signal.aborted && cursor < END) {
      const live = generationLog.find(generationId);
      const asking = live ? undefined : findPending(userId, generationId);
      if (asking) {
        // Until it has begun there is nothing to read, neither here nor in the database.
        await Promise.race([asking, whenAborted(signal)]);
        continue;
      }
      // Another user's generation looks unknown, after the same wait.
      if (live && live.userId !== userId) return await refuseUnknown(ATTACH_GRACE_MS + askTimeoutMs, signal);
      const entries = live
        ? tail(live, cursor, signal)
        : await findStored(userId, generationId, cursor, signal).catch(noneWhileAway);
      for await (const entry of entries) {
        yield entry;
        cursor = entry.seq;
        if (cursor === END) return;
      }
      if (!live && !generationLog.find(generationId)) await generationLog.opened(generationId, POLL_MS);
    }
  }

  /**
   * Waits briefly for the ask. In two parts: a timer that fires late on a busy server is followed by everything that
   * has arrived meanwhile, so the second part begins with the ask at hand.
   */
  async function arrival(generationId: string): Promise<void> {
    await generationLog.opened(generationId, ATTACH_GRACE_MS / 2);
    if (!generationLog.find(generationId)) await generationLog.opened(generationId, ATTACH_GRACE_MS / 2);
  }

  /**
   * Reads what the database has of a generation after `cursor`, as soon as its ask is committed. Empty once this
   * process opens the generation: a busy database must not delay its subscriber.
   */
  async function findStored(userId: string, generationId: string, cursor: number, left: AbortSignal): Promise<Entry[]> {
    const signal = withDeadline(askTimeoutMs, left);
    let isOpened = false;
    const opened = generationLog.opened(generationId, 2 * askTimeoutMs).then(() => void (isOpened = true));
    // Every ask, in whichever process, publishes a change of its user's conversations.
    const subscription = pubsub.subscribe(changeTopic(userId));
    try {
      while (!left.aborted) {
        // However long an overloaded server takes over an ask: until then the database knows nothing of it.
        const asking = findPending(userId, generationId);
        if (asking) await Promise.race([asking, opened, whenAborted(left)]);
        if (isOpened || left.aborted) return [];
        // The last read comes after the deadline: notifications may be late or lost.
        const isLastRead = signal.aborted;
        const entries = await Promise.race([readStored(deps, userId, generationId, cursor), opened]);
        // It may have been opened and have ended meanwhile: the caller checks again.
        if (entries || isOpened) return entries ?? [];
        // What was sent of a generation was committed before: without a row it has been deleted.
        if (isLastRead || cursor > 0) return refuse({ type: 'not_found', what: 'generation' });
        await Promise.race([subscription.next(signal), opened]);
      }
      return [];
    } finally {
      subscription.end();
    }
  }
}

/** A database that is away says nothing about a run: its readers look again until it is back. */
function noneWhileAway(error: unknown): Entry[] {
  if (reasonOfDatabase(error)?.type === 'unavailable') return [];
  throw error;
}

/** Reads the stored log of a generation after `cursor`, or its final state. Null when the database does not know it. */
async function readStored(
  { db, settle }: Pick<AttachDeps, 'db' | 'settle'>,
  userId: string,
  generationId: string,
  cursor: number,
): Promise<Entry[] | null> {
  const [row] = await db.query
    .select({ endedAt: generations.endedAt, leaseEnded: sql<boolean>`${generations.leaseUntil} < now()` })
    .from(generations)
    .where(and(eq(generations.id, generationId), eq(generations.userId, userId)));
  if (!row) return null;
  // What cannot be recovered is reported, and tried again, by the search for orphaned runs.
  if (row.endedAt === null && row.leaseEnded) await settle().catch(() => 0);
  const final = await findFinal(db, userId, generationId);
  return final ? [{ seq: END, event: final }] : readEntries(db, generationId, cursor);
}

async function findFinal(db: Db, userId: string, generationId: string): Promise<FinalEvent | null> {
  const [generation] = await db.query
    .select()
    .from(generations)
    .where(and(eq(generations.id, generationId), eq(generations.userId, userId)));
  if (!generation?.endedAt) return null;
  const rows = await db.query
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.userId, userId),
        sql`${messages.id} in (${generation.requestId}, ${generation.replyId})`,
        isNull(messages.deletedAt),
      ),
    );
  const request = rows.find((row) => row.id === generation.requestId);
  const reply = rows.find((row) => row.id === generation.replyId);
  if (!request || !reply || generation.convoId === null) refuse({ type: 'not_found', what: 'message' });
  const convo = await readConvo(db, userId, generation.convoId);
  return { type: 'final', request: presentMessage(request), reply: presentMessage(reply), convo };
}

/** Ends an attach to an unknown generation, after `ms`. */
async function refuseUnknown(ms: number, left: AbortSignal): Promise<void> {
  await whenAborted(withDeadline(ms, left));
  if (!left.aborted) refuse({ type: 'not_found', what: 'generation' });
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Reads the seq of an event id; anything invalid starts from the beginning. */
export function lastEventSeq(lastEventId: string | null | undefined): number {
  const seq = /^\d{1,10}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0;
  return seq <= END ? seq : 0;
}
