// Writes a question to several models in one transaction: everything is durable before a provider is called.
import type { Db, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import type { CreatedEvent } from '@parley/schema/generation/events';
import type { Column } from '@parley/schema/chat/columns';
import type { Reason } from '@parley/schema/reasons';
import type { Billing } from '../../billing/billing.ts';
import type { Quoted } from '../../billing/quote.ts';
import type { Reservation } from '../../billing/reservation.ts';
import { nextChangeOfAsker } from '../../convos/changes.ts';
import { presentConvo } from '../../convos/present.ts';
import { presentMessage } from '../../messages/present.ts';
import { Refusal } from '../../platform/errors.ts';
import { removeEntries } from '../../search/temporary.ts';
import type { Ask, AskResult } from '../ask-messages.ts';
import { newGeneration, takeEarlyStops } from '../begin/new-generation.ts';
import { findConvo, openConvo } from '../begin/open-convo.ts';
import type { TransactionChecks } from '../begin-exchange.ts';
import { writeColumnMessages } from './column-messages.ts';
import { findExistingColumns } from './existing-columns.ts';

/** A column before its transaction: what it may cost, or why it was refused by itself. */
export interface AskedColumn {
  ask: Ask;
  quoted: Quoted | null;
  refusal: Refusal | null;
}

interface ColumnChecks extends Pick<TransactionChecks, 'assertConcurrency'> {
  reserveEach: Billing['reserveEach'];
}

interface ReservedColumn {
  ask: Ask;
  reserved: Reservation | null;
  refused: Reason | null;
}

/**
 * Writes the conversation if it is new, the question or the questions, and a reply of each column: empty with its run,
 * or failed. Idempotent as `beginExchange` is. Only where every column is refused is the question.
 * @returns the result of each column, in their order; those that failed are not new
 */
export async function beginMany(
  db: Db,
  userId: string,
  columns: readonly AskedColumn[],
  { assertConcurrency, reserveEach }: ColumnChecks,
): Promise<AskResult[]> {
  const inputs = columns.map(({ ask }) => ask.input);
  const ids = inputs.map(({ generationId }) => generationId);
  const conversationId = inputs[0]?.conversationId ?? '';
  return db.query.transaction(async (tx) => {
    // Pipelined: sent together and run in this order, which saves round trips while the user's row is locked.
    const [changeSeq, existing, before, stopped] = await Promise.all([
      nextChangeOfAsker(tx, userId),
      findExistingColumns(tx, userId, inputs),
      findConvo(tx, userId, conversationId),
      takeEarlyStops(tx, userId, ids),
    ]);
    if (existing) return existing.map((created) => resultOf(created, null, false));
    await assertConcurrency?.(tx, userId, columns.filter(({ refusal }) => !refusal).length);
    const reserved = await reserveAll(tx, columns, reserveEach);
    const running = reserved.filter(({ refused }) => !refused);
    const [first] = running;
    if (!first) throw firstRefusal(columns, reserved);
    const more = { runsLeft: running.length, columns: columns.map(({ ask }) => columnOf(ask)) };
    const groupId = first.ask.input.generationId;
    const isStopped = ({ input }: Ask) => stopped.includes(input.generationId);
    const begun = running.map(({ ask, ...column }) =>
      newGeneration(ask, questionId(ask), { stopRequested: isStopped(ask), reserved: column.reserved, groupId }),
    );
    // Pipelined as well: nothing of them depends on what another returns.
    const [convo, written] = await Promise.all([
      openConvo(tx, first.ask, before, changeSeq, more),
      writeColumnMessages(tx, reserved),
      tx.insert(generations).values(begun),
    ]);
    if (convo.temporaryUntil !== null) await removeEntries(tx, userId, convo.id);
    const shown = presentConvo(convo);
    return written.map(({ request, reply }, place) => {
      const column = reserved[place];
      const created = { type: 'created', request: presentMessage(request), reply: presentMessage(reply) } as const;
      const result = resultOf({ ...created, convo: shown }, column?.reserved ?? null, !column?.refused);
      const isFirst = column === first;
      const stopRequested = column !== undefined && isStopped(column.ask);
      // One title, however many models answer.
      return { ...result, stopRequested, untitled: isFirst && convo.titledBy === null };
    });
  });
}

/** What a column answers: a new question, or one that is there. */
function questionId({ input: { target, replyId } }: Ask): string {
  if (target.kind === 'send') return target.messageId;
  return target.kind === 'regenerate' ? target.parentMessageId : replyId;
}

function resultOf(created: CreatedEvent, reserved: Reservation | null, isNew: boolean): AskResult {
  return { created, written: null, isNew, stopRequested: false, reserved, untitled: false };
}

function columnOf({ input, endpoint, model, settings }: Ask): Column {
  return { endpoint: endpoint.name, model, settings, replyId: input.replyId };
}

/** One that is not covered fails alone. */
async function reserveAll(
  tx: Tx,
  columns: readonly AskedColumn[],
  reserveEach: ColumnChecks['reserveEach'],
): Promise<ReservedColumn[]> {
  const limited = columns.flatMap(({ quoted, refusal }) => (quoted && !refusal ? [quoted] : []));
  const results = limited.length > 0 ? await reserveEach(tx, limited) : [];
  return columns.map(({ ask, quoted, refusal }) => {
    const result = refusal ?? (quoted && results[limited.indexOf(quoted)]) ?? null;
    return result instanceof Refusal
      ? { ask, reserved: null, refused: result.reason }
      : { ask, reserved: result, refused: null };
  });
}

function firstRefusal(columns: readonly AskedColumn[], reserved: readonly ReservedColumn[]): Refusal {
  const known = columns.find(({ refusal }) => refusal)?.refusal;
  const reason = reserved.find(({ refused }) => refused)?.refused;
  return known ?? new Refusal(reason ?? { type: 'unknown', text: 'Nobody was asked' });
}
