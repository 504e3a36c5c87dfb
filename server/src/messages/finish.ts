// The end of a run: its reply saved, its log gone, its conversation free again, all at once or not at all.
import { pgCodeOf, type Db, type Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { generationEvents, generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import type { FinalEvent } from '@parley/schema/events';
import type { Message, Usage } from '@parley/schema/messages';
import type { Upstream, UpstreamIds } from '@parley/schema/upstream';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { presentConvo } from '../convos/present.ts';
import { settleReservation } from '../money/settle-reservation.ts';
import { presentMessage } from './present.ts';
import { guessUsage } from './usage.ts';

export interface RunKey {
  generationId: string;
  userId: string;
  owner: string;
  epoch: number;
}

/**
 * Saves the reply and ends its generation as `finishWith` does. Where the database takes none of it for its values, which
 * would be so for ever, it ends as one whose provider told nothing.
 */
export async function finishRun(
  db: Db,
  key: RunKey,
  reply: Message,
  used: Usage,
  upstream: Upstream | null = null,
): Promise<FinalEvent | null> {
  try {
    return await finishWith(db, key, reply, used, upstream);
  } catch (error) {
    if (!isOfValues(error)) throw error;
    return finishWith(db, key, { ...reply, usage: null }, guessUsage(reply), upstream);
  }
}

/** A number out of range or of another type, or one that a rule of the table forbids. */
function isOfValues(error: unknown): boolean {
  const code = pgCodeOf(error);
  return code === '23514' || code?.startsWith('22') === true;
}

/**
 * Saves the reply, whose usage is that of all runs that wrote it, with what its provider told of a conversation of its
 * own, and ends the generation, which used `used` and is paid for that. Null when the run is not this owner's any more:
 * then nothing is written.
 */
async function finishWith(
  db: Db,
  key: RunKey,
  reply: Message,
  used: Usage,
  upstream: Upstream | null,
): Promise<FinalEvent | null> {
  return db.query.transaction(async (tx) => {
    // What is asked for together is sent together and done in this order: fewer trips while the user's row is locked.
    const [changeSeq, generation] = await Promise.all([
      nextChange(tx, key.userId),
      endGeneration(tx, key, reply.reason, used),
    ]);
    if (!generation) return null;
    const [saved, convo, request] = await Promise.all([
      saveReply(tx, key.userId, reply, upstream),
      freeConvo(tx, key, generation.convoId, { changeSeq, upstream: upstream?.ids ?? null }),
      readMessage(tx, key.userId, generation.requestId),
      tx.delete(generationEvents).where(eq(generationEvents.generationId, key.generationId)),
      settleReservation(tx, key.userId, generation, reply, used),
    ]);
    return saved && convo && request ? { type: 'final', request, reply: saved, convo } : null;
  });
}

/** What was written before this update: a query inside its answer still sees that. Only asked where it is paid for. */
const EXPECTED = sql<Usage | null>`case when generations.reservation is not null
  then (select before.usage from generations before where before.id = generations.id) end`.mapWith(generations.usage);

async function endGeneration(tx: Tx, { generationId, owner, epoch }: RunKey, reason: Message['reason'], usage: Usage) {
  const [row] = await tx
    .update(generations)
    .set({ endedAt: sql`now()`, usage, reason })
    .where(
      and(
        eq(generations.id, generationId),
        eq(generations.owner, owner),
        eq(generations.epoch, epoch),
        isNull(generations.endedAt),
      ),
    )
    .returning({
      id: generations.id,
      convoId: generations.convoId,
      requestId: generations.requestId,
      model: generations.model,
      reservation: generations.reservation,
      expected: EXPECTED,
    });
  return row;
}

async function saveReply(tx: Tx, userId: string, reply: Message, upstream: Upstream | null): Promise<Message | null> {
  const { parts, finishReason, reason, unfinished, usage, context, isEdited } = reply;
  const [row] = await tx
    .update(messages)
    .set({
      parts,
      finishReason,
      reason,
      unfinished,
      usage,
      context,
      isEdited,
      upstream,
      tokenCount: usage?.output ?? null,
      updatedAt: sql`now()`,
    })
    .where(and(eq(messages.userId, userId), eq(messages.id, reply.messageId)))
    .returning();
  return row ? presentMessage(row) : null;
}

/** A conversation deleted meanwhile stays deleted; its row is only set free. */
async function freeConvo(
  tx: Tx,
  { userId, generationId }: RunKey,
  convoId: string,
  { changeSeq, upstream }: { changeSeq: number; upstream: UpstreamIds | null },
) {
  const [row] = await tx
    .update(convos)
    .set({
      running: sql`case when ${convos.running} = ${generationId} then null else ${convos.running} end`,
      upstream,
      changeSeq,
      messagesSeq: changeSeq,
      updatedAt: sql`now()`,
    })
    .where(and(eq(convos.userId, userId), eq(convos.id, convoId)))
    .returning();
  return row ? presentConvo(row) : null;
}

async function readMessage(tx: Tx, userId: string, id: string): Promise<Message | null> {
  const [row] = await tx
    .select()
    .from(messages)
    .where(and(eq(messages.userId, userId), eq(messages.id, id)));
  return row ? presentMessage(row) : null;
}
