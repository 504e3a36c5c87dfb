// Conversations that are there without having been held.
import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import type { Person } from '../../support/services.ts';

interface Thread {
  count: number;
  model: string;
  textAt: (n: number) => string;
  endpoint?: string;
  endpointType?: 'openAI' | 'anthropic' | 'custom';
  conversationId?: string;
  ids?: string[];
}

/** A conversation of so many messages under each other, by turns a question and an answer. */
export async function insertThread({ query }: Db, { id: userId, api }: Person, thread: Thread) {
  const { count, model, textAt, endpoint = 'openAI', endpointType = 'openAI' } = thread;
  const convoId = thread.conversationId ?? randomUUID();
  const ids = thread.ids ?? Array.from({ length: count }, () => randomUUID());
  const chat = { endpoint, endpointType, model };
  await query.insert(convos).values({ userId, id: convoId, ...chat, title: 'Long', changeSeq: 0 });
  const rows = ids.map((id, n) => ({
    userId,
    convoId,
    id,
    ...chat,
    parentId: ids[n - 1] ?? null,
    depth: n,
    isCreatedByUser: n % 2 === 0,
    sender: 'x',
    parts: [{ type: 'text' as const, text: textAt(n) }],
  }));
  for (let n = 0; n < count; n += 1000) await query.insert(messages).values(rows.slice(n, n + 1000));
  const all = await api.messages.list({ conversationId: convoId });
  const reply = all.at(-1);
  if (!reply) throw new Error('The thread is empty');
  return { ids, all, reply, convo: await api.convos.byId({ conversationId: convoId }) };
}
