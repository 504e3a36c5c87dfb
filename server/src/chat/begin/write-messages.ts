// Writes the questions and the replies of asks: new rows, or rows that exist already.
import type { Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { AskInput } from '@parley/schema/chat/ask';
import { cleanText } from '@parley/schema/clean-text';
import { PLAN_CALL, RESEARCH } from '@parley/schema/chat/research';
import { isLoopCall, type Attachment } from '@parley/schema/messages/messages';
import { replySender } from '@parley/schema/catalog/sender';
import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { denyCalls, hasPendingCalls } from '../../agents/settle-calls.ts';
import { isAmong, messagesIn } from '../../convos/rows.ts';
import { attachFiles } from '../../files/attach-files.ts';
import { assertSupports } from '../../messages/capabilities.ts';
import { invalidateSummaries } from '../../messages/invalidate-summaries.ts';
import type { MessageRow } from '../../messages/present.ts';
import { assertMessage } from '../../messages/thread.ts';
import { refuse, type Refusal } from '../../platform/errors.ts';
import { noteSources, pictureContext } from '../../pictures/plan-picture.ts';
import type { Ask } from './ask.ts';

/** Describes an ask as it is written: its reply is empty, or has failed already. */
export interface AskWritten {
  ask: Ask;
  refused: Refusal | null;
}

export interface AskMessages {
  /** Holds the question; for a reply without a parent, the reply itself. */
  request: MessageRow;
  reply: MessageRow;
}

type Rows = Map<string, MessageRow>;
type Target<Kind extends AskInput['target']['kind']> = Extract<AskInput['target'], { kind: Kind }>;

/**
 * Writes the question of each ask, unless it exists already, and its reply. The new rows are written in one statement,
 * in the order of the asks: the order of the rows is the order of their `seq`.
 * @returns the asks with their messages
 * @throws Refusal `not_found` or `conflict`
 */
export async function writeMessages<Asked extends AskWritten>(
  tx: Tx,
  asks: readonly Asked[],
): Promise<(Asked & AskMessages)[]> {
  const rows = await readNamed(tx, asks);
  const added = new Map<string, NewMessage>();
  for (const { ask, refused } of asks) {
    const reply = await planReply(tx, ask, rows, added);
    if (reply) added.set(ask.input.replyId, refused ? failed(reply, refused) : reply);
  }
  for (const row of added.size > 0 ? await insertMessages(tx, [...added.values()]) : []) rows.set(row.id, row);
  for (const { ask } of asks) if (ask.picture) await noteSources(tx, ask.userId, ask.input.replyId, ask.picture);
  return Promise.all(
    asks.map(async (asked) => {
      const reply = found(rows, asked.ask.input.replyId);
      const { parentId } = reply;
      const request = parentId === null ? reply : (rows.get(parentId) ?? (await assertMessage(tx, reply, parentId)));
      return { ...asked, request, reply };
    }),
  );
}

/** Reads the messages that the asks follow, answer again or continue. */
async function readNamed(tx: Tx, asks: readonly AskWritten[]): Promise<Rows> {
  const [first] = asks;
  const ids = asks.flatMap(({ ask }) => namedBy(ask.input.target) ?? []);
  if (!first || ids.length === 0) return new Map();
  const { userId, input } = first.ask;
  const rows = await tx
    .select()
    .from(messages)
    .where(and(messagesIn(userId, input.conversationId), isAmong(messages.id, ids)));
  return new Map(rows.map((row) => [row.id, row]));
}

function namedBy(target: AskInput['target']): string | null {
  return target.kind === 'send' || target.kind === 'regenerate' ? target.parentMessageId : target.messageId;
}

function found(rows: Rows, id: string): MessageRow {
  return rows.get(id) ?? refuse({ type: 'not_found', what: 'message' });
}

/** Plans a new reply's row, whose question is in `added` if it is new; null when a reply in `rows` is opened again. */
async function planReply(tx: Tx, ask: Ask, rows: Rows, added: Map<string, NewMessage>): Promise<NewMessage | null> {
  const { target } = ask.input;
  switch (target.kind) {
    case 'send':
      return planSend(tx, ask, target, { rows, added });
    case 'regenerate': {
      assertSupports(ask.endpoint.type, 'regenerate');
      const request = found(rows, target.parentMessageId);
      if (!request.isCreatedByUser) refuse({ type: 'conflict', text: 'Only a question can be answered' });
      return replyTo(ask, request);
    }
    case 'continue':
    case 'resume': {
      const before = found(rows, target.messageId);
      assertOpens(ask, target, before);
      rows.set(before.id, await reopen(tx, before, ask.input.generationId));
      return null;
    }
    case 'edit':
      return editedSibling(ask, assertReply(ask, found(rows, target.messageId), 'edit'), target.text);
    default:
      return target satisfies never;
  }
}

async function planSend(
  tx: Tx,
  ask: Ask,
  target: Target<'send'>,
  { rows, added }: { rows: Rows; added: Map<string, NewMessage> },
): Promise<NewMessage> {
  const { messageId, parentMessageId, files = [] } = target;
  const parent = parentMessageId === null ? null : found(rows, parentMessageId);
  const depth = parent ? parent.depth + 1 : 0;
  if (!added.has(messageId)) {
    if (parent) await denyWaiting(tx, parent);
    const attached = await attachFiles(tx, ask.userId, messageId, files);
    added.set(messageId, askedQuestion(ask, target, depth, attached));
  }
  return replyTo(ask, { id: messageId, depth });
}

function assertOpens(ask: Ask, target: Target<'continue' | 'resume'>, before: MessageRow): void {
  const isContinued = target.kind === 'continue';
  if (isContinued) assertReply(ask, before, 'continue');
  if (ask.input.replyId !== before.id)
    refuse({ type: 'conflict', text: `A ${isContinued ? 'continued' : 'resumed'} answer keeps its id` });
  if (isContinued && before.finishReason === 'stop' && !target.evenIfComplete)
    refuse({ type: 'conflict', text: 'This answer is complete' });
  if (!isContinued && (before.isCreatedByUser || !hasPendingCalls(before.parts)))
    refuse({ type: 'conflict', text: 'Nothing in this answer waits for a decision' });
  if (!isContinued && isPlanOnly(before) && !ask.input.research?.start && target.decisions[PLAN_CALL] !== 'deny')
    refuse({ type: 'conflict', text: 'A research begins with its plan' });
}

function isPlanOnly({ parts }: MessageRow): boolean {
  return parts.some((part) => isLoopCall(part) && part.call.from?.id === RESEARCH && part.call.state === 'waiting');
}

type NewMessage = typeof messages.$inferInsert;

/** Inserts all rows or none. Reuses the rows of an ask that was refused before. */
async function insertMessages(tx: Tx, rows: readonly NewMessage[]): Promise<MessageRow[]> {
  const inserted = await tx
    .insert(messages)
    .values([...rows])
    .onConflictDoNothing()
    .returning();
  const written = inserted.length === 0 ? await reuseRefused(tx, rows) : inserted;
  if (written.length < rows.length) refuse({ type: 'conflict', text: 'This message id is taken' });
  return written;
}

/**
 * Takes over the rows stored when the same ask was refused. None if the reply does not match: its row names the run it
 * belongs to.
 */
async function reuseRefused(tx: Tx, rows: readonly NewMessage[]): Promise<MessageRow[]> {
  const [reply, ...questions] = rows.toReversed();
  if (!reply?.generationId) return [];
  const fits = and(eq(messages.generationId, reply.generationId), isNotNull(messages.reason));
  const taken = await rewrite(tx, reply, fits);
  const [question] = questions;
  return question && taken.length > 0 ? [...(await rewrite(tx, question)), ...taken] : taken;
}

/** Overwrites an existing message in place. */
function rewrite(tx: Tx, row: NewMessage, fits?: SQL): Promise<MessageRow[]> {
  const { userId, id, convoId, parentId } = row;
  const isBelow = parentId ? eq(messages.parentId, parentId) : isNull(messages.parentId);
  return tx
    .update(messages)
    .set({ reason: null, finishReason: null, ...row, updatedAt: sql`now()` })
    .where(and(messagesIn(userId, convoId), eq(messages.id, id), isBelow, fits))
    .returning();
}

function askedQuestion(
  ask: Ask,
  target: Extract<AskInput['target'], { kind: 'send' }>,
  depth: number,
  attached: readonly Attachment[] = [],
): NewMessage {
  return {
    ...placeOf(ask),
    id: target.messageId,
    parentId: target.parentMessageId,
    depth,
    isCreatedByUser: true,
    sender: 'User',
    parts: [{ type: 'text', text: cleanText(target.text) }, ...attached],
  };
}

function replyTo(ask: Ask, request: { id: string; depth: number }): NewMessage {
  return { ...newReply(ask), parentId: request.id, depth: request.depth + 1, parts: [] };
}

function newReply(ask: Ask) {
  const { input, endpoint, model, settings } = ask;
  const { modelDisplayLabel } = endpoint.config;
  return {
    ...placeOf(ask),
    id: input.replyId,
    isCreatedByUser: false,
    sender: replySender({ endpointType: endpoint.type, model, settings, modelDisplayLabel }),
    unfinished: true,
    generationId: input.generationId,
    ...(ask.picture && { context: pictureContext(ask.picture) }),
  };
}

function failed(reply: NewMessage, { reason }: Refusal): NewMessage {
  return { ...reply, unfinished: false, finishReason: 'incomplete', reason };
}

/** Returns a reply for which both its own endpoint and the requested one support this action. */
function assertReply(ask: Ask, row: MessageRow, deed: 'continue' | 'edit'): MessageRow {
  if (row.isCreatedByUser) refuse({ type: 'conflict', text: 'Only an answer can go on' });
  assertSupports(row.endpointType, deed);
  assertSupports(ask.endpoint.type, deed);
  return row;
}

/** Denies the calls that wait in the reply above when the person asks something else. */
async function denyWaiting(tx: Tx, { userId, id, parts }: MessageRow): Promise<void> {
  if (!parts.some((part) => isLoopCall(part) && part.call.state === 'waiting')) return;
  await tx
    .update(messages)
    .set({ parts: denyCalls(parts), updatedAt: sql`now()` })
    .where(and(eq(messages.userId, userId), eq(messages.id, id)));
}

/** Reopens the same reply; its usage stays, so that new usage is added to it. */
async function reopen(tx: Tx, before: MessageRow, generationId: string): Promise<MessageRow> {
  await invalidateSummaries(tx, before);
  const [row] = await tx
    .update(messages)
    .set({ unfinished: true, finishReason: null, reason: null, generationId, updatedAt: sql`now()` })
    .where(and(eq(messages.userId, before.userId), eq(messages.id, before.id)))
    .returning();
  return row ?? refuse({ type: 'not_found', what: 'message' });
}

/** Makes a new sibling of an edited reply, which begins with the edited text. */
function editedSibling(ask: Ask, { parentId, depth }: MessageRow, text: string): NewMessage {
  return { ...newReply(ask), parentId, depth, parts: [{ type: 'text', text: cleanText(text) }], isEdited: true };
}

function placeOf({ userId, input, endpoint, model }: Ask) {
  return { userId, convoId: input.conversationId, endpoint: endpoint.name, endpointType: endpoint.type, model };
}
