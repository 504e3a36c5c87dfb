// Questions that wait while several models answer side by side, and the ids of what is asked of them.
import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import type { AskManyInput } from '@parley/schema/chat/ask-many';
import { messageText } from '@parley/schema/messages/messages';
import { sendDueQuestions } from '@parley/server/queue/send-due';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'fake:plain,fake:usage,fake:no-usage' });
  alice = await services.as('alice');
});
afterAll(() => services.close());

const MODELS = ['fake:plain', 'fake:usage', 'fake:no-usage'] as const;
type End = Partial<Pick<typeof messages.$inferInsert, 'reason' | 'finishReason' | 'unfinished'>>;
const WHOLE: End = {};
const FAILED: End = { reason: { type: 'provider_broke_off' } };
const STOPPED: End = { finishReason: 'incomplete', unfinished: true };
const WAITING: End = { finishReason: 'tool_calls' };

describe('a question that waits for answers side by side', () => {
  it.each([
    ['is sent where an answer failed', [WHOLE, FAILED, WHOLE], true],
    ['is sent where all answers but one failed', [FAILED, STOPPED, WHOLE], true],
    ['is sent where an answer was stopped', [WHOLE, STOPPED, WHOLE], true],
    ['waits where no answer is whole', [FAILED, STOPPED, FAILED], false],
    ['waits where an answer waits for a decision', [WHOLE, WAITING, FAILED], false],
  ])('%s, in each order of the columns', async (_, ends, isSent) => {
    for (const order of ordersOf(ends)) {
      const input = await answered(MODELS, order);
      const { conversationId } = input;
      const id = await addQueued({ conversationId });
      await sendDue();
      expect(await isQueued(id), JSON.stringify(order)).toBe(!isSent);
      const asked = await questionsOf(conversationId, 'And then?');
      expect(asked.map((one) => one.parentMessageId)).toEqual(isSent ? input.asks.map(({ replyId }) => replyId) : []);
      await untilIdle(input);
      await alice.api.queue.remove({ id });
    }
  });

  it.each([
    ['is sent where that is whole', 'fake:plain', true],
    ['waits where that failed', 'fake:usage', false],
  ])('for one of them heeds its answer alone: it %s, in each order of the columns', async (_, model, isSent) => {
    for (const order of ordersOf(MODELS)) {
      const ends = order.map((one) => (one === 'fake:plain' ? WHOLE : FAILED));
      const input = await answered(order, ends);
      const keeps = { endpoint: 'openAI', model: 'fake:plain', settings: {} };
      const target = { endpoint: 'openAI', model, settings: {}, keeps, name: 'Who answers' };
      const id = await addQueued({ conversationId: input.conversationId, target });
      await sendDue();
      expect(await isQueued(id), order.join()).toBe(!isSent);
      const asked = await questionsOf(input.conversationId, 'And then?');
      const followed = input.asks.filter((ask) => isSent && ask.model === model).map(({ replyId }) => replyId);
      expect(asked.map((one) => one.parentMessageId)).toEqual(followed);
      await untilIdle(input);
      await alice.api.queue.remove({ id });
    }
  });
});

describe('a question to several models', () => {
  it('is refused where the id of a question is that of a reply or of a run', async () => {
    const { conversationId, asks } = asking(MODELS);
    const questionId = randomUUID();
    const target = { kind: 'send' as const, messageId: questionId, parentMessageId: null, text: 'Twice the same id?' };
    const same = asks.map((ask) => ({ ...ask, target }));
    const below = { ...target, parentMessageId: randomUUID() };
    const follows = asks.map((ask, place) => ({
      ...ask,
      target: place === 0 ? below : { ...below, messageId: randomUUID() },
    }));
    for (const taken of [{ replyId: questionId }, { generationId: questionId }, { replyId: questionId.toUpperCase() }])
      for (const at of [0, 1, 2])
        for (const given of [same, follows])
          await expectRefused({
            conversationId,
            asks: given.map((ask, place) => ({ ...ask, ...(place === at && taken) })),
          });
    expect(await services.deps.db.query.$count(messages, eq(messages.convoId, conversationId))).toBe(0);
  });

  it('is refused where the id of the question that is answered anew is that of a reply', async () => {
    const input = await answered(MODELS, []);
    const [{ parentMessageId } = { parentMessageId: null }] = await repliesOf(input.conversationId);
    const target = { kind: 'regenerate' as const, parentMessageId: parentMessageId ?? '' };
    const asks = input.asks.map((ask) => ({ ...ask, ...newIds(), target }));
    const crossed = asks.map((ask, place) => (place === 1 ? { ...ask, replyId: target.parentMessageId } : ask));
    await expectRefused({ ...input, asks: crossed });
  });
});

function asking(models: readonly string[]): AskManyInput {
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Say something' } as const;
  const asks = models.map((model) => ({ ...newIds(), endpoint: 'openAI', model, settings: {}, target }));
  return { conversationId: randomUUID(), asks };
}

/** A question to these models, whose answers have ended so. */
async function answered(models: readonly string[], ends: readonly End[]): Promise<AskManyInput> {
  const input = asking(models);
  await alice.api.messages.askMany(input);
  await Promise.all(input.asks.map(({ generationId }) => readAll(services, alice.id, generationId)));
  await untilIdle(input);
  for (const [place, end] of ends.entries()) {
    const isReply = and(eq(messages.userId, alice.id), eq(messages.id, input.asks[place]?.replyId ?? ''));
    if (Object.keys(end).length > 0) await services.deps.db.query.update(messages).set(end).where(isReply);
  }
  return input;
}

async function addQueued(more: Pick<Parameters<Person['api']['queue']['add']>[0], 'conversationId' | 'target'>) {
  const id = randomUUID();
  await alice.api.queue.add({ id, text: 'And then?', ...more });
  return id;
}

function sendDue(): Promise<void> {
  return sendDueQuestions({ db: services.deps.db, askService: services.deps.askService, graceMs: 0 });
}

async function isQueued(id: string): Promise<boolean> {
  return (await alice.api.queue.list()).some((one) => one.id === id);
}

async function questionsOf(conversationId: string, text: string) {
  const thread = await alice.api.messages.list({ conversationId });
  return thread.filter((message) => message.isCreatedByUser && messageText(message) === text);
}

async function repliesOf(conversationId: string) {
  return (await alice.api.messages.list({ conversationId })).filter((message) => !message.isCreatedByUser);
}

async function untilIdle({ conversationId }: AskManyInput): Promise<void> {
  const runsLeft = () =>
    services.deps.db.query.select({ left: convos.runsLeft }).from(convos).where(eq(convos.id, conversationId));
  await expect.poll(runsLeft).toEqual([{ left: 0 }]);
}

async function expectRefused(input: AskManyInput): Promise<void> {
  await expect(alice.api.messages.askMany(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
}

function newIds() {
  return { generationId: randomUUID(), replyId: randomUUID() };
}

/** Each order of some. */
function ordersOf<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((one, at) => ordersOf(list.toSpliced(at, 1)).map((others) => [one, ...others]));
}
