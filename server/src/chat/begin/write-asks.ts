// Writes asks in one transaction: everything is durable before a provider is called.
import type { Db, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import type { Column } from '@parley/schema/chat/columns';
import type { CreatedEvent } from '@parley/schema/generation/events';
import type { Reservation } from '../../billing/reservation.ts';
import { nextChangeOfAsker } from '../../convos/changes.ts';
import { presentConvo, type ConvoRow } from '../../convos/present.ts';
import { presentMessage } from '../../messages/present.ts';
import { Refusal } from '../../platform/errors.ts';
import { beginResearch } from '../../research/rows.ts';
import { removeEntries } from '../../search/temporary.ts';
import type { Ask, AskResult } from './ask.ts';
import { findExisting } from './existing-asks.ts';
import { newGeneration, takeEarlyStops } from './beginning-runs.ts';
import { findConvo, openConvo } from './open-convo.ts';
import { skillsOfAsk } from './skills-of-ask.ts';
import type { Permit } from './permit.ts';
import type { ResolvedAsk } from './resolve-asks.ts';
import { writeMessages, type AskMessages, type AskWritten } from './write-messages.ts';
import { writeSend } from './write-send.ts';

type AskToWrite = Pick<ResolvedAsk, 'ask' | 'refusal'>;

/**
 * Writes the conversation if it is new, the questions, and the reply of each ask: empty with its run, or failed.
 * Idempotent: the same ids again return the rows of the first time, without any check. `permit` is of the asks that are
 * not refused.
 * @returns the result of each ask, in their order; those that failed are not new
 * @throws Refusal `not_found`, `conflict`, `invalid_input`, `concurrent`, `banned`, `unauthorized`, or of the first ask
 * where all are refused
 */
export async function writeAsks(
  db: Db,
  userId: string,
  asks: readonly AskToWrite[],
  permit: Permit | null,
): Promise<AskResult[]> {
  const [first, ...others] = asks;
  const sent = first && others.length === 0 && !permit ? await writeSend(db, first.ask) : null;
  return sent ? [sent] : db.query.transaction((tx) => writeChecked(tx, userId, asks, permit));
}

async function writeChecked(
  tx: Tx,
  userId: string,
  asks: readonly AskToWrite[],
  permit: Permit | null,
): Promise<AskResult[]> {
  const inputs = asks.map(({ ask }) => ask.input);
  const ids = inputs.map(({ generationId }) => generationId);
  // Pipelined: sent together and run in this order, which saves round trips while the user's row is locked.
  const [{ seq: changeSeq, asker }, existing, before, stopped] = await Promise.all([
    nextChangeOfAsker(tx, userId, asks.length === 1 && asks[0] ? skillsOfAsk(asks[0].ask) : null),
    findExisting(tx, userId, inputs),
    findConvo(tx, userId, inputs[0]?.conversationId ?? ''),
    takeEarlyStops(tx, userId, ids),
  ]);
  if (existing) return existing.map((created) => ({ ...NOT_STARTED, created }));
  const permitted = await permitEach(tx, asks, permit);
  const first = permitted.find(({ refused }) => !refused);
  if (!first) throw permitted[0]?.refused ?? new Error('Nothing is asked');
  const isCompared = asks.length > 1;
  const [convo, written] = await Promise.all([
    openConvo(tx, first.ask, before, changeSeq, isCompared ? comparisonOf(permitted) : {}),
    writeMessages(tx, permitted),
  ]);
  const groupId = isCompared ? first.ask.input.generationId : undefined;
  const isStopped = ({ input }: Ask) => stopped.includes(input.generationId);
  const begun = written.flatMap(({ ask, request, reserved, refused }) =>
    refused ? [] : [newGeneration(ask, request.id, { stopRequested: isStopped(ask), reserved, groupId })],
  );
  await tx.insert(generations).values(begun);
  await beginResearches(tx, written);
  if (convo.temporaryUntil !== null) await removeEntries(tx, userId, convo.id);
  return written.map((one) => {
    const created = createdOf(one, convo);
    if (one.refused) return { ...NOT_STARTED, created };
    // One title, however many models answer.
    const untitled = one.ask === first.ask && convo.titledBy === null;
    const { reserved } = one;
    return { created, asker, written: null, isNew: true, stopRequested: isStopped(one.ask), reserved, untitled };
  });
}

/** Most asks are for none. */
async function beginResearches(tx: Tx, asks: readonly (AskWritten & AskMessages)[]): Promise<void> {
  for (const { ask, request, refused } of asks)
    if (ask.input.research && !refused) await beginResearch(tx, ask.userId, ask.input, request.id);
}

function createdOf({ request, reply }: AskMessages, convo: ConvoRow): CreatedEvent {
  return {
    type: 'created',
    request: presentMessage(request),
    reply: presentMessage(reply),
    convo: presentConvo(convo),
  };
}

interface PermittedAsk extends AskWritten {
  reserved: Reservation | null;
}

/** What is not covered fails alone. */
async function permitEach(tx: Tx, asks: readonly AskToWrite[], permit: Permit | null): Promise<PermittedAsk[]> {
  const permitted = (await permit?.(tx)) ?? [];
  return asks.map(({ ask, refusal }) => {
    const result = refusal ?? permitted.shift() ?? null;
    return result instanceof Refusal
      ? { ask, reserved: null, refused: result }
      : { ask, reserved: result, refused: null };
  });
}

/** Collects what the conversation keeps of a question to several models. */
function comparisonOf(asks: readonly PermittedAsk[]): { runsLeft: number; columns: Column[] } {
  const columns = asks.map(({ ask: { input, endpoint, model, settings } }) => ({
    endpoint: endpoint.name,
    model,
    settings,
    replyId: input.replyId,
  }));
  return { runsLeft: asks.filter(({ refused }) => !refused).length, columns };
}

const NOT_STARTED = {
  asker: {},
  written: null,
  isNew: false,
  stopRequested: false,
  reserved: null,
  untitled: false,
} as const;
