// Writes an ask in one transaction: everything is durable before the provider is called.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { earlyStops, generations } from '@parley/db/tables/generations';
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { and, eq, sql } from 'drizzle-orm';
import { nextChangeOfAsker } from '../convos/changes.ts';
import { endOfNew, endOfShown } from '../convos/temporary.ts';
import { presentConvo, type ConvoRow } from '../convos/present.ts';
import { INVALID_ID } from '@parley/schema/ids';
import { refuse } from '../platform/errors.ts';
import type { Reserve } from '../billing/billing.ts';
import type { Reservation } from '../billing/reservation.ts';
import { findGeneration, readExisting, type GenerationRow } from './existing-ask.ts';
import { LEASE_SECONDS } from './log-store.ts';
import { writeAskMessages, type Ask, type AskResult } from './ask-messages.ts';
import { ownFolder } from '../folders/folders.ts';
import { beginSend } from './begin-send.ts';
import { presentMessage, type MessageRow } from '../messages/present.ts';
import { expectedUsage } from '../billing/usage.ts';
import { removeEntries } from '../search/temporary.ts';

/** The checks that are exact only inside the transaction; null where there is nothing to check. */
export interface TransactionChecks {
  /** Throws Refusal `concurrent` when its user has as many runs as are allowed. */
  assertConcurrency: ((tx: Tx, userId: string) => Promise<void>) | null;
  /** Throws Refusal `token_balance` or `budget`. */
  reserve: Reserve | null;
}

/**
 * Writes the conversation if it is new, the question, the empty reply and the generation. Idempotent: the same ids
 * again return the rows of the first time, without any check.
 * @throws Refusal `not_found`, `conflict`, `invalid_input`, `concurrent`, `token_balance`, `budget`, `banned` or `unauthorized`
 */
export async function beginExchange(db: Db, ask: Ask, checks: TransactionChecks): Promise<AskResult> {
  const { target, isTemporary, keeps, keepsModel } = ask.input;
  const isUnchecked = !checks.assertConcurrency && !checks.reserve;
  const begun =
    isUnchecked && target.kind === 'send' && !target.files?.length && !isTemporary && !keeps && !keepsModel
      ? await beginSend(db, ask, target)
      : null;
  return begun ?? beginChecked(db, ask, checks);
}

function beginChecked(db: Db, ask: Ask, checks: TransactionChecks): Promise<AskResult> {
  return db.query.transaction(async (tx) => {
    // Pipelined: sent together and run in this order, which saves round trips while the user's row is locked.
    const [changeSeq, generation, before, stopRequested] = await Promise.all([
      nextChangeOfAsker(tx, ask.userId),
      findGeneration(tx, ask.input.generationId),
      findConvo(tx, ask.userId, ask.input.conversationId),
      takeEarlyStop(tx, ask),
    ]);
    if (generation) return replay(tx, ask, generation);
    await checks.assertConcurrency?.(tx, ask.userId);
    const [convo, { request, reply }] = await Promise.all([
      openConvo(tx, ask, before, changeSeq),
      writeAskMessages(tx, ask),
    ]);
    if (convo.temporaryUntil !== null) await removeEntries(tx, ask.userId, convo.id);
    const reserved = checks.reserve && (await checks.reserve(tx));
    await insertGeneration(tx, ask, request, { stopRequested, reserved });
    const created: CreatedEvent = {
      type: 'created',
      request: presentMessage(request),
      reply: presentMessage(reply),
      convo: presentConvo(convo),
    };
    return { created, written: null, isNew: true, stopRequested, reserved, untitled: convo.titledBy === null };
  });
}

/**
 * Returns the rows written when the same ask first arrived. An id that belongs to something else is refused like one
 * that is no id at all: run ids are unique across users, and nobody shall learn of another user's.
 */
async function replay(tx: Tx, { userId, input }: Ask, generation: GenerationRow): Promise<AskResult> {
  if (generation.userId !== userId || generation.replyId !== input.replyId)
    refuse({ type: 'invalid_input', text: INVALID_ID });
  const created = await readExisting(tx, generation);
  return { created, written: null, isNew: false, stopRequested: false, reserved: null, untitled: false };
}

async function findConvo(tx: Tx, userId: string, id: string): Promise<ConvoRow | undefined> {
  const [row] = await tx
    .select()
    .from(convos)
    .where(and(eq(convos.userId, userId), eq(convos.id, id)));
  return row;
}

/**
 * Opens the conversation and marks it as running. A late send does not restore a deleted conversation; it does
 * unarchive an archived one.
 */
async function openConvo(tx: Tx, ask: Ask, before: ConvoRow | undefined, changeSeq: number): Promise<ConvoRow> {
  const { userId, input, endpoint, model, settings, kept } = ask;
  if (before && !isOpen(before)) refuse({ type: 'not_found', what: 'convo' });
  if (before?.running) refuse({ type: 'concurrent', limit: 1 });
  const next = kept ?? { endpoint: endpoint.name, endpointType: endpoint.type, model, settings };
  const keepsOwn = input.keepsModel || (input.keeps && !kept);
  const chat = {
    running: input.generationId,
    isArchived: false,
    changeSeq,
    messagesSeq: changeSeq,
  };
  const [row] = before
    ? await tx
        .update(convos)
        .set({ ...chat, ...(!keepsOwn && next), temporaryUntil: endOfShown(), updatedAt: sql`now()` })
        .where(and(eq(convos.userId, userId), eq(convos.id, input.conversationId)))
        .returning()
    : await tx
        .insert(convos)
        .values({ userId, id: assertNew(input), ...placeOfNew(userId, input), ...next, ...chat })
        .returning();
  return row ?? refuse({ type: 'not_found', what: 'convo' });
}

function isOpen({ deletedAt, temporaryUntil }: ConvoRow): boolean {
  return deletedAt === null && (temporaryUntil === null || Date.parse(temporaryUntil) > Date.now());
}

/** A temporary conversation is in no folder. */
function placeOfNew(userId: string, { folderId, isTemporary }: AskInput) {
  return {
    folderId: ownFolder(userId, isTemporary ? null : folderId),
    temporaryUntil: endOfNew(isTemporary),
  };
}

/** Only a first send creates a conversation: any other target refers to one that is gone. */
function assertNew({ conversationId, target }: AskInput): string {
  const isFirst = target.kind === 'send' && target.parentMessageId === null;
  return isFirst ? conversationId : refuse({ type: 'not_found', what: 'convo' });
}

/** Whether a stop arrived before the ask. */
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
    reservation: reserved?.isOfBalance ? reserved.credits : null,
    budgeted: reserved?.isOfBudget ? reserved.credits : null,
    // If this process dies, recovery has only this to charge by.
    usage: expectedUsage(ask.metadata.rates, reserved),
  });
}
