import { randomUUID } from 'node:crypto';
import { textOf } from '@parley/schema/messages';
import { NO_PARENT } from '@parley/schema/no-parent';
import * as z from 'zod';
import { refuse } from '../errors.ts';
import type { Api } from '../router.ts';
import { created } from './answers.ts';
import { presentMessage } from './present-message.ts';
import { refusedWith } from './refused.ts';
import type { Call } from './row.ts';

const NEW = 'new';

const Tokenizer = z.object({
  arg: z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]),
});

const Edit = z.object({ text: z.string() });

const Save = z.object({
  messageId: z.string().nullish(),
  parentMessageId: z.string().nullish(),
  isCreatedByUser: z.boolean().nullish(),
  sender: z.string().nullish(),
  text: z.string(),
});

/** All messages of a conversation, oldest first; one that is not saved yet has none. */
export async function someMessages(api: Api, { params, userId }: Call<{ conversationId: string }>) {
  if (params.conversationId === NEW) return [];
  await api.messages.countQuestions(params);
  const messages = await api.messages.list(params);
  return messages.map((message) => presentMessage(userId, message));
}

/** One message in a list of its own. */
export async function oneMessage(api: Api, call: Call<{ conversationId: string; messageId: string }>) {
  const { conversationId, messageId } = call.params;
  await api.messages.countQuestions({ conversationId, messageId });
  const [found] = await api.messages.bodies({ conversationId, messageIds: [messageId] });
  return found ? [presentMessage(call.userId, found)] : refuse({ type: 'not_found', what: 'message' });
}

/** Gives a message another text and answers with what clients put in its place. */
export async function editMessage(api: Api, { params, body }: Call<{ conversationId: string; messageId: string }>) {
  const { text } = Edit.parse(body);
  const edited = await api.messages.edit({ ...params, text });
  const { messageId, conversationId, parentMessageId, sender, isCreatedByUser, tokenCount, isEdited } = edited;
  return created({
    messageId,
    conversationId,
    parentMessageId: parentMessageId ?? NO_PARENT,
    sender,
    text: textOf(edited),
    isCreatedByUser,
    tokenCount,
    isEdited,
  });
}

const NOT_THERE: ReadonlySet<string | undefined> = new Set(['not_found', 'invalid_input']);

/** What is not there, or no longer, or has an id that none of ours can have, is as good as deleted. */
export async function removeMessage(api: Api, { params }: Call<{ conversationId: string; messageId: string }>) {
  await api.messages.remove(params).catch((error: unknown) => {
    if (!NOT_THERE.has(refusedWith(error)?.reason.type)) throw error;
  });
  return new Response(null, { status: 204 });
}

/** Saves a message that nobody is asked for. */
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

export async function countTokens(api: Api, { body }: Call) {
  return api.endpoints.tokenCount({ text: Tokenizer.parse(body).arg });
}
