import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Budget } from '@parley/schema/chat/budget';
import type { ContextRecord } from '@parley/schema/messages/messages';
import type { Settings } from '@parley/schema/catalog/params';
import { sql } from 'drizzle-orm';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { insertThread as insertLong } from '@parley/scripts/seed/threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequests, exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { insertThread } from './long-thread.ts';
import { threadLength } from '../../support/extent.ts';

/** A model with a window of 4,092 tokens, of which 1,024 are kept for the answer. */
const SMALL = 'gpt-3.5-turbo-0301';
const LARGE = 'gpt-4-turbo-preview';
const CLAUDE = 'claude-2';

let services: TestServices;
let claudes: FakeProvider;
let alice: Person;

beforeAll(async () => {
  claudes = await startFakeProvider();
  const anthropic = {
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_MODELS: CLAUDE,
    ANTHROPIC_REVERSE_PROXY: claudes.url,
  };
  const bing = { BINGAI_TOKEN: 'u-1', BINGAI_HOST: claudes.url };
  services = await openTestServices({ OPENAI_MODELS: `${SMALL},${LARGE},fake:echo`, ...anthropic, ...bing });
  alice = await services.as('alice');
});
afterAll(async () => {
  await services.close();
  await claudes.close();
});

describe('the budget of a question', () => {
  it('counts only the question in a new conversation', async () => {
    const budget = await told(question('How do rivers find the sea?'));
    expect(budget).toMatchObject({ window: 4095, reserve: 1024, instructions: 0, history: 0, included: 1, omitted: 0 });
    expect(budget).toMatchObject({ summary: null, fits: true });
    expect(budget.question).toBeGreaterThan(6);
    expect(budget.question).toBeLessThan(16);
  });

  it('counts the instructions, for every kind of provider', async () => {
    const settings = { promptPrefix: 'Answer like a pirate. '.repeat(20) };
    const budget = await told(question('Where is the sea?', { settings }));
    expect(budget.instructions).toBeGreaterThan(80);
    const claude = question('Where is the sea?', { endpoint: 'anthropic', model: CLAUDE, settings });
    expect(await told(claude)).toMatchObject({ window: 100_000, reserve: 4000, instructions: budget.instructions });
    const brief = { ...settings, maxOutputTokens: 100 };
    expect(await told({ ...claude, settings: brief })).toMatchObject({ reserve: 100 });
  });

  it('counts the context for Bing, and the system message in jailbreak mode only', async () => {
    const context = 'The mill stands at the third bend. '.repeat(20);
    const systemMessage = 'Speak as the miller would. '.repeat(20);
    const instructions = async (settings: Settings, model = 'BingAI') =>
      (await told(question('Where is the mill?', { endpoint: 'bingAI', model, settings }))).instructions;
    expect(await instructions({})).toBe(0);
    const written = await instructions({ context });
    expect(written).toBeGreaterThan(150);
    // Only who is asked without guards is told how to be.
    expect(await instructions({ context, systemMessage })).toBe(written);
    expect(await instructions({ context, systemMessage, jailbreak: true })).toBeGreaterThan(written + 100);
    const usual = await instructions({}, 'Sydney');
    expect(usual).toBeGreaterThan(20);
    expect(await instructions({ systemMessage }, 'Sydney')).toBeGreaterThan(usual + 50);
    const whole = question('w'.repeat(10), {
      endpoint: 'bingAI',
      model: 'BingAI',
      settings: { context: 'word '.repeat(6000) },
    });
    expect(await told(whole)).toMatchObject({ window: 8024, fits: true });
    const { reply } = await exchange(services, alice.id, whole);
    expect(reply.context?.instructions).toBe((await told(whole)).instructions);
  });

  it('reports a question that is too long before it is refused', async () => {
    const long = question('word '.repeat(4000), { model: SMALL });
    const budget = await told(long);
    expect(budget).toMatchObject({ fits: false, included: 0 });
    const { reason } = (await exchange(services, alice.id, long)).reply;
    expect(reason).toEqual({ type: 'context_too_long', tokens: budget.question, window: 4092 });
  });

  it('reports instructions that leave no room for the question', async () => {
    const settings = { promptPrefix: 'weather '.repeat(4000) };
    const long = question('Where is the sea?', { model: SMALL, settings });
    const budget = await told(long);
    expect(budget).toMatchObject({ fits: false, instructions: expect.any(Number) });
    const { reason } = (await exchange(services, alice.id, long)).reply;
    expect(reason).toMatchObject({ type: 'context_too_long', tokens: budget.instructions + budget.question });
  });

  it('is refused for conversations of others and unknown models', async () => {
    const bob = await services.as('bob');
    const first = await exchange(services, alice.id, question('Mine'));
    const input = inputOf(followUp('Whose?', first));
    await expect(bob.api.messages.budget(input)).rejects.toMatchObject({ message: 'not_found' });
    const elsewhere = { ...input, conversationId: randomUUID() };
    await expect(alice.api.messages.budget(elsewhere)).rejects.toMatchObject({ message: 'not_found' });
    await expect(alice.api.messages.budget({ ...input, model: 'gpt-9' })).rejects.toMatchObject({
      message: 'illegal_model_request',
    });
    await expect(alice.api.messages.budget({ ...input, settings: { temperature: 9 } })).rejects.toThrow();
  });

  it('writes nothing and calls nobody', async () => {
    const thread = await longThread(4);
    const before = answerRequests(services.provider).length;
    const convosBefore = await countConvos();
    await told(followUp('Well?', thread));
    await told(question('Well?'));
    expect(answerRequests(services.provider)).toHaveLength(before);
    expect(await countConvos()).toBe(convosBefore);
  });
});

describe('the budget equals the record kept with the answer', () => {
  const words = 'the river bends and the mill turns while 雨が降る and 🌧️ falls on everyone ';
  const settings = { promptPrefix: 'Be brief, be kind, and never mention the mill.' };
  const cases: [string, { count: number; size: number; ask: number; over?: Partial<AskInput> }][] = [
    ['when everything fits', { count: 6, size: 1, ask: 1 }],
    ['when everything fits exactly counted', { count: 20, size: 8, ask: 3, over: { model: SMALL } }],
    ['when half is left out', { count: 60, size: 8, ask: 2, over: { model: SMALL } }],
    ['when a long question leaves room for little else', { count: 60, size: 8, ask: 100, over: { model: SMALL } }],
    ['with instructions', { count: 60, size: 8, ask: 5, over: { model: SMALL, settings } }],
    ['with a large window', { count: 60, size: 30, ask: 5, over: { model: LARGE, settings } }],
    ['of a wire that begins with a question', { count: 40, size: 400, ask: 9, over: claude() }],
    ['of that wire with room for one message less', { count: 40, size: 400, ask: 409, over: claude() }],
    ['with messages of very different sizes', { count: 30, size: -40, ask: 4, over: { model: SMALL } }],
  ];

  it.each(cases)('%s', async (_, { count, size, ask, over }) => {
    const textAt = (n: number) => `${n}: ${words.repeat(size > 0 ? size : (n * 7) % -size)}`;
    const thread = await insertThread(services.deps.db, alice, { count, model: SMALL, textAt });
    const input = followUp(`And now, ${randomUUID()}? ${words.repeat(ask)}`.trim(), thread, over);
    const budget = await told(input);
    const { reply, request } = await exchange(services, alice.id, input);
    expect(reply.reason).toBeNull();
    expect(recordOf(budget)).toEqual(withoutPlace(reply.context));
    const oldest = reply.context?.oldestId;
    const ids: string[] = [...thread.ids, request.messageId];
    expect(ids.indexOf(oldest ?? '')).toBe(reply.context?.omitted);
    await expectSent(input, reply.context);
  });

  it('when the last answer failed without text', async () => {
    const first = await exchange(services, alice.id, question('[[error-500]] Fails', { model: SMALL }));
    const input = followUp('Again, please', first);
    const budget = await told(input);
    const { context } = (await exchange(services, alice.id, input)).reply;
    expect(recordOf(budget)).toEqual(withoutPlace(context));
    expect(budget).toMatchObject({ included: 2, omitted: 0 });
  });
});

describe('a thread of thousands of messages', () => {
  it('is read only as far as the window reaches', { timeout: 60_000 }, async () => {
    const { conversationId, ids } = await insertLong(
      services.deps.db,
      alice.id,
      threadLength,
      (n) => `${n}: ${'word '.repeat(20)}`,
    );
    const target = { kind: 'send', messageId: randomUUID(), parentMessageId: ids.at(-1) ?? '', text: 'And?' } as const;
    const input = question('', { conversationId, model: SMALL, target });
    const pages = await countPages(async () => {
      const budget = await told(input);
      expect(budget).toMatchObject({ fits: true });
      expect(budget.included + budget.omitted).toBe(threadLength + 1);
      expect(budget.included).toBeLessThan(250);
    });
    expect(pages).toBeLessThanOrEqual(3);
  });
});

describe('a question that grows', () => {
  const textAt = (n: number) => `${n}: ${'the river bends and the mill turns '.repeat(20)}`;

  it('does not read the messages above it again', async () => {
    const thread = await insertThread(services.deps.db, alice, { count: 60, model: SMALL, textAt });
    const first = await countPages(async () => void (await told(followUp('And', thread, { model: SMALL }))));
    const more = await countPages(async () => {
      for (const text of ['And now', 'And now, what', 'And now, what becomes of it?'])
        await told(followUp(text, thread, { model: SMALL }));
    });
    expect(first).toBeGreaterThan(0);
    expect(more).toBe(0);
  });

  it('reads further for a model with a larger window', async () => {
    const thread = await insertThread(services.deps.db, alice, { count: 300, model: SMALL, textAt });
    const small = await told(followUp('And?', thread, { model: SMALL }));
    const large = await told(followUp('And?', thread, { model: LARGE }));
    expect(large.included).toBe(301);
    expect(small.included).toBeLessThan(100);
    expect(await told(followUp('And?', thread, { model: SMALL }))).toEqual(small);
  });

  it('notices changes above it at once', async () => {
    const first = await exchange(services, alice.id, question('What stands above?'));
    const next = followUp('And?', first);
    const before = await told(next);
    const { conversationId, messageId } = first.reply;
    await alice.api.messages.edit({ conversationId, messageId, text: textAt(1) });
    const after = await told(next);
    expect(after.history).toBeGreaterThan(before.history + 100);
    expect(after.included).toBe(3);
    await alice.api.messages.remove({ conversationId, messageId: first.request.messageId });
    expect(await told(next)).toMatchObject({ included: 2 });
    await alice.api.messages.remove({ conversationId, messageId });
    await expect(told(next)).rejects.toMatchObject({ message: 'not_found' });
  });

  it('of one user reveals nothing of a branch to another', async () => {
    const first = await exchange(services, alice.id, question('Whose branch?'));
    await told(followUp('Mine', first));
    const bob = await services.as('bob');
    await expect(bob.api.messages.budget(inputOf(followUp('Mine?', first)))).rejects.toMatchObject({
      message: 'not_found',
    });
  });

  it('is read again after a database failure', async () => {
    const thread = await insertThread(services.deps.db, alice, { count: 10, model: SMALL, textAt });
    const { query } = services.deps.db;
    const { execute } = query;
    query.execute = (() => Promise.reject(new Error('gone'))) as never;
    await expect(told(followUp('Well?', thread))).rejects.toThrow();
    query.execute = execute;
    expect(await told(followUp('Well?', thread))).toMatchObject({ included: 11, omitted: 0 });
  });
});

function told(input: AskInput): Promise<Budget> {
  return alice.api.messages.budget(inputOf(input));
}

function inputOf({ conversationId, endpoint, model, settings, target }: AskInput) {
  if (target.kind !== 'send') throw new Error('Only a question has a budget');
  const { parentMessageId, text } = target;
  return { conversationId, parentMessageId, endpoint, model, settings, text };
}

/** What an answer to it would record. */
function recordOf({ window, reserve, instructions, question: asked, history, included, omitted }: Budget) {
  return { window, included, omitted, tokens: instructions + asked + history, reserve, instructions };
}

function withoutPlace(context: ContextRecord | null) {
  const { oldestId, ...record } = context ?? { window: 0, included: 0, omitted: 0 };
  expect(oldestId).toBeTruthy();
  return record;
}

/** What went out is what is recorded: so many messages, the system's not among them. */
async function expectSent({ endpoint, target }: AskInput, context: ContextRecord | null): Promise<void> {
  const text = target.kind === 'send' ? target.text : '';
  const provider = endpoint === 'anthropic' ? claudes : services.provider;
  const asked = await provider.waitForRequest(isAskedAbout(text.slice(9, 45)), 2000);
  const { messages } = asked.body as { messages: { role: string }[] };
  expect(messages.filter(({ role }) => role !== 'system')).toHaveLength(context?.included ?? 0);
}

function claude(): Partial<AskInput> {
  return { endpoint: 'anthropic', model: CLAUDE };
}

function longThread(count: number) {
  const textAt = (n: number) => `${n}: ${'some words of no weight '.repeat(4)}`;
  return insertThread(services.deps.db, alice, { count, model: SMALL, textAt });
}

async function countConvos(): Promise<number> {
  const [row] = await services.deps.db.query.execute<{ count: number }>(sql`select count(*)::int as count from convos`);
  return row?.count ?? 0;
}

/** How many statements that walk up a thread were sent meanwhile. */
async function countPages(work: () => Promise<void>): Promise<number> {
  const { query } = services.deps.db;
  const { execute } = query;
  let pages = 0;
  query.execute = ((statement: Parameters<typeof execute>[0]) => {
    pages++;
    return execute.call(query, statement);
  }) as typeof execute;
  await work().finally(() => (query.execute = execute));
  return pages;
}
