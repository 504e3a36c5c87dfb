// Asking in tests: makes the ids a browser would make, and reads an exchange to its end.
import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/ask';
import type { Entry, FinalEvent } from '@parley/schema/events';
import type { RecordedRequest } from '@parley/scripts/fake-provider';
import type { TestRooms } from './rooms.ts';

/** A first question in a new conversation, unless `over` says otherwise. */
export function question(text: string, over: Partial<AskInput> = {}): AskInput {
  return {
    generationId: randomUUID(),
    conversationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    model: 'fake:echo',
    settings: {},
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text },
    ...over,
  };
}

/** A question that follows the reply of an earlier exchange. */
export function followUp(
  text: string,
  { convo, reply }: Pick<FinalEvent, 'convo' | 'reply'>,
  over: Partial<AskInput> = {},
) {
  const { conversationId } = convo;
  return question(text, {
    conversationId,
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: reply.messageId, text },
    ...over,
  });
}

/** All events of a generation from `afterSeq` to its final one. */
export async function readAll(rooms: TestRooms, userId: string, generationId: string, afterSeq = 0): Promise<Entry[]> {
  const signal = AbortSignal.timeout(15_000);
  const entries: Entry[] = [];
  for await (const entry of rooms.deps.exchanges.attach(userId, generationId, afterSeq, signal)) entries.push(entry);
  return entries;
}

/** Asks and waits for the end. */
export async function exchange(rooms: TestRooms, userId: string, input: AskInput): Promise<FinalEvent> {
  await rooms.deps.exchanges.ask(userId, input);
  const last = (await readAll(rooms, userId, input.generationId)).at(-1)?.event;
  if (last?.type !== 'final') throw new Error(`The exchange ended with ${last?.type ?? 'nothing'}`);
  return last;
}

/** Whether the provider was asked for an answer (not for a title) to a conversation that holds `text`. */
export function isAskedAbout(text: string): (request: RecordedRequest) => boolean {
  return ({ body }) => {
    const said = JSON.stringify(body ?? null);
    return said.includes(text) && !said.includes('Write a title');
  };
}
