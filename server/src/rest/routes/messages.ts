// REST handlers for messages (docs/rest-compat.md, Messages).
import { randomUUID } from 'node:crypto';
import { readableText, messageText, type Message } from '@parley/schema/messages/messages';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import { respondList } from '../../http/long-responses.ts';
import type { Api } from '../../router.ts';
import { created } from '../responses.ts';
import { presentMessage } from '../present/present-message.ts';
import { refusedRequest } from '../errors.ts';
import type { Call } from '../route.ts';

const NEW = 'new';

const Text = z.object({ text: z.string() }).transform(({ text }) => text);
const Tokenizer = z.object({ arg: z.union([z.string(), Text], 'arg must be a string') });

const Edit = z.object({ text: z.string() });

const Save = z.object({
  messageId: z.string().nullish(),
  parentMessageId: z.string().nullish(),
  isCreatedByUser: z.boolean().nullish(),
  sender: z.string().nullish(),
  text: z.string(),
});

/** All messages of a conversation, oldest first; empty for a conversation that is not stored yet. */
export async function someMessages(api: Api, { params, userId }: Call<{ conversationId: string }>) {
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
export async function oneMessage(api: Api, call: Call<{ conversationId: string; messageId: string }>) {
  const { conversationId, messageId } = call.params;
  await api.messages.countQuestions({ conversationId, messageId });
  const [found] = await api.messages.bodies({ conversationId, messageIds: [messageId] });
  return found ? [presentMessage(call.userId, found)] : refuse({ type: 'not_found', what: 'message' });
}

/** Edits the text of a message and returns what clients replace it with. */
export async function editMessage(api: Api, { params, body }: Call<{ conversationId: string; messageId: string }>) {
  const { text } = Edit.parse(body);
  const edited = await api.messages.edit({ ...params, text });
  const { messageId, conversationId, parentMessageId, sender, isCreatedByUser, tokenCount, isEdited } = edited;
  return created({
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
export async function removeMessage(api: Api, { params }: Call<{ conversationId: string; messageId: string }>) {
  await api.messages.remove(params).catch((error: unknown) => {
    if (!NOT_THERE.has(refusedRequest(error)?.reason.type)) throw error;
  });
  return new Response(null, { status: 204 });
}

/** Stores a message without asking a model. */
export async function saveMessage(api: Api, { params, body, userId }: Call<{ conversationId: string }>) {
  const { messageId, parentMessageId, isCreatedByUser, ...message } = Save.parse(body);
  const saved = await api.messages.save({
    ...message,
    conversationId: params.conversationId,
    messageId: messageId ?? randomUUID(),
    isCreatedByUser: isCreatedByUser ?? true,
    parentMessageId: parentMessageId && parentMessageId !== NO_PARENT ? parentMessageId : null,
  });
  return created(presentMessage(userId, saved));
}

/** Clients send the text as `arg`, within it, or by its own name. */
export async function countTokens(api: Api, { body }: Call) {
  return api.endpoints.tokenCount({ text: Text.safeParse(body).data ?? Tokenizer.parse(body).arg });
}
