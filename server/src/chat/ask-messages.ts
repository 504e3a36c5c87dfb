// Writes the question and the reply of an ask: new rows, or rows that exist already.
import type { Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { AskInput } from '@parley/schema/chat/ask';
import { cleanText } from '@parley/schema/clean-text';
import type { CreatedEvent } from '@parley/schema/generation/events';
import type { Settings } from '@parley/schema/catalog/params';
import { isLoopCall, type Attachment } from '@parley/schema/messages/messages';
import { replySender } from '@parley/schema/catalog/sender';
import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { denyCalls, hasPendingCalls } from '../agents/settle-calls.ts';
import type { RespondingAssistant } from '../assistants/find-responder.ts';
import type { Reservation } from '../billing/reservation.ts';
import type { Endpoint } from '../catalog/endpoint.ts';
import type { ConvoRow } from '../convos/present.ts';
import type { ModelMetadata } from '../providers/model-metadata.ts';
import { refuse } from '../platform/errors.ts';
import { attachFiles } from '../files/attach-files.ts';
import { assertSupports } from '../messages/capabilities.ts';
import { invalidateSummaries } from '../messages/invalidate-summaries.ts';
import type { MessageRow } from '../messages/present.ts';
import { assertMessage } from '../messages/thread.ts';

/** The endpoint, the model and the settings of a conversation. */
export type KeptModel = Pick<ConvoRow, 'endpoint' | 'endpointType' | 'model' | 'settings'>;

/** A validated ask: the endpoint exists, the model is available, the settings are in bounds. */
export interface Ask {
  userId: string;
  owner: string;
  input: AskInput;
  endpoint: Endpoint;
  model: string;
  /** The provider's metadata of that model. */
  metadata: ModelMetadata;
  settings: Settings;
  /** What the conversation goes on with where that is not what answers. */
  kept: KeptModel | null;
  /** Who answers by that endpoint; null without an assistant. */
  assistant: RespondingAssistant | null;
  /** Whether calls of chosen plugins and actions run without a question, unless each of them needs one. */
  callsUnasked: boolean;
  /** The key by which a program asks. */
  apiKeyId?: string | undefined;
}

export interface AskResult {
  created: CreatedEvent;
  /** The conversation's row where a single statement has written it: nothing else has taken a change number then. */
  written: ConvoRow | null;
  /** False when the same ask had begun before: its run exists already. */
  isNew: boolean;
  stopRequested: boolean;
  /** The reserved credits; null where nothing is charged. */
  reserved: Reservation | null;
  /** Whether the conversation still needs a title, as after its first exchange. */
  untitled: boolean;
}

export interface AskMessages {
  /** The question; for a reply without a parent, the reply itself. */
  request: MessageRow;
  reply: MessageRow;
}

/**
 * Writes the question (unless an existing one is answered again) and the empty reply.
 * @throws Refusal `not_found` or `conflict`
 */
export async function writeAskMessages(tx: Tx, ask: Ask): Promise<AskMessages> {
  const { userId, input } = ask;
  const convoKey = { userId, convoId: input.conversationId };
  switch (input.target.kind) {
    case 'send': {
      const { messageId, parentMessageId } = input.target;
      const parent = parentMessageId === null ? null : await assertMessage(tx, convoKey, parentMessageId);
      if (parent) await denyWaiting(tx, parent);
      const depth = parent ? parent.depth + 1 : 0;
      // One statement: the order of its rows is the order of their `seq`.
      const attached = await attachFiles(tx, userId, messageId, input.target.files ?? []);
      const [request, reply] = await insertMessages(tx, [
        askedQuestion(ask, input.target, depth, attached),
        replyTo(ask, { id: messageId, depth }),
      ]);
      return { request, reply };
    }
    case 'regenerate': {
      assertSupports(ask.endpoint.type, 'regenerate');
      const request = await assertMessage(tx, convoKey, input.target.parentMessageId);
      if (!request.isCreatedByUser) refuse({ type: 'conflict', text: 'Only a question can be answered' });
      const [reply] = await insertMessages(tx, [replyTo(ask, request)]);
      return { request, reply };
    }
    case 'continue': {
      const before = await assertReply(tx, ask, input.target.messageId, 'continue');
      if (input.replyId !== before.id) refuse({ type: 'conflict', text: 'A continued answer keeps its id' });
      if (before.finishReason === 'stop' && !input.target.evenIfComplete)
        refuse({ type: 'conflict', text: 'This answer is complete' });
      const reply = await reopen(tx, before, input.generationId);
      return { request: await readRequest(tx, ask, reply), reply };
    }
    case 'resume': {
      const before = await assertMessage(tx, convoKey, input.target.messageId);
      if (input.replyId !== before.id) refuse({ type: 'conflict', text: 'A resumed answer keeps its id' });
      if (before.isCreatedByUser || !hasPendingCalls(before.parts))
        refuse({ type: 'conflict', text: 'Nothing in this answer waits for a decision' });
      const reply = await reopen(tx, before, input.generationId);
      return { request: await readRequest(tx, ask, reply), reply };
    }
    case 'edit': {
      const edited = await assertReply(tx, ask, input.target.messageId, 'edit');
      const [reply] = await insertMessages(tx, [editedSibling(ask, edited, input.target.text)]);
      return { request: await readRequest(tx, ask, edited), reply };
    }
    default:
      return input.target satisfies never;
  }
}

type NewMessage = typeof messages.$inferInsert;

/** Inserts all rows or none, the reply last. Reuses the rows of an ask that was refused before. */
async function insertMessages<const Rows extends readonly NewMessage[]>(tx: Tx, rows: Rows) {
  const inserted = await tx
    .insert(messages)
    .values([...rows])
    .onConflictDoNothing()
    .returning();
  const written = inserted.length === 0 ? await reuseRefused(tx, rows) : inserted;
  if (written.length < rows.length) refuse({ type: 'conflict', text: 'This message id is taken' });
  // As many as were inserted, in the same order, which the query builder's type cannot express.
  return written as unknown as { [Place in keyof Rows]: MessageRow };
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
  return tx
    .update(messages)
    .set({ ...row, reason: null, finishReason: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(messages.userId, userId),
        eq(messages.id, id),
        eq(messages.convoId, convoId),
        parentId ? eq(messages.parentId, parentId) : isNull(messages.parentId),
        isNull(messages.deletedAt),
        fits,
      ),
    )
    .returning();
}

export function askedQuestion(
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

export function replyTo(ask: Ask, request: { id: string; depth: number }): NewMessage {
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
  };
}

/** Finds a reply of this conversation for which both its own endpoint and the requested one support this action. */
async function assertReply(tx: Tx, ask: Ask, id: string, deed: 'continue' | 'edit'): Promise<MessageRow> {
  const row = await assertMessage(tx, { userId: ask.userId, convoId: ask.input.conversationId }, id);
  if (row.isCreatedByUser) refuse({ type: 'conflict', text: 'Only an answer can go on' });
  assertSupports(row.endpointType, deed);
  assertSupports(ask.endpoint.type, deed);
  return row;
}

/** Whoever asks something else goes on without the calls that wait in the reply above. */
export async function denyWaiting(tx: Tx, { userId, id, parts }: MessageRow): Promise<void> {
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

/** A new sibling of an edited reply, which begins with the edited text. */
function editedSibling(ask: Ask, { parentId, depth }: MessageRow, text: string): NewMessage {
  return { ...newReply(ask), parentId, depth, parts: [{ type: 'text', text: cleanText(text) }], isEdited: true };
}

async function readRequest(tx: Tx, { userId, input }: Ask, reply: MessageRow): Promise<MessageRow> {
  if (reply.parentId === null) return reply;
  return assertMessage(tx, { userId, convoId: input.conversationId }, reply.parentId);
}

function placeOf({ userId, input, endpoint, model }: Ask) {
  return { userId, convoId: input.conversationId, endpoint: endpoint.name, endpointType: endpoint.type, model };
}
