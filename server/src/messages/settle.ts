// Finishing what a process that died left behind. Nobody is asked whether it is dead: its lease has ended, so whoever
// sees that first takes the run over, folds its log and saves the reply.
import type { Db } from '@parley/db/client';
import { generationEvents, generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import type { Entry } from '@parley/schema/events';
import { fold } from '@parley/schema/fold';
import type { Message } from '@parley/schema/messages';
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { setAside } from '../money/balances.ts';
import { finishRun } from './finish.ts';
import { LEASE_SECONDS } from './log-store.ts';
import { presentMessage } from './present.ts';
import { addUsage, usedBy } from './usage.ts';

const BATCH = 50;
/** Each time that a run is taken over and cannot be settled, it is left alone for twice as long, up to this. Seconds. */
const LONGEST_LEASE = 120;

/**
 * Settles every run whose lease has ended, and tells how many there were. Safe to call from many processes at once.
 * One that cannot be settled keeps no other from it: its error is thrown when all have had their turn. `living` are the
 * runs of this process: after an outage their leases have ended, and yet they go on.
 */
export async function settleOrphans(db: Db, owner: string, living: readonly string[] = []): Promise<number> {
  let settled = 0;
  const faults: unknown[] = [];
  for (;;) {
    const orphans = await takeOver(db, owner, living);
    for (const orphan of orphans) await settle(db, owner, orphan).catch((error: unknown) => faults.push(error));
    settled += orphans.length;
    if (orphans.length === BATCH) continue;
    if (faults.length > 0) throw faults[0];
    return settled;
  }
}

interface Orphan {
  id: string;
  user_id: string;
  reply_id: string;
  epoch: number;
}

async function takeOver({ sql: plain }: Db, owner: string, living: readonly string[]): Promise<Orphan[]> {
  return plain<Orphan[]>`
    update generations
    set owner = ${owner}, epoch = epoch + 1,
      lease_until = now() + make_interval(secs => least(${LEASE_SECONDS} * power(2, least(epoch, 10) - 1), ${LONGEST_LEASE}))
    where id in (
      select id from generations where ended_at is null and lease_until < now() and id <> all(${[...living]}::uuid[])
      order by lease_until limit ${BATCH} for update skip locked
    )
    returning id, user_id, reply_id, epoch`;
}

async function settle(db: Db, owner: string, orphan: Orphan): Promise<void> {
  const { id: generationId, user_id: userId, epoch } = orphan;
  const [row] = await db.query
    .select()
    .from(messages)
    .where(and(eq(messages.userId, userId), eq(messages.id, orphan.reply_id)));
  if (!row) {
    await endWithoutReply(db, generationId);
    return;
  }
  const entries = await readEntries(db, generationId, 0);
  const before = presentMessage(row);
  const reply = interrupted(foldAll(before, entries));
  const used = usedBy(before, reply);
  const usage = addUsage(before.usage, used);
  await finishRun(db, { generationId, userId, owner, epoch }, { ...reply, usage }, used);
}

/** Its conversation was deleted for good meanwhile: nothing is left to save or to pay for. */
async function endWithoutReply({ query }: Db, generationId: string): Promise<void> {
  await query.transaction(async (tx) => {
    const [ended] = await tx
      .update(generations)
      .set({ endedAt: sql`now()` })
      .where(and(eq(generations.id, generationId), isNull(generations.endedAt)))
      .returning();
    if (ended?.reservation) await setAside(tx, ended.userId, -ended.reservation);
  });
}

/** The written log of a generation after `afterSeq`, in order. */
export async function readEntries({ query }: Db, generationId: string, afterSeq: number): Promise<Entry[]> {
  return query
    .select({ seq: generationEvents.seq, event: generationEvents.event })
    .from(generationEvents)
    .where(and(eq(generationEvents.generationId, generationId), gt(generationEvents.seq, afterSeq)))
    .orderBy(asc(generationEvents.seq));
}

/** The reply as far as the entries tell it. */
export function foldAll(reply: Message, entries: readonly Entry[]): Message {
  let told = reply;
  try {
    for (const { event } of entries) if (event.type !== 'created') told = fold(told, event);
  } catch {
    // A damaged row must leave neither the conversation closed nor the reply unfinished for ever.
  }
  return told;
}

function interrupted(reply: Message): Message {
  return { ...reply, unfinished: true, finishReason: 'incomplete', reason: { type: 'interrupted' } };
}

/** Stop marks whose ask never came, and log rows whose generation has ended or is gone, are of no use after a while. */
export async function sweepGenerations({ sql: plain }: Db): Promise<void> {
  await plain`delete from early_stops where created_at < now() - interval '1 hour'`;
  await plain`
    delete from generation_events e where not exists (
      select from generations g
      where g.id = e.generation_id and (g.ended_at is null or g.ended_at > now() - interval '1 minute')
    )`;
}
