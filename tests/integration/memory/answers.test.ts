// What answers are shown of all that is remembered, and where memory does not exist.
import { randomUUID } from 'node:crypto';
import { memories } from '@parley/db/tables/convos';
import type { AskInput } from '@parley/schema/chat/ask';
import { MEMORY_TOKENS_MAX } from '@parley/schema/tools/memory-rules';
import { estimateTokens } from '@parley/server/catalog/count-tokens';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { answerRequests, exchange, question, readAll } from '../../support/exchange.ts';
import { statementsOf } from '../../support/postgres/statements.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';
import { ORDERS, memoryIn, statesIn } from './orders.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
/** Runs while a tool runs. */
let meanwhile: () => Promise<unknown> = async () => undefined;

const pause = createTool('pause', {
  run: async () => {
    await meanwhile();
    return { type: 'done', text: 'Done' };
  },
});

beforeAll(async () => {
  services = await openTestServices(
    {
      OPENAI_MODELS: 'gpt-4,gpt-4-32k,gpt-3.5-turbo-instruct',
      ASSISTANTS_API_KEY: 'fake',
      ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1',
      ASSISTANTS_MODELS: 'gpt-4',
      TITLE_CONVO: 'false',
    },
    {},
    undefined,
    [sourceOf(pause)],
  );
  [alice, bob] = await Promise.all([services.as('alice'), services.as('bob')]);
});
afterAll(() => services.close());
beforeEach(async () => {
  meanwhile = async () => undefined;
  services.provider.requests.length = 0;
  await alice.api.memories.clear({});
  await alice.api.memories.setMode({ mode: 'on', exceptEndpoints: [] });
});

const remember = (text: string, scope: '' | `folder:${string}` | `assistant:${string}` = '') =>
  alice.api.memories.save({ id: randomUUID(), text, scope });
const ask = (input: AskInput) => exchange(services, alice.id, input);
const asking = (text: string, over: Partial<AskInput> = {}) => question(text, { model: 'gpt-4', ...over });
/** What the provider was sent last. */
const sent = () => JSON.stringify(answerRequests(services.provider).at(-1)?.body ?? null);
/** The tools of the memory among those that the provider was offered last. */
function offered(): string[] {
  const { tools = [] } = Offer.parse(answerRequests(services.provider).at(-1)?.body);
  return tools.map((tool) => tool.function.name).filter((name) => name === 'remember' || name === 'forget');
}
const Offer = z.object({ tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional() });
/** A question whose model obeys. */
const obeying = (text: string, over: Partial<AskInput> = {}) => asking(`${text}\n[[obey]] ${randomUUID()}`, over);

test('an answer is shown what is remembered behind its instructions, with the day, and says so', async () => {
  const { id } = await remember('I keep kites');
  const settings = { promptPrefix: 'Be brief.' };
  const { reply } = await ask(asking('Hello', { settings }));
  const body = sent();
  expect(body.indexOf('Be brief.')).toBeGreaterThan(0);
  expect(body.indexOf('I keep kites')).toBeGreaterThan(body.indexOf('Be brief.'));
  expect(body).toContain(`[${id.slice(0, 8)}] ${new Date().toISOString().slice(0, 10)}: I keep kites`);
  expect(offered()).toHaveLength(2);
  expect(reply.context?.memories).toEqual([id]);
  expect(await alice.api.memories.list()).toMatchObject([{ uses: 1, usedAt: expect.any(String) }]);
  const bare = await exchange(services, bob.id, asking('Hello', { settings }));
  expect((reply.context?.instructions ?? 0) - (bare.reply.context?.instructions ?? 0)).toBeGreaterThan(20);
  expect(bare.reply.context?.memories).toBeUndefined();
});

test('off, nothing is shown or offered, and calls of the tools fail', async () => {
  await remember('I keep kites');
  await alice.api.memories.setMode({ mode: 'off' });
  const { reply } = await ask(obeying(ORDERS));
  expect(sent()).not.toContain('I keep kites');
  expect(offered()).toEqual([]);
  expect(memoryIn(reply)).toEqual([]);
  expect(reply.context?.memories).toBeUndefined();
  // Not even where a client names the tools as chosen.
  await ask(asking('Hello', { settings: { tools: ['remember', 'forget'] } }));
  expect(offered()).toEqual([]);
  expect(await alice.api.memories.list()).toHaveLength(1);
});

test('turned off while an answer runs, nothing more is saved, proposed or shown', async () => {
  for (const mode of ['on', 'ask'] as const) {
    await alice.api.memories.setMode({ mode });
    await remember('I keep kites');
    meanwhile = () => alice.api.memories.setMode({ mode: 'off' });
    const { reply } = await ask(obeying(`ORDER pause {}\n${ORDERS}`, { settings: { tools: ['pause'] } }));
    // The calls of the first step began at the same time as the pause.
    const before = answerRequests(services.provider).length;
    expect(before).toBeGreaterThan(1);
    expect(sent()).not.toContain(': I keep kites');
    expect(offered()).toEqual([]);
    expect(reply.reason).toBeNull();
    await alice.api.memories.clear({});
  }
});

test('a call that was made before memory was turned off saves nothing after that', async () => {
  meanwhile = async () => {
    await alice.api.memories.setMode({ mode: 'off' });
  };
  // One after the other: the limit of calls at the same time lets the last ones wait for the pause.
  const pauses = Array.from({ length: 4 }, (_, n) => `ORDER pause {"input":"${n}"}`).join('\n');
  const { reply } = await ask(obeying(`${pauses}\n${ORDERS}`, { settings: { tools: ['pause'] } }));
  expect(memoryIn(reply).filter(({ state }) => state !== 'proposed')).toEqual([]);
  expect(await alice.api.memories.list()).toEqual([]);
});

test('a chat may go without, and temporary chats always do', async () => {
  await remember('I keep kites');
  const without = await ask(asking('Hello', { settings: { memory: false } }));
  expect(without.convo.settings).toEqual({ memory: false });
  expect(sent()).not.toContain('I keep kites');
  expect(offered()).toEqual([]);
  await ask(asking('Hello', { isTemporary: true }));
  expect(sent()).not.toContain('I keep kites');
  expect(offered()).toEqual([]);
});

test('endpoints that are left out are told nothing, also where they answer for an assistant', async () => {
  await remember('I keep kites');
  await alice.api.memories.setMode({ mode: 'on', exceptEndpoints: ['openAI'] });
  await ask(asking('Hello'));
  expect(sent()).not.toContain('I keep kites');
  expect(offered()).toEqual([]);
  const { assistantId } = await alice.api.assistants.create({ name: 'Own', endpoint: 'openAI', model: 'gpt-4' });
  const settings = { assistant_id: assistantId };
  await ask(asking('Hello', { endpoint: 'assistants', model: null, settings }));
  expect(sent()).not.toContain('I keep kites');
  await alice.api.memories.setMode({ mode: 'on', exceptEndpoints: [] });
  await ask(asking('Hello', { endpoint: 'assistants', model: null, settings }));
  expect(sent()).toContain('I keep kites');
});

test('a model without tools is shown what is remembered, and offered nothing', async () => {
  await remember('I keep kites');
  const { reply } = await ask(asking('Hello', { model: 'gpt-3.5-turbo-instruct' }));
  expect(sent()).toContain('I keep kites');
  expect(offered()).toEqual([]);
  expect(reply.parts.some(({ type }) => type === 'tool_call')).toBe(false);
});

test('a model whose provider refuses tools answers in silence', async () => {
  await remember('I keep kites');
  const { reply } = await ask(asking('[[no-tools]]', { model: 'gpt-4-32k' }));
  expect(reply.parts).toMatchObject([{ type: 'text', text: 'I have no tools.' }]);
  expect(sent()).toContain('I keep kites');
});

test('what a folder or an assistant remembers stays there', async () => {
  const { id: folderId } = await alice.api.folders.create({ id: randomUUID(), name: 'Birds' });
  const { assistantId } = await alice.api.assistants.create({ name: 'Own', endpoint: 'openAI', model: 'gpt-4' });
  await remember('Of all chats');
  await remember('Of the folder', `folder:${folderId}`);
  await remember('Of the assistant', `assistant:${assistantId}`);
  const shown = () => ['all chats', 'the folder', 'the assistant'].filter((name) => sent().includes(`: Of ${name}`));
  await ask(asking('Hello'));
  expect(shown()).toEqual(['all chats']);
  await ask(asking('Hello', { folderId }));
  expect(shown()).toEqual(['all chats', 'the folder']);
  const settings = { assistant_id: assistantId };
  await ask(asking('Hello', { endpoint: 'assistants', model: null, settings }));
  expect(shown()).toEqual(['all chats', 'the assistant']);
  const { reply } = await ask(obeying('ORDER remember {"text":"Kites nest in trees"}', { folderId }));
  expect(memoryIn(reply)).toMatchObject([{ state: 'saved', scope: `folder:${folderId}` }]);
});

test('an assistant of somebody else is shown nothing', async () => {
  const made = { name: 'Theirs', endpoint: 'openAI', model: 'gpt-4', isShared: true };
  const { assistantId } = await bob.api.assistants.create(made);
  await remember('I keep kites');
  const settings = { assistant_id: assistantId };
  const { reply } = await ask(asking('Hello', { endpoint: 'assistants', model: null, settings }));
  expect(sent()).not.toContain('I keep kites');
  expect(reply.context?.memories).toBeUndefined();
});

test('of more than 2,000 tokens the question chooses, then the most used', async () => {
  const long = (n: number, word = 'filler') => `${word} ${String(n)} ${'words and more '.repeat(25)}`.trim();
  const rows = Array.from({ length: 60 }, (_, n) => ({ userId: alice.id, id: randomUUID(), text: long(n), uses: n }));
  await services.deps.db.query
    .insert(memories)
    .values([...rows, { userId: alice.id, id: randomUUID(), text: long(99, 'kestrels'), uses: 0 }]);
  const { reply } = await ask(asking('What do kestrels eat?'));
  const ids = reply.context?.memories ?? [];
  expect(ids.length).toBeGreaterThan(10);
  expect(ids.length).toBeLessThan(40);
  expect(sent()).toContain('kestrels 99');
  expect(sent()).toContain(': filler 59');
  expect(sent()).not.toContain(': filler 0 ');
  const all = await services.deps.db.query.select().from(memories).where(eq(memories.userId, alice.id));
  const tokens = all.filter(({ id }) => ids.includes(id)).reduce((sum, { text }) => sum + estimateTokens(text), 0);
  expect(tokens).toBeLessThanOrEqual(MEMORY_TOKENS_MAX);
});

test('the same sentence in two answers is one entry, and a call that is repeated saves nothing new', async () => {
  const order = 'ORDER remember {"text":"I keep kites"}';
  const [first, second] = [await ask(obeying(order)), await ask(obeying(order))];
  expect(statesIn(second.reply)).toEqual(['saved']);
  expect(memoryIn(first.reply)[0]?.id).toBe(memoryIn(second.reply)[0]?.id);
  expect(await alice.api.memories.list()).toHaveLength(1);
});

test.each(['See https://example.com', 'x'.repeat(501), ''])(
  '%j is not remembered, and the model hears why',
  async (text) => {
    const { reply } = await ask(obeying(`ORDER remember ${JSON.stringify({ text })}`));
    expect(memoryIn(reply)).toEqual([]);
    expect(reply.parts.flatMap((part) => (part.type === 'tool_call' ? [part.call.state] : []))).toEqual(['failed']);
    expect(await alice.api.memories.list()).toEqual([]);
  },
);

test('a proposal is kept once its person presses the button, with the reply that it comes from', async () => {
  await alice.api.memories.setMode({ mode: 'ask' });
  const { reply, convo } = await ask(obeying('ORDER remember {"text":"I keep kites"}'));
  const [proposed] = memoryIn(reply);
  if (!proposed) throw new Error('Nothing is proposed');
  const from = { messageId: reply.messageId };
  const { id, text } = proposed;
  await alice.api.memories.save({ id, text, scope: '', from });
  expect(await alice.api.memories.list()).toMatchObject([
    { id, text, source: 'model', from: { conversationId: convo.conversationId } },
  ]);
});

test('an ask of a person without memory sends no statement about memories', async () => {
  const sentFor = async (who: Person) => {
    const input = asking('Hello');
    const sent = await statementsOf(async () => {
      await services.deps.askService.ask(who.id, input);
      await readAll(services, who.id, input.generationId);
    });
    return sent.filter((one) => /\bmemories\b/.test(one));
  };
  expect(await sentFor(bob)).toEqual([]);
  expect(await sentFor(alice)).toHaveLength(1);
});

test('what is remembered counts in the budget of a question, as far as the question fits beside it', async () => {
  const draft = { conversationId: randomUUID(), parentMessageId: null, endpoint: 'openAI', settings: {} };
  const told = (over: { model: string; text: string }) => alice.api.messages.budget({ ...draft, ...over });
  const before = await told({ model: 'gpt-4', text: 'Birds' });
  expect(before.instructions).toBe(0);
  await remember('I keep kites');
  const { instructions } = await told({ model: 'gpt-4', text: 'Birds' });
  const { reply } = await ask(asking('Birds'));
  expect(instructions).toBe(reply.context?.instructions);
  // So long that it only fits alone.
  const text = 'word '.repeat(before.window - before.reserve - 20);
  expect(await told({ model: 'gpt-4', text })).toMatchObject({ fits: true, instructions: 0 });
});
