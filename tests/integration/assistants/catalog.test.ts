// Assistants wherever a model takes tools: which installations offer them, and who answers.
import { assistants } from '@parley/db/tables/assistants';
import { messageText } from '@parley/schema/messages/messages';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEndpoints } from '../../support/endpoints.ts';
import { exchange, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const CUSTOM = `
endpoints:
  custom:
    - name: Kitchen
      apiKey: k
      baseURL: https://kitchen.example/v1
      models: { default: [stew] }
`;

describe('assistants are offered', () => {
  it.each([
    ['with a key of OpenAI alone', { env: { OPENAI_API_KEY: 'k', OPENAI_MODELS: 'gpt-4o' } }, ['gpt-4o']],
    ['with a key of Anthropic alone', { env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_MODELS: 'claude' } }, ['claude']],
    ['with a key of Google alone', { env: { GOOGLE_KEY: 'k', GOOGLE_MODELS: 'gemini-pro' } }, ['gemini-pro']],
    ['with an endpoint of the yaml file alone', { env: {}, yaml: CUSTOM }, ['stew']],
    ['with the keys of users alone', { env: { OPENAI_API_KEY: 'user_provided', OPENAI_MODELS: 'gpt-4o' } }, ['gpt-4o']],
  ])('%s, with its models, behind all others', async (_, setup, models) => {
    const endpoints = await openEndpoints(setup);
    expect(endpoints.list().at(-1)?.name).toBe('assistants');
    const { config, models: modelsOf } = endpoints.assert('assistants');
    expect(config).toEqual({
      userProvide: false,
      capabilities: ['code_interpreter', 'image_vision', 'retrieval', 'actions', 'tools'],
      order: 10_000,
    });
    expect(await modelsOf('alice')).toEqual(models);
  });

  it('where ENDPOINTS places them', async () => {
    const endpoints = await openEndpoints({ env: { OPENAI_API_KEY: 'k', ENDPOINTS: 'assistants,openAI' } });
    expect(endpoints.list().map(({ name }) => name)).toEqual(['assistants', 'openAI']);
  });

  it('with the models that ASSISTANTS_MODELS leaves of the others', async () => {
    const env = { OPENAI_API_KEY: 'k', OPENAI_MODELS: 'gpt-4o,gpt-4', ASSISTANTS_MODELS: 'gpt-4,gpt-99' };
    expect(await (await openEndpoints({ env })).assert('assistants').models('alice')).toEqual(['gpt-4']);
  });

  it('without the code interpreter where INTERPRETER is off', async () => {
    const { config } = (await openEndpoints({ env: { OPENAI_API_KEY: 'k', INTERPRETER: 'off' } })).assert('assistants');
    expect(config.capabilities).toEqual(['image_vision', 'retrieval', 'actions', 'tools']);
  });

  it('with the models that may search files only where the operator names them', async () => {
    const yaml = 'endpoints: { assistants: { retrievalModels: [gpt-4] } }';
    const { config } = (await openEndpoints({ env: { OPENAI_API_KEY: 'k' }, yaml })).assert('assistants');
    expect(config.retrievalModels).toEqual(['gpt-4']);
  });

  it.each([
    ['without an endpoint whose models take tools', { CHATGPT_TOKEN: 'user_provided' }],
    ['where ENDPOINTS leaves them out', { OPENAI_API_KEY: 'k', ENDPOINTS: 'openAI' }],
    ['where they are switched off', { OPENAI_API_KEY: 'k', ASSISTANTS_API_KEY: 'off' }],
  ])('not %s', async (_, env) => {
    const names = (await openEndpoints({ env })).list().map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names).not.toContain('assistants');
  });
});

describe('with keys of providers alone', () => {
  let services: TestServices;
  let alice: Person;

  beforeAll(async () => {
    services = await openTestServices({
      OPENAI_MODELS: 'fake:echo,gpt-4',
      ANTHROPIC_API_KEY: 'fake',
      ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
      ANTHROPIC_MODELS: 'claude-3-haiku-20240307,fake:echo',
    });
    alice = await services.as('alice');
  });
  afterAll(() => services.close());

  it('a model without an endpoint is answered by the first one that offers it', async () => {
    expect(await alice.api.assistants.create({ model: 'claude-3-haiku-20240307' })).toMatchObject({
      endpoint: 'anthropic',
    });
    const made = await alice.api.assistants.create({ model: 'fake:echo', name: 'Poet', instructions: 'In verse.' });
    expect(made.endpoint).toBe('openAI');
    const { reply } = await ask(made.assistantId, 'Who is it that answers?');
    expect(reply).toMatchObject({ endpoint: 'assistants', sender: 'Poet', model: 'fake:echo', reason: null });
    expect(messageText(reply)).toBe('Who is it that answers?');
  });

  it('an older assistant, which names no endpoint, is answered as well', async () => {
    const { assistantId } = await alice.api.assistants.create({ model: 'fake:echo' });
    await services.deps.db.query.update(assistants).set({ endpoint: null }).where(eq(assistants.id, assistantId));
    expect((await ask(assistantId, 'Still there?')).reply.reason).toBeNull();
  });

  it('a model that nobody offers cannot be saved, and the refusal says so', async () => {
    const inVain = [
      { model: 'gpt-99' },
      { model: 'gpt-4', endpoint: 'anthropic' },
      { model: 'gpt-4', endpoint: 'gptPlugins' },
    ];
    const refusals = await Promise.all(inVain.map((input) => alice.api.assistants.create(input).catch(reasonIn)));
    expect(refusals).toEqual([
      { type: 'invalid_input', text: 'No endpoint offers the model gpt-99 for assistants' },
      { type: 'invalid_input', text: 'anthropic does not offer the model gpt-4' },
      { type: 'invalid_input', text: 'The endpoint gptPlugins cannot answer for assistants' },
    ]);
  });

  it('a changed model finds its endpoint, and one that stays is not looked up', async () => {
    const { assistantId } = await alice.api.assistants.create({ model: 'gpt-4' });
    const change = (over: object) => alice.api.assistants.update({ assistantId, ...over });
    expect(await change({ model: 'claude-3-haiku-20240307' })).toMatchObject({ endpoint: 'anthropic' });
    expect(await change({ model: 'fake:echo' })).toMatchObject({ endpoint: 'anthropic' });
    expect(await change({ model: 'fake:echo', endpoint: 'openAI' })).toMatchObject({ endpoint: 'openAI' });
    await expect(change({ model: 'gpt-99' })).rejects.toThrow('invalid_input');
    await services.deps.db.query.update(assistants).set({ model: 'gone' }).where(eq(assistants.id, assistantId));
    expect(await change({ model: 'gone', name: 'Renamed' })).toMatchObject({ name: 'Renamed', endpoint: 'openAI' });
  });

  it('a chat may take another model of the endpoint that answers, and of no other', async () => {
    const { assistantId } = await alice.api.assistants.create({ model: 'gpt-4', endpoint: 'openAI' });
    const models = await Promise.all(
      ['fake:echo', 'claude-3-haiku-20240307', null].map(
        async (model) => (await ask(assistantId, `By ${model}?`, model)).reply.model,
      ),
    );
    expect(models).toEqual(['fake:echo', 'gpt-4', 'gpt-4']);
  });

  it('the title is written by the endpoint that answers, with its own model for titles', async () => {
    const text = 'A title of Claude, please';
    const { assistantId } = await alice.api.assistants.create({ model: 'claude-3-haiku-20240307' });
    const { convo } = await ask(assistantId, text);
    const { conversationId } = convo;
    await expect.poll(async () => (await alice.api.convos.byId({ conversationId })).title).not.toBeNull();
    const asked = services.provider.requests.filter(isAskedAbout(text)).map(({ body }) => Object(body).model);
    expect(new Set(asked)).toEqual(new Set(['claude-3-haiku-20240307']));
  });

  const ask = (assistantId: string, text: string, model: string | null = null) =>
    exchange(
      services,
      alice.id,
      question(text, { endpoint: 'assistants', model, settings: { assistant_id: assistantId } }),
    );
});

it("people who bring their own key are asked for the answering endpoint's key", async () => {
  const services = await openTestServices({ OPENAI_API_KEY: 'user_provided', OPENAI_MODELS: 'fake:echo' });
  const alice = await services.as('alice');
  const { assistantId } = await alice.api.assistants.create({ model: 'fake:echo' });
  const asked = question('Hi', { endpoint: 'assistants', model: null, settings: { assistant_id: assistantId } });
  expect(await alice.api.messages.ask(asked).catch(reasonIn)).toEqual({ type: 'no_user_key', endpoint: 'openAI' });
  await services.close();
});

function reasonIn(error: unknown): unknown {
  return Object(Object(error).cause).reason;
}
