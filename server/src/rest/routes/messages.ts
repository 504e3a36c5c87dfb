// REST handlers for messages (docs/rest-compat.md, Messages).
import { randomUUID } from 'node:crypto';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import { respondList } from '../../http/long-responses.ts';
import type { Api } from '../../router.ts';
import { asJson, created, errorOn, withoutBody } from '../responses.ts';
import { presentMessage } from '../present/present-message.ts';
import { refusedRequest } from '../errors.ts';
import { authed, byKey, type Call } from '../route.ts';
import { EditedMessage, Messages, OneMessage, RestMessage } from '../shapes/message.ts';
import { Failed } from '../shapes/shapes.ts';

const NEW = 'new';

const Edit = z.object({ text: z.string() });

const Save = z.object({
  messageId: z.string().nullish(),
  parentMessageId: z.string().nullish(),
  isCreatedByUser: z.boolean().nullish(),
  sender: z.string().nullish(),
  text: z.string(),
});

const PATH = '/api/messages/:conversationId/:messageId';
const NOT_FOUND = asJson('Not there, or somebody else’s.', Failed);

export const messageRoutes = [
  authed('GET', '/api/messages/:conversationId', someMessages, {
    summary: 'All messages of a conversation, the oldest first',
    answers: { 200: asJson('A list; empty for `new`.', Messages), 404: NOT_FOUND },
    refused: errorOn(404),
    ...byKey,
  }),
  authed('POST', '/api/messages/:conversationId', saveMessage, {
    summary: 'Stores a message without asking a model',
    description: 'An id that is there gets the text. `isCreatedByUser` is true unless it says otherwise.',
    body: Save,
    answers: { 201: asJson('The message.', RestMessage) },
    ...byKey,
  }),
  authed('GET', PATH, oneMessage, {
    summary: 'One message',
    answers: { 200: asJson('A list of one.', OneMessage), 404: NOT_FOUND },
    refused: errorOn(404),
    ...byKey,
  }),
  authed('PUT', PATH, editMessage, {
    summary: 'Changes the text of a message',
    body: Edit,
    answers: { 201: asJson('What clients replace it with.', EditedMessage) },
    ...byKey,
  }),
  authed('DELETE', PATH, removeMessage, {
    summary: 'Deletes a message; those below it move up',
    answers: { 204: withoutBody('It is gone, or never was there.') },
    ...byKey,
  }),
];

/** All messages of a conversation, oldest first; empty for a conversation that is not stored yet. */
async function someMessages(api: Api, { params, userId }: Call<{ conversationId: string }>) {
  if (params.conversationId === NEW) return [];
  await api.messages.countQuestions(params);
  const messages = await api.messages.list(params);
  return respondList(messages, (message) => presentMessage(userId, withTokenCount(message)));
}

/** For English; other scripts have more of both. */
const BYTES_PER_TOKEN = 4;

/**
 * Estimates the token count where it is not stored; one call counts only the first questions of a long conversation.
 */
function withTokenCount(message: Message): Message {
  const isUncounted = message.isCreatedByUser && message.tokenCount === undefined;
  return isUncounted
    ? { ...message, tokenCount: Math.ceil(Buffer.byteLength(messageText(message)) / BYTES_PER_TOKEN) }
    : message;
}

/** One message, in an array. */
async function oneMessage(api: Api, call: Call<{ conversationId: string; messageId: string }>): Promise<[RestMessage]> {
  const { conversationId, messageId } = call.params;
  await api.messages.countQuestions({ conversationId, messageId });
  const [found] = await api.messages.bodies({ conversationId, messageIds: [messageId] });
  return found ? [presentMessage(call.userId, found)] : refuse({ type: 'not_found', what: 'message' });
}

/** Edits the text of a message and returns what clients replace it with. */
async function editMessage(api: Api, { params, body }: Call<{ conversationId: string; messageId: string }>) {
  const { text } = Edit.parse(body);
  const edited = await api.messages.edit({ ...params, text });
  const { messageId, conversationId, parentMessageId, sender, isCreatedByUser, tokenCount, isEdited } = edited;
  return created(EditedMessage, {
    messageId,
    conversationId,
    parentMessageId: parentMessageId ?? NO_PARENT,
    sender,
    text: readableText(edited),
    isCreatedByUser,
    tokenCount,
    isEdited,
  });
}

const NOT_THERE: ReadonlySet<string | undefined> = new Set(['not_found', 'invalid_input']);

/** Missing, deleted and malformed ids count as deleted. */
async function removeMessage(api: Api, { params }: Call<{ conversationId: string; messageId: string }>) {
  await api.messages.remove(params).catch((error: unknown) => {
    if (!NOT_THERE.has(refusedRequest(error)?.reason.type)) throw error;
  });
  return new Response(null, { status: 204 });
}

/** Stores a message without asking a model. */
async function saveMessage(api: Api, { params, body, userId }: Call<{ conversationId: string }>) {
  const { messageId, parentMessageId, isCreatedByUser, ...message } = Save.parse(body);
  const saved = await api.messages.save({
    ...message,
    conversationId: params.conversationId,
    messageId: messageId ?? randomUUID(),
    isCreatedByUser: isCreatedByUser ?? true,
    parentMessageId: parentMessageId && parentMessageId !== NO_PARENT ? parentMessageId : null,
  });
  return created(RestMessage, presentMessage(userId, saved));
}
