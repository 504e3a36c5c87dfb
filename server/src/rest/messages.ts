import * as z from 'zod';
import { refuse } from '../errors.ts';
import type { Api } from '../router.ts';
import { presentMessage } from './present-message.ts';
import type { Call } from './row.ts';

const NEW = 'new';

const Tokenizer = z.object({
  arg: z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]),
});

/** All messages of a conversation, oldest first; one that is not saved yet has none. */
export async function someMessages(api: Api, { params, userId }: Call<{ conversationId: string }>) {
  if (params.conversationId === NEW) return [];
  const messages = await api.messages.list(params);
  return messages.map((message) => presentMessage(userId, message));
}

/** One message in a list of its own. */
export async function oneMessage(api: Api, call: Call<{ conversationId: string; messageId: string }>) {
  const { conversationId, messageId } = call.params;
  const messages = await api.messages.list({ conversationId });
  const found = messages.find((message) => message.messageId === messageId.toLowerCase());
  return found ? [presentMessage(call.userId, found)] : refuse({ type: 'not_found', what: 'message' });
}

export async function countTokens(api: Api, { body }: Call) {
  return api.endpoints.tokenCount({ text: Tokenizer.parse(body).arg });
}
