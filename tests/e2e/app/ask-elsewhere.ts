// A question that is asked by no page, and its answer.
import { randomUUID } from 'node:crypto';
import type { apiOf } from '../../support/browser/chat.ts';

type Api = Awaited<ReturnType<typeof apiOf>>;

/** Resolves when the answer has ended; below the newest reply of `conversationId`, or in a conversation of its own. */
export async function exchangeByApi(
  api: Api,
  text: string,
  conversationId?: string,
): Promise<{ conversationId: string }> {
  const id = conversationId ?? randomUUID();
  const messages = conversationId === undefined ? [] : await api.messages.list.query({ conversationId });
  const parentMessageId = messages.at(-1)?.messageId ?? null;
  await api.messages.ask.mutate({
    conversationId: id,
    generationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    model: 'gpt-4',
    settings: {},
    target: { kind: 'send', messageId: randomUUID(), parentMessageId, text },
  });
  for (;;) {
    const convo = await api.convos.byId.query({ conversationId: id });
    if (convo.running === null) return { conversationId: id };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
