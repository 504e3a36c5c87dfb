// The beginning of an exchange: everything that is asked becomes durable in one transaction, and only then a provider
// hears of it.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { earlyStops, generations } from '@parley/db/tables/generations';
import type { AskInput } from '@parley/schema/ask';
import type { CreatedEvent } from '@parley/schema/events';
import { and, eq, sql } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { presentConvo, type ConvoRow } from '../convos/present.ts';
import { refuse } from '../errors.ts';
import type { Reservation, Reserve } from '../money/money.ts';
import { findGeneration, readBegun, type GenerationRow } from './begun.ts';
import { LEASE_SECONDS } from './log-store.ts';
import { openMessages, type Ask } from './open-messages.ts';
import { presentMessage, type MessageRow } from './present.ts';
import { pricedAt } from './usage.ts';

export interface Begun {
  created: CreatedEvent;
  /** False when the same ask had begun before: then nobody has to run it. */
  fresh: boolean;
  stopRequested: boolean;
  /** What was set aside for it; null where nothing is charged. */
  reserved: Reservation | null;
  /** Whether the conversation waits for a title, as after its first exchange. */
  untitled: boolean;
}

/** What an ask must pass inside its transaction, where alone it is exact. */
export interface Gate {
  /** Throws Refusal `concurrent` when its user has as many runs as are allowed. */
  assertRoom(tx: Tx): Promise<void>;
  /** Throws Refusal `token_balance`. */
  reserve: Reserve;
}

/**
 * Writes the conversation if it is new, the question, the reply that is to be written and the generation. The same ids
 * again give what was written the first time: that passes no gate.
 * @throws Refusal `not_found`, `conflict`, `concurrent` or `token_balance`
 */
export async function beginExchange(db: Db, ask: Ask, gate: Gate): Promise<Begun> {
  return db.query.transaction(async (tx) => {
    // What is asked for together is sent together and done in this order: fewer trips while the user's row is locked.
    const [changeSeq, generation, before, stopRequested] = await Promise.all([
      nextChange(tx, ask.userId),
      findGeneration(tx, ask.input.generationId),
      findConvo(tx, ask.userId, ask.input.conversationId),
      takeEarlyStop(tx, ask),
    ]);
    if (generation) return again(tx, ask, generation);
    await gate.assertRoom(tx);
    const [convo, { request, reply }] = await Promise.all([
      openConvo(tx, ask, before, changeSeq),
      openMessages(tx, ask),
    ]);
    const reserved = await gate.reserve(tx);
    await insertGeneration(tx, ask, request, { stopRequested, reserved });
    const created: CreatedEvent = {
      type: 'created',
      request: presentMessage(request),
      reply: presentMessage(reply),
      convo: presentConvo(convo),
    };
    return { created, fresh: true, stopRequested, reserved, untitled: convo.titledBy === null };
  });
}

/** What was written when the same was asked the first time. */
async function again(tx: Tx, { userId, input }: Ask, generation: GenerationRow): Promise<Begun> {
  if (generation.userId !== userId || generation.replyId !== input.replyId)
    refuse({ type: 'conflict', text: 'This generation id is taken' });
  const created = await readBegun(tx, generation);
  return { created, fresh: false, stopRequested: false, reserved: null, untitled: false };
}

async function findConvo(tx: Tx, userId: string, id: string): Promise<ConvoRow | undefined> {
  const [row] = await tx
    .select()
    .from(convos)
    .where(and(eq(convos.userId, userId), eq(convos.id, id)));
  return row;
}

/** The conversation, marked as running. A deleted one is not brought back by a late send, an archived one is. */
async function openConvo(tx: Tx, ask: Ask, before: ConvoRow | undefined, changeSeq: number): Promise<ConvoRow> {
  const { userId, input, endpoint, model, settings } = ask;
  if (before?.deletedAt) refuse({ type: 'not_found', what: 'convo' });
  if (before?.running) refuse({ type: 'concurrent', limit: 1 });
  const chat = {
    endpoint: endpoint.name,
    endpointType: endpoint.type,
    model,
    settings,
    running: input.generationId,
    isArchived: false,
    changeSeq,
    messagesSeq: changeSeq,
  };
  const [row] = before
    ? await tx
        .update(convos)
        .set({ ...chat, updatedAt: sql`now()` })
        .where(and(eq(convos.userId, userId), eq(convos.id, input.conversationId)))
        .returning()
    : await tx
        .insert(convos)
        .values({ userId, id: assertNew(input), ...chat })
        .returning();
  return row ?? refuse({ type: 'not_found', what: 'convo' });
}

/** Only a first send makes a conversation: everything else speaks of one that is gone. */
function assertNew({ conversationId, target }: AskInput): string {
  const isFirst = target.kind === 'send' && target.parentMessageId === null;
  return isFirst ? conversationId : refuse({ type: 'not_found', what: 'convo' });
}

/** Whether the stop was quicker than the ask. */
async function takeEarlyStop(tx: Tx, { userId, input }: Ask): Promise<boolean> {
  const early = await tx
    .delete(earlyStops)
    .where(and(eq(earlyStops.userId, userId), eq(earlyStops.generationId, input.generationId)))
    .returning();
  return early.length > 0;
}

async function insertGeneration(
  tx: Tx,
  ask: Ask,
  request: MessageRow,
  { stopRequested, reserved }: { stopRequested: boolean; reserved: Reservation | null },
): Promise<void> {
  const { userId, owner, input, endpoint, model } = ask;
  await tx.insert(generations).values({
    id: input.generationId,
    userId,
    convoId: input.conversationId,
    requestId: request.id,
    replyId: input.replyId,
    kind: input.target.kind,
    endpoint: endpoint.name,
    model,
    owner,
    leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})`,
    stopRequested,
    reservation: reserved?.credits,
    // Whoever settles it after this process has died has nothing else to go by.
    usage: reserved && pricedAt(ask.facts.rates, { input: reserved.promptTokens, output: 0, estimated: true }),
  });
}
