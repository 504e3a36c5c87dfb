// Writes an ask in one transaction: everything is durable before the provider is called.
import type { Db, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { INVALID_ID } from '@parley/schema/ids';
import { nextChangeOfAsker } from '../convos/changes.ts';
import { presentConvo } from '../convos/present.ts';
import { refuse } from '../platform/errors.ts';
import type { Reserve } from '../billing/reservation.ts';
import { findGeneration, readExisting, type GenerationRow } from './existing-ask.ts';
import { writeAskMessages, type Ask, type AskResult } from './ask-messages.ts';
import { beginSend } from './begin-send.ts';
import { newGeneration, takeEarlyStops, type Begun } from './begin/new-generation.ts';
import { findConvo, openConvo } from './begin/open-convo.ts';
import { presentMessage, type MessageRow } from '../messages/present.ts';
import { removeEntries } from '../search/temporary.ts';

/** The checks that are exact only inside the transaction; null where there is nothing to check. */
export interface TransactionChecks {
  /** Throws Refusal `concurrent` when its user has as many runs as are allowed. */
  assertConcurrency: ((tx: Tx, userId: string, count?: number) => Promise<void>) | null;
  /** Throws Refusal `token_balance`, `budget` or `credits_reserved`. */
  reserve: Reserve | null;
}

/**
 * Writes the conversation if it is new, the question, the empty reply and the generation. Idempotent: the same ids
 * again return the rows of the first time, without any check.
 * @throws Refusal `not_found`, `conflict`, `invalid_input`, `concurrent`, `token_balance`, `budget`, `credits_reserved`, `banned` or `unauthorized`
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

/** Whether a stop arrived before the ask. */
async function takeEarlyStop(tx: Tx, { userId, input }: Ask): Promise<boolean> {
  return (await takeEarlyStops(tx, userId, [input.generationId])).length > 0;
}

async function insertGeneration(
  tx: Tx,
  ask: Ask,
  request: MessageRow,
  { stopRequested, reserved }: Begun,
): Promise<void> {
  await tx.insert(generations).values(newGeneration(ask, request.id, { stopRequested, reserved }));
}
