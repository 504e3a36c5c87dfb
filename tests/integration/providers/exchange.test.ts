// Whole exchanges with every endpoint: what was asked, answered, titled, refused and saved.
import { randomUUID } from 'node:crypto';
import type { Assistant } from '@parley/schema/assistants/assistants';
import type { CreateAssistant } from '@parley/schema/assistants/assistant-inputs';
import type { AskInput } from '@parley/schema/chat/ask';
import { messageText, type Message } from '@parley/schema/messages/messages';
import type { Settings } from '@parley/schema/catalog/params';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { another, continuation, edition } from '../chat/asks.ts';

let upstream: FakeProvider;
let services: TestServices;
let alice: Person;

beforeAll(async () => {
  upstream = await startFakeProvider();
  services = await openTestServices({
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_REVERSE_PROXY: upstream.url,
    GOOGLE_KEY: 'k',
    GOOGLE_REVERSE_PROXY: upstream.url,
    AZURE_API_KEY: 'k',
    AZURE_OPENAI_API_VERSION: '2024-02-01',
    AZURE_OPENAI_BASEURL: `${upstream.url}/openai/deployments/\${DEPLOYMENT_NAME}`,
    AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
    AZURE_OPENAI_MODELS: 'fake:echo,fake:reasoning,fake:error-401',
    OPENAI_MODERATION: 'true',
    OPENAI_MODERATION_API_KEY: 'mod-1',
    OPENAI_MODERATION_REVERSE_PROXY: `${upstream.url}/v1/moderations`,
  });
  alice = await services.as('alice');
});
afterAll(async () => {
  await services.close();
  await upstream.close();
});

describe.each([
  ['anthropic', 'Claude', 'claude-sonnet-5'],
  ['google', 'PaLM2', 'gemini-2.5-flash'],
  ['azureOpenAI', 'Azure OpenAI', 'fake:reasoning'],
])('%s', (endpoint, sender, thinker) => {
  it('answers, and the conversation gets a title from it', async () => {
    const asked = question(`How do I boil an egg with ${endpoint}?`, { endpoint });
    const { reply, convo } = await exchange(services, alice.id, asked);
    expect(messageText(reply)).toBe(`How do I boil an egg with ${endpoint}?`);
    expect(reply).toMatchObject({ endpoint, endpointType: endpoint, sender, finishReason: 'stop', reason: null });
    const read = async () => (await alice.api.convos.byId({ conversationId: convo.conversationId })).title;
    await expect.poll(read).toMatch(/^Boil an Egg/);
    expect(upstream.requests.some(({ scenario }) => scenario === 'title')).toBe(true);
  });

  it('stores reasoning apart from the text', async () => {
    const { reply } = await exchange(services, alice.id, question('Think [[reasoning]]', { endpoint, model: thinker }));
    expect(reply.parts.map((part) => part.type)).toEqual(['reasoning', 'text']);
  });

  it('names itself in the failure of a wrong key', async () => {
    const { reply } = await exchange(services, alice.id, question('Hi', { endpoint, model: 'fake:error-401' }));
    expect(reply.reason).toMatchObject({ type: 'invalid_api_key', endpoint });
  });
});

describe('a conversation', () => {
  it('continues with another provider, which gets the answers of the first', async () => {
    const first = await exchange(services, alice.id, question('My name is Alice.', { endpoint: 'anthropic' }));
    await exchange(services, alice.id, followUp('What is my name?', first, { endpoint: 'google' }));
    const heard = upstream.requests.findLast(({ path }) => path.includes('streamGenerateContent'));
    expect(JSON.stringify(heard?.body)).toContain('My name is Alice.');
  });
});

describe('moderation', () => {
  it('sees what a person wrote for all chats and for the folder, as far as it is sent', async () => {
    const dave = await services.as('dave');
    await dave.api.settings.set({ personal: { about: 'I keep bees.' } });
    const folder = await dave.api.folders.create({ id: randomUUID(), name: 'Honey', instructions: 'Metric units.' });
    const checked = async (over: object) => {
      await exchange(services, dave.id, question('How much does a jar hold?', over));
      return JSON.stringify(upstream.requests.findLast(({ path }) => path === '/v1/moderations')?.body);
    };
    const all = await checked({ folderId: folder.id });
    for (const words of ['I keep bees.', 'Metric units.']) expect(all).toContain(words);
    expect(await checked({ settings: { personal: false } })).not.toContain('I keep bees.');
    await dave.api.folders.update({ id: folder.id, instructions: '[[flagged]]' });
    const flagged = dave.api.messages.ask(question('And a barrel?', { folderId: folder.id }));
    await expect(flagged).rejects.toMatchObject({ cause: { reason: { type: 'moderation' } } });
  });

  it('refuses flagged text before the provider is called', async () => {
    const flagged = question('A [[flagged]] question', { model: 'fake:echo' });
    await expect(alice.api.messages.ask(flagged)).rejects.toMatchObject({ cause: { reason: { type: 'moderation' } } });
    expect(services.provider.requests.some(({ body }) => JSON.stringify(body ?? '').includes('[[flagged]]'))).toBe(
      false,
    );
    const asked = upstream.requests.findLast(({ path }) => path === '/v1/moderations');
    expect(asked).toMatchObject({
      headers: { authorization: 'Bearer mod-1' },
      body: { input: 'A [[flagged]] question' },
    });
  });

  it('applies to OpenAI models only, and passes harmless text', async () => {
    const kind = await exchange(services, alice.id, question('A kind word', { model: 'fake:echo' }));
    expect(messageText(kind.reply)).toBe('A kind word');
    const elsewhere = question('Also [[flagged]]', { endpoint: 'anthropic' });
    expect(messageText((await exchange(services, alice.id, elsewhere)).reply)).toBe('Also [[flagged]]');
  });

  it('checks questions to an assistant that such a model answers, with its instructions', async () => {
    const create = (over: Partial<CreateAssistant>) =>
      alice.api.assistants.create({ model: 'fake:echo', endpoint: 'openAI', ...over });
    const asking = (text: string, { assistantId }: Assistant) =>
      question(text, { endpoint: 'assistants', model: null, settings: { assistant_id: assistantId } });
    const poet = await create({ instructions: 'Answer in verse.' });
    await expectFlagged(asking('A [[flagged]] verse', poet));
    await expectFlagged(asking('A verse', await create({ instructions: 'Be [[flagged]].' })));
    upstream.clear();
    expect(messageText((await exchange(services, alice.id, asking('A verse', poet))).reply)).toBe('A verse');
    const bodies = upstream.requests.flatMap(({ path, body }) => (path === '/v1/moderations' ? [body] : []));
    expect(bodies).toEqual([{ input: 'A verse\n\nAnswer in verse.' }]);
    const elsewhere = await create({ endpoint: 'anthropic', model: 'claude-sonnet-5' });
    const { reply } = await exchange(services, alice.id, asking('Also [[flagged]]', elsewhere));
    expect(messageText(reply)).toContain('Also [[flagged]]');
  });

  it('checks the current text of a question that is asked again', async () => {
    const first = await exchange(services, alice.id, question('Harmless at first', { model: 'fake:echo' }));
    await edit(first.request, 'Now it is [[flagged]]');
    await expectFlagged(another(first, { model: 'fake:echo' }));
    await edit(first.request, 'Harmless again');
    const { reply } = await exchange(services, alice.id, another(first, { model: 'fake:echo' }));
    expect(messageText(reply)).toBe('Harmless again');
  });

  it('checks a question that another endpoint answered when it is asked here', async () => {
    const elsewhere = await exchange(services, alice.id, question('[[flagged]] there', { endpoint: 'anthropic' }));
    await expectFlagged(another(elsewhere, { model: 'fake:echo' }));
    await expectFlagged(another(elsewhere, { endpoint: 'azureOpenAI', model: 'fake:echo' }));
  });

  it('checks an edited answer that is continued, and the question above it', async () => {
    const first = await exchange(services, alice.id, question('Go on', { model: 'fake:length' }));
    await expectFlagged(edition('So said [[flagged]] it', first, { model: 'fake:echo' }));
    await edit(first.reply, 'So said it: [[flagged]]');
    await expectFlagged(continuation(first, { model: 'fake:echo' }));
    await edit(first.reply, 'So said it');
    await edit(first.request, 'Go on [[flagged]]');
    await expectFlagged(continuation(first, { model: 'fake:echo' }));
    await expectFlagged(edition('So said it, and', first, { model: 'fake:echo' }));
  });

  it('checks the instructions and the name with the question, in one call', async () => {
    const asked = (settings: Settings) => question('Who are you?', { model: 'fake:echo', settings });
    await expectFlagged(asked({ promptPrefix: 'You are [[flagged]].' }));
    await expectFlagged(asked({ chatGptLabel: '[[flagged]]' }));
    upstream.clear();
    await exchange(services, alice.id, asked({ promptPrefix: 'Be kind.', temperature: 0.3 }));
    const bodies = upstream.requests.flatMap(({ path, body }) => (path === '/v1/moderations' ? [body] : []));
    expect(bodies).toEqual([{ input: 'Who are you?\n\nBe kind.' }]);
  });

  it('is not repeated for an ask that has begun', async () => {
    const asked = question('Only once, please', { model: 'fake:echo' });
    const calls = () => upstream.requests.filter(({ body }) => JSON.stringify(body ?? '').includes('Only once')).length;
    const first = await exchange(services, alice.id, asked);
    expect(calls()).toBe(1);
    expect((await exchange(services, alice.id, asked)).reply).toEqual(first.reply);
    expect(calls()).toBe(1);
  });

  it('refuses everything when it is unreachable', async () => {
    const closed = await openTestServices({
      OPENAI_MODERATION: 'true',
      OPENAI_MODERATION_API_KEY: 'mod-1',
      OPENAI_MODERATION_REVERSE_PROXY: `${upstream.url}/as/error-500/v1/moderations`,
    });
    const bob = await closed.as('bob');
    await expect(bob.api.messages.ask(question('Hello'))).rejects.toMatchObject({
      cause: { reason: { type: 'unavailable' } },
    });
    await closed.close();
  });
});

function edit({ conversationId, messageId }: Message, text: string) {
  return alice.api.messages.edit({ conversationId, messageId, text });
}

async function expectFlagged(input: AskInput): Promise<void> {
  await expect(alice.api.messages.ask(input)).rejects.toMatchObject({ cause: { reason: { type: 'moderation' } } });
  expect(services.provider.requests.some(isAskedAbout('[[flagged]]'))).toBe(false);
}
