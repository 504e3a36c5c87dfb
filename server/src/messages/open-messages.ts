// The question and the reply of an ask: new rows, or the ones that are there already.
import type { Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { AskInput } from '@parley/schema/ask';
import { cleanText } from '@parley/schema/clean-text';
import type { EndpointRow } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import { senderOf } from '@parley/schema/sender';
import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ModelFacts } from '../endpoints/models.ts';
import { refuse } from '../errors.ts';
import { assertCan } from './can.ts';
import { forgetSummaries } from './forget-summaries.ts';
import type { MessageRow } from './present.ts';
import { assertMessage } from './thread.ts';

/** An ask whose words have been understood: the endpoint exists, the model is on offer, the settings are in bounds. */
export interface Ask {
  userId: string;
  owner: string;
  input: AskInput;
  endpoint: Endpoint;
  model: string;
  /** What the provider tells of that model. */
  facts: ModelFacts;
  settings: Settings;
}

export interface Opened {
  /** The question. Of an answer that hangs below none, the answer itself. */
  request: MessageRow;
  reply: MessageRow;
}

/**
 * The question, a new one unless it is answered again, and the reply that is to be written.
 * @throws Refusal `not_found` or `conflict`
 */
export async function openMessages(tx: Tx, ask: Ask): Promise<Opened> {
  const { userId, input } = ask;
  const place = { userId, convoId: input.conversationId };
  switch (input.target.kind) {
    case 'send': {
      const { messageId, parentMessageId } = input.target;
      const parent = parentMessageId === null ? null : await assertMessage(tx, place, parentMessageId);
      const depth = parent ? parent.depth + 1 : 0;
      // In one statement: their order in it is the order of their numbers.
      const [request, reply] = await insertMessages(tx, [
        questionOf(ask, input.target, depth),
        replyTo(ask, { id: messageId, depth }),
      ]);
      return { request, reply };
    }
    case 'regenerate': {
      assertCan(ask.endpoint.type, 'regenerate');
      const request = await assertMessage(tx, place, input.target.parentMessageId);
      if (!request.isCreatedByUser) refuse({ type: 'conflict', text: 'Only a question can be answered' });
      const [reply] = await insertMessages(tx, [replyTo(ask, request)]);
      return { request, reply };
    }
    case 'continue': {
      const before = await assertAnswer(tx, ask, input.target.messageId, 'continue');
      if (input.replyId !== before.id) refuse({ type: 'conflict', text: 'A continued answer keeps its id' });
      if (before.finishReason === 'stop') refuse({ type: 'conflict', text: 'This answer is complete' });
      const reply = await reopen(tx, before, input.generationId);
      return { request: await readRequest(tx, ask, reply), reply };
    }
    case 'edit': {
      const edited = await assertAnswer(tx, ask, input.target.messageId, 'edit');
      const [reply] = await insertMessages(tx, [besides(ask, edited, input.target.text)]);
      return { request: await readRequest(tx, ask, edited), reply };
    }
    default:
      return input.target satisfies never;
  }
}

type NewMessage = typeof messages.$inferInsert;

/** All of them or none, the reply last. Those of an ask that was refused before are taken up. */
async function insertMessages<const Rows extends readonly NewMessage[]>(tx: Tx, rows: Rows) {
  const inserted = await tx
    .insert(messages)
    .values([...rows])
    .onConflictDoNothing()
    .returning();
  const opened = inserted.length === 0 ? await takeUpRefused(tx, rows) : inserted;
  if (opened.length < rows.length) refuse({ type: 'conflict', text: 'This message id is taken' });
  // As many as there were, and in their order, which the query builder cannot know.
  return opened as unknown as { [Place in keyof Rows]: MessageRow };
}

/** What was kept of the same ask when it was refused. None of it where the reply was not: it names the run it is of. */
async function takeUpRefused(tx: Tx, rows: readonly NewMessage[]): Promise<MessageRow[]> {
  const [reply, ...questions] = rows.toReversed();
  if (!reply?.generationId) return [];
  const fits = and(eq(messages.generationId, reply.generationId), isNotNull(messages.reason));
  const taken = await rewrite(tx, reply, fits);
  const [question] = questions;
  return question && taken.length > 0 ? [...(await rewrite(tx, question)), ...taken] : taken;
}

/** Writes a message anew that is there, where it is. */
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

function questionOf(ask: Ask, target: Extract<AskInput['target'], { kind: 'send' }>, depth: number): NewMessage {
  return {
    ...placeOf(ask),
    id: target.messageId,
    parentId: target.parentMessageId,
    depth,
    isCreatedByUser: true,
    sender: 'User',
    parts: [{ type: 'text', text: cleanText(target.text) }],
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
    sender: senderOf({ endpointType: endpoint.type, model, settings, modelDisplayLabel }),
    unfinished: true,
    generationId: input.generationId,
  };
}

/** An answer of this conversation with which its own endpoint and the one that is asked both allow this. */
async function assertAnswer(tx: Tx, ask: Ask, id: string, deed: keyof EndpointRow['can']): Promise<MessageRow> {
  const row = await assertMessage(tx, { userId: ask.userId, convoId: ask.input.conversationId }, id);
  if (row.isCreatedByUser) refuse({ type: 'conflict', text: 'Only an answer can go on' });
  assertCan(row.endpointType, deed);
  assertCan(ask.endpoint.type, deed);
  return row;
}

/** The same reply, to be written on: its usage stays, for what is added to it. */
async function reopen(tx: Tx, before: MessageRow, generationId: string): Promise<MessageRow> {
  await forgetSummaries(tx, before);
  const [row] = await tx
    .update(messages)
    .set({ unfinished: true, finishReason: null, reason: null, generationId, updatedAt: sql`now()` })
    .where(and(eq(messages.userId, before.userId), eq(messages.id, before.id)))
    .returning();
  return row ?? refuse({ type: 'not_found', what: 'message' });
}

/** A new reply beside an edited one, which begins with the edited text. */
function besides(ask: Ask, { parentId, depth }: MessageRow, text: string): NewMessage {
  return { ...newReply(ask), parentId, depth, parts: [{ type: 'text', text: cleanText(text) }], isEdited: true };
}

async function readRequest(tx: Tx, { userId, input }: Ask, reply: MessageRow): Promise<MessageRow> {
  if (reply.parentId === null) return reply;
  return assertMessage(tx, { userId, convoId: input.conversationId }, reply.parentId);
}

function placeOf({ userId, input, endpoint, model }: Ask) {
  return { userId, convoId: input.conversationId, endpoint: endpoint.name, endpointType: endpoint.type, model };
}
