// Asking in tests: creates the ids a browser would create, and reads an exchange to its end.
import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Entry, FinalEvent } from '@parley/schema/generation/events';
import type { RecordedRequest } from '@parley/scripts/fake-provider';
import { expect } from 'vitest';
import type { TestServices } from './services.ts';

/** The first question of a new conversation, unless `over` changes it. */
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
export async function readAll(
  services: TestServices,
  userId: string,
  generationId: string,
  afterSeq = 0,
): Promise<Entry[]> {
  // For what hangs: a busy machine may need long for many of these at once.
  const signal = AbortSignal.timeout(60_000);
  const entries: Entry[] = [];
  for await (const entry of services.deps.askService.attach(userId, generationId, afterSeq, signal))
    entries.push(entry);
  return entries;
}

/** Waits for the first text of an answer. */
export async function untilText(services: TestServices, userId: string, generationId: string): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  for await (const { event } of services.deps.askService.attach(userId, generationId, 0, signal))
    if (event.type === 'text') return;
  throw new Error('The answer ended without a text');
}

/** Asks and waits for the end. */
export async function exchange(services: TestServices, userId: string, input: AskInput): Promise<FinalEvent> {
  await services.deps.askService.ask(userId, input);
  const last = (await readAll(services, userId, input.generationId)).at(-1)?.event;
  if (last?.type !== 'final') throw new Error(`The exchange ended with ${last?.type ?? 'nothing'}`);
  return last;
}

/** Waits until the entries of all answers that have ended are in the search. */
export async function untilIndexed({ sql }: Pick<Db, 'sql'>): Promise<void> {
  await expect.poll(() => sql`select from generations where is_unindexed`).toHaveLength(0);
}

/** Whether the provider got a request for an answer (not a title) in a conversation with `text`. */
export function isAskedAbout(text: string): (request: RecordedRequest) => boolean {
  return (request) => !isForTitle(request) && JSON.stringify(request.body ?? null).includes(text);
}

/** The requests for answers. Titles are asked for beside what a test does. */
export function answerRequests({ requests }: { requests: readonly RecordedRequest[] }): RecordedRequest[] {
  return requests.filter((request) => !isForTitle(request));
}

function isForTitle({ body }: RecordedRequest): boolean {
  return JSON.stringify(body ?? null).includes('Write a title');
}
