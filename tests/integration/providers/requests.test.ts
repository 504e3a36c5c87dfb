// What is sent, compared with each provider's documented protocol.
import { createVerify } from 'node:crypto';
import type { Settings } from '@parley/schema/catalog/params';
import { startFakeProvider, type FakeProvider, type RecordedRequest } from '@parley/scripts/fake-provider';
import type { ChatMessage } from '@parley/server/providers/provider';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hear, openEndpoints, type Setup } from '../../support/endpoints.ts';
import { publicKey, serviceKeyFile, writeServiceKey } from '../../support/service-key.ts';

let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider();
});
beforeEach(() => provider.clear());
afterAll(() => provider.close());

const talk: ChatMessage[] = [
  { role: 'user', content: 'My name is Alice.' },
  { role: 'assistant', content: 'Hello, Alice.' },
  { role: 'user', content: 'What is my name?' },
];

interface Asked {
  endpoint: string;
  model: string;
  settings?: Settings;
  messages?: ChatMessage[];
}

/** The request that a question becomes; the answer must have been a good one. */
async function requestOf(setup: Setup, { messages = talk, ...asked }: Asked): Promise<RecordedRequest> {
  const heard = await hear(await openEndpoints(setup), { messages, ...asked });
  expect(heard).toMatchObject({ finish: 'stop', reason: null });
  const request = provider.requests.findLast(({ path }) => path !== '/token');
  if (!request) throw new Error('Nothing was asked');
  return request;
}

/** A custom endpoint; `more` is the rest of its line. */
function custom(name: string, more = ''): Setup {
  const entry = `name: ${name}, apiKey: k, baseURL: ${provider.url}/v1, models: { default: [one] }${more}`;
  return { yaml: `endpoints:\n  custom:\n    - { ${entry} }\n` };
}

describe('OpenAI', () => {
  const setup = (env = {}) => ({
    env: { OPENAI_API_KEY: 'sk-1', OPENAI_REVERSE_PROXY: `${provider.url}/v1`, ...env },
  });

  it('gets a chat with the instructions just before the question', async () => {
    const settings = {
      promptPrefix: 'Be brief.',
      temperature: 0.5,
      stop: ['END'],
      chatGptLabel: 'Al_the 2nd!',
      resendFiles: false,
    };
    const request = await requestOf(setup({ OPENAI_ORGANIZATION: 'org-1' }), {
      endpoint: 'openAI',
      model: 'gpt-4',
      settings,
    });
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-1', 'openai-organization': 'org-1' },
    });
    expect(request.body).toEqual({
      model: 'gpt-4',
      messages: [
        talk[0],
        { ...talk[1], name: 'Al_the2nd' },
        { role: 'system', name: 'instructions', content: 'Instructions:\nBe brief.' },
        talk[2],
      ],
      stream: true,
      stream_options: { include_usage: true },
      user: 'alice',
      temperature: 0.5,
      stop: ['END'],
    });
  });

  it.each(['o3-mini', 'gpt-5', 'gpt-5-mini'])('of %s gets no parameter that it refuses', async (model) => {
    const settings = { temperature: 0.5, top_p: 0.9, presence_penalty: 1, frequency_penalty: 1, stop: ['END'] };
    const { body } = await requestOf(setup(), { endpoint: 'openAI', model, settings, messages: talk.slice(2) });
    expect(body).toEqual({
      model,
      messages: talk.slice(2),
      stream: true,
      stream_options: { include_usage: true },
      user: 'alice',
    });
  });

  it.each([
    ['o3', 'high'],
    ['gpt-5-mini', 'minimal'],
    ['openai/gpt-5.2', 'none'],
    ['gpt-6.2-astra', 'xhigh'],
  ])('of %s gets the reasoning effort: %s', async (model, effort) => {
    const asked = { endpoint: 'openAI', model, settings: { reasoning_effort: effort }, messages: talk.slice(2) };
    expect((await requestOf(setup(), asked)).body).toMatchObject({ reasoning_effort: effort });
  });

  it.each(['gpt-4o', 'o1-mini', 'gpt-5-chat-latest'])('of %s gets no reasoning effort', async (model) => {
    const asked = { endpoint: 'openAI', model, settings: { reasoning_effort: 'low' }, messages: talk.slice(2) };
    expect((await requestOf(setup(), asked)).body).not.toHaveProperty('reasoning_effort');
  });

  it.each(['o1', 'gpt-5-chat-latest'])('of %s gets its token limit under the name that it knows', async (model) => {
    const entry = `name: Mine, apiKey: k, baseURL: ${provider.url}/v1, models: { default: [${model}] }`;
    const yaml = `endpoints:\n  custom:\n    - { ${entry}, addParams: { max_tokens: 2000 } }\n`;
    const { body } = await requestOf({ yaml }, { endpoint: 'Mine', model });
    expect(body).toMatchObject({ max_completion_tokens: 2000 });
    expect(body).not.toHaveProperty('max_tokens');
  });

  it.each([
    ['gpt-3.5-turbo-instruct', {}],
    ['text-davinci-003', {}],
    ['gpt-4', { OPENAI_FORCE_PROMPT: 'true' }],
  ])('of %s with %o gets a prompt', async (model, env) => {
    const request = await requestOf(setup(env), {
      endpoint: 'openAI',
      model,
      settings: { promptPrefix: 'Be brief.', stop: ['END'] },
    });
    expect(request.path).toBe('/v1/completions');
    expect(request.body).toEqual({
      model,
      prompt:
        '||>Instructions:\nBe brief.\n\n||>User:\nMy name is Alice.\n\n||>Assistant:\nHello, Alice.\n\n' +
        '||>User:\nWhat is my name?\n\n||>Assistant:\n',
      stream: true,
      stream_options: { include_usage: true },
      user: 'alice',
      max_tokens: 1024,
      stop: ['||>', 'END'],
    });
  });
});

describe('a custom endpoint', () => {
  it('adds and drops parameters and headers, dropping last', async () => {
    const more = ', addParams: { safe_prompt: true, top_p: 0.1 }, dropParams: [user, top_p], headers: { x-team: blue }';
    const request = await requestOf(custom('Mine', more), { endpoint: 'Mine', model: 'one', messages: talk.slice(2) });
    expect(request.headers).toMatchObject({ 'x-team': 'blue', authorization: 'Bearer k' });
    expect(request.body).toEqual({
      model: 'one',
      messages: talk.slice(2),
      stream: true,
      stream_options: { include_usage: true },
      safe_prompt: true,
    });
  });

  it('gets a prompt when that is forced, and a chat when only the name of the model says instruct', async () => {
    const forced = await requestOf(custom('Mine', ', forcePrompt: true'), { endpoint: 'Mine', model: 'one' });
    expect(forced.path).toBe('/v1/completions');
    const chat = await requestOf(custom('Mine'), { endpoint: 'Mine', model: 'mistral-7b-instruct' });
    expect(chat.path).toBe('/v1/chat/completions');
  });

  it('of Mistral gets the instructions first and no parameter that Mistral refuses', async () => {
    const asked = { endpoint: 'Mistral', model: 'one', settings: { promptPrefix: 'Be brief.', chatGptLabel: 'Al' } };
    expect((await requestOf(custom('Mistral'), asked)).body).toEqual({
      model: 'one',
      messages: [{ role: 'system', content: 'Instructions:\nBe brief.' }, ...talk],
      stream: true,
    });
  });

  it('of Perplexity gets the instructions first and no stop sequences', async () => {
    const asked = { endpoint: 'Perplexity', model: 'one', settings: { promptPrefix: 'Be brief.', stop: ['END'] } };
    const { body } = await requestOf(custom('Perplexity'), asked);
    expect(body).toMatchObject({ messages: [{ role: 'system' }, ...talk] });
    expect(body).not.toHaveProperty('stop');
    expect(body).not.toHaveProperty('user');
  });

  it('of OpenRouter gets the referring site, unless configured otherwise', async () => {
    const asked = { endpoint: 'OpenRouter', model: 'one' };
    const told = await requestOf(custom('OpenRouter'), asked);
    expect(told.headers).toMatchObject({ 'http-referer': 'https://parley.example', 'x-title': 'Our Parley' });
    const other = await requestOf(custom('OpenRouter', ', headers: { X-Title: Other }'), asked);
    expect(other.headers['x-title']).toBe('Other');
  });

  it('of an endpoint whose header names the person gets the id of who asks', async () => {
    const headers = ', headers: { X-User: "id {{LIBRECHAT_USER_ID}}", X-Mail: "{{LIBRECHAT_USER_EMAIL}}" }';
    const told = await requestOf(custom('Mine', headers), { endpoint: 'Mine', model: 'one' });
    expect(told.headers['x-user']).toBe('id alice');
    expect(told.headers).not.toHaveProperty('x-mail');
  });

  it('of Cohere gets the chat format of Cohere', async () => {
    const settings = {
      promptPrefix: 'Be brief.',
      top_p: 0.5,
      presence_penalty: -1,
      frequency_penalty: 2,
      stop: ['END'],
    };
    const request = await requestOf(custom('cohere', ', dropParams: [preamble]'), {
      endpoint: 'cohere',
      model: 'command-r',
      settings,
    });
    expect(request).toMatchObject({ path: '/v1/chat', headers: { authorization: 'Bearer k' } });
    expect(request.body).toEqual({
      model: 'command-r',
      message: 'What is my name?',
      chat_history: [
        { role: 'USER', message: 'My name is Alice.' },
        { role: 'CHATBOT', message: 'Hello, Alice.' },
      ],
      p: 0.5,
      frequency_penalty: 1,
      presence_penalty: 0,
      stop_sequences: ['END'],
      stream: true,
    });
  });
});

describe('Azure', () => {
  const environment = {
    AZURE_API_KEY: 'az-1',
    AZURE_OPENAI_API_INSTANCE_NAME: 'west',
    AZURE_OPENAI_API_DEPLOYMENT_NAME: 'main',
    AZURE_OPENAI_API_VERSION: '2024-10-21',
  };
  const base = () => `${provider.url}/openai/deployments/\${DEPLOYMENT_NAME}`;
  const asked = { endpoint: 'azureOpenAI', model: 'gpt-3.5-turbo', messages: talk.slice(2) };

  it('is called at the instance and the deployment, with its own key header and no model in the body', async () => {
    const setup = { env: { ...environment, AZURE_OPENAI_BASEURL: base() } };
    const request = await requestOf(setup, asked);
    expect(request.path).toBe('/openai/deployments/main/chat/completions');
    expect(request.query).toBe('?api-version=2024-10-21');
    expect(request.headers).toMatchObject({ 'api-key': 'az-1' });
    expect(request.headers).not.toHaveProperty('authorization');
    expect(request.body).toEqual({
      messages: talk.slice(2),
      stream: true,
      stream_options: { include_usage: true },
      user: 'alice',
    });
  });

  it.each(['2023-05-15', '2024-02-01', '2024-08-01-preview'])(
    'of version %s is not asked for usage, which it does not support',
    async (version) => {
      const env = { ...environment, AZURE_OPENAI_API_VERSION: version, AZURE_OPENAI_BASEURL: base() };
      const chat = await requestOf({ env }, asked);
      expect(chat.body).toEqual({ messages: talk.slice(2), stream: true, user: 'alice' });
      const prompt = await requestOf({ env }, { ...asked, model: 'gpt-3.5-turbo-instruct' });
      expect(prompt.path).toBe('/openai/deployments/main/completions');
      expect(prompt.body).not.toHaveProperty('stream_options');
    },
  );

  it('of the first version that supports it is asked for usage', async () => {
    const env = { ...environment, AZURE_OPENAI_API_VERSION: '2024-09-01-preview', AZURE_OPENAI_BASEURL: base() };
    expect((await requestOf({ env }, asked)).body).toMatchObject({ stream_options: { include_usage: true } });
  });

  it('is called at the address of its instance unless another is configured', async () => {
    const endpoints = await openEndpoints({ env: environment });
    const { baseURL, query } = await endpoints.assert('azureOpenAI').target('alice', 'gpt-4');
    expect(baseURL).toBe('https://west.openai.azure.com/openai/deployments/main');
    expect(query).toEqual({ 'api-version': '2024-10-21' });
  });

  it('uses the model without dots as the deployment when configured so', async () => {
    const env = { ...environment, AZURE_OPENAI_BASEURL: base(), AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true' };
    const request = await requestOf({ env }, asked);
    expect(request.path).toBe('/openai/deployments/gpt-35-turbo/chat/completions');
  });

  it('has a separate deployment for completion models', async () => {
    const env = {
      ...environment,
      AZURE_OPENAI_BASEURL: base(),
      AZURE_OPENAI_API_COMPLETIONS_DEPLOYMENT_NAME: 'older',
    };
    const request = await requestOf({ env }, { ...asked, model: 'gpt-3.5-turbo-instruct' });
    expect(request.path).toBe('/openai/deployments/older/completions');
  });

  const yaml = () => `
endpoints:
  azureOpenAI:
    groups:
      - group: west
        apiKey: west-key
        instanceName: west-1
        deploymentName: shared
        version: '2024-10-21'
        baseURL: ${provider.url}/openai/deployments/\${DEPLOYMENT_NAME}
        additionalHeaders: { x-group: west }
        addParams: { seed: 7 }
        dropParams: [user]
        models:
          gpt-4: true
          gpt-4-vision-preview: { deploymentName: vision, version: '2024-03-01-preview' }
      - group: older
        apiKey: older-key
        instanceName: east-1
        deploymentName: older
        version: '2023-05-15'
        baseURL: ${provider.url}/openai/deployments/\${DEPLOYMENT_NAME}
        forcePrompt: true
        models: { gpt-3.5-turbo: true }
      - group: serverless
        apiKey: serverless-key
        serverless: true
        baseURL: ${provider.url}/v1/chat/completions
        models: { mistral-large: true }
`;

  it('with groups finds the deployment of each model', async () => {
    const setup = { yaml: yaml() };
    const shared = await requestOf(setup, { ...asked, model: 'gpt-4' });
    expect(shared).toMatchObject({
      path: '/openai/deployments/shared/chat/completions',
      query: '?api-version=2024-10-21',
      headers: { 'api-key': 'west-key', 'x-group': 'west' },
    });
    expect(shared.body).toEqual({
      messages: talk.slice(2),
      stream: true,
      stream_options: { include_usage: true },
      seed: 7,
    });
    const vision = await requestOf(setup, { ...asked, model: 'gpt-4-vision-preview' });
    expect(vision).toMatchObject({
      path: '/openai/deployments/vision/chat/completions',
      query: '?api-version=2024-03-01-preview',
    });
    const older = await requestOf(setup, asked);
    expect(older).toMatchObject({
      path: '/openai/deployments/older/completions',
      headers: { 'api-key': 'older-key' },
    });
  });

  it('with a serverless group uses the protocol of OpenAI', async () => {
    const request = await requestOf({ yaml: yaml() }, { ...asked, model: 'mistral-large' });
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      query: '',
      headers: { authorization: 'Bearer serverless-key' },
      body: { model: 'mistral-large' },
    });
    expect(request.headers).not.toHaveProperty('api-key');
  });
});

const asking = (content: string): ChatMessage => ({ role: 'user', content });

describe('Anthropic', () => {
  const setup = (env = {}) => ({ env: { ANTHROPIC_API_KEY: 'ant-1', ANTHROPIC_REVERSE_PROXY: provider.url, ...env } });

  it('gets the turns, the system prompt and the parameters', async () => {
    const request = await requestOf(setup(), {
      endpoint: 'anthropic',
      model: 'claude-3-haiku-20240307',
      settings: { promptPrefix: 'Be brief.', modelLabel: 'Al', topK: 7 },
    });
    expect(request).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'ant-1', 'anthropic-version': '2023-06-01' },
    });
    expect(request.body).toEqual({
      model: 'claude-3-haiku-20240307',
      messages: talk,
      system: 'You are Al.\n\nContext:\nBe brief.',
      max_tokens: 4000,
      temperature: 1,
      top_p: 0.7,
      top_k: 7,
      metadata: { user_id: 'alice' },
      stream: true,
    });
  });

  const claude = async (model: string, settings: Settings = {}, messages = talk) => {
    const { body } = await requestOf(setup(), { endpoint: 'anthropic', model, settings, messages });
    const { messages: _talk, metadata: _user, model: _model, stream: _stream, ...rest } = body as Settings;
    return rest;
  };
  const sampling = { temperature: 0.5, topP: 0.9, topK: 7 };

  it('with later models gets only parameters that the user set', async () => {
    expect(await claude('claude-opus-4-1-20250805', { temperature: 0.5 })).toEqual({
      max_tokens: 8192,
      temperature: 0.5,
    });
    expect(await claude('claude-haiku-4-5', { topP: 0.9 })).toEqual({ max_tokens: 8192, top_p: 0.9 });
    expect(await claude('fake:plain', { topK: 7 })).toEqual({ max_tokens: 4000, top_k: 7 });
  });

  it.each([
    ['claude-3-5-haiku-20241022', { temperature: 0.5, top_p: 0.9, top_k: 7 }],
    ['claude-sonnet-4-20250514', { temperature: 0.5, top_p: 0.9, top_k: 7 }],
    ['claude-opus-4-1-20250805', { temperature: 0.5, top_k: 7 }],
    ['claude-haiku-4-5', { temperature: 0.5, top_k: 7 }],
    ['claude-sonnet-4-6', { temperature: 0.5, top_k: 7 }],
    ['fake:plain', { temperature: 0.5, top_k: 7 }],
    ['claude-opus-4-7', {}],
    ['claude-haiku-5-5', {}],
  ])('with %s gets the sampling parameters that it accepts', async (model, told) => {
    const { temperature, top_p, top_k } = await claude(model, sampling);
    expect({ temperature, top_p, top_k }).toEqual({ ...told });
  });

  it.each([
    ['claude-3-7-sonnet-20250219', { thinkingBudget: 2048 }, 2048, 8192 + 2048],
    ['claude-haiku-4-5', { thinkingBudget: 32_768, maxOutputTokens: 64_000 }, 32_768, 64_000],
    ['claude-opus-4-1', { thinkingBudget: 16_384, maxOutputTokens: 20_000 }, 16_384, 32_000],
    ['claude-haiku-4-5', { thinkingBudget: 1, maxOutputTokens: 1 }, 1024, 1025],
  ])('with %s and reasoning %o gets a thinking budget and no sampling', async (model, settings, budget, most) => {
    expect(await claude(model, { ...sampling, ...settings })).toEqual({
      max_tokens: most,
      thinking: { type: 'enabled', budget_tokens: budget },
    });
  });

  it.each([
    ['claude-sonnet-4-6', {}, {}],
    ['claude-sonnet-4-6', { reasoning_effort: 'max' }, { output_config: { effort: 'max' } }],
    ['claude-opus-4-8', {}, {}],
    ['claude-opus-4-8', { reasoning_effort: 'xhigh' }, { output_config: { effort: 'xhigh' } }],
    ['claude-fable-5-2', { reasoning_effort: 'low' }, { output_config: { effort: 'low' } }],
  ])('%s decides how much to think, with %o', async (model, settings, told) => {
    const thinking = { thinking: { type: 'adaptive', display: 'summarized' } };
    expect(await claude(model, settings)).toEqual({
      max_tokens: 16_384,
      ...('output_config' in told && thinking),
      ...told,
    });
  });

  it('with the newest models is asked to show the reasoning', async () => {
    expect(await claude('claude-opus-5-5')).toEqual({
      max_tokens: 16_384,
      thinking: { type: 'adaptive', display: 'summarized' },
    });
  });

  it('shows reasoning only when it was requested', async () => {
    const endpoints = await openEndpoints(setup());
    const ask = { endpoint: 'anthropic', model: 'claude-haiku-4-5', messages: [asking('Why? [[reasoning]]')] };
    expect((await hear(endpoints, ask)).reasoning).toBe('');
    const thinking = await hear(endpoints, { ...ask, settings: { thinkingBudget: 1024 } });
    expect(thinking.reasoning).toContain('think about it first');
  });

  it('gets alternating turns that begin with a user turn', async () => {
    const messages: ChatMessage[] = [
      { role: 'assistant', content: 'Welcome!' },
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two' },
      { role: 'assistant', content: 'Three ' },
    ];
    const { body } = await requestOf(setup(), { endpoint: 'anthropic', model: 'claude-3-opus-20240229', messages });
    expect(body).toMatchObject({
      messages: [
        { role: 'user', content: 'One\n\nTwo' },
        { role: 'assistant', content: 'Three' },
      ],
    });
  });

  it('with the first models gets a prompt when configured so', async () => {
    const asked = { endpoint: 'anthropic', model: 'claude-2.1', settings: { promptPrefix: 'Be brief.' } };
    const request = await requestOf(setup({ ANTHROPIC_FORCE_PROMPT: 'true' }), asked);
    expect(request.path).toBe('/v1/complete');
    expect(request.body).toEqual({
      model: 'claude-2.1',
      prompt:
        'Context:\nBe brief.\n\nHuman: My name is Alice.\n\nAssistant: Hello, Alice.\n\nHuman: What is my name?\n\nAssistant:',
      max_tokens_to_sample: 4000,
      stop_sequences: ['\n\nHuman:'],
      temperature: 1,
      top_p: 0.7,
      top_k: 5,
      metadata: { user_id: 'alice' },
      stream: true,
    });
    expect((await requestOf(setup(), asked)).path).toBe('/v1/messages');
    const later = { ...asked, model: 'claude-3-opus-20240229' };
    expect((await requestOf(setup({ ANTHROPIC_FORCE_PROMPT: 'true' }), later)).path).toBe('/v1/messages');
  });
});

describe('an answer to be continued', () => {
  const begun: ChatMessage[] = [...talk, { role: 'assistant', content: 'Your name' }];
  const asking = expect.stringContaining('Go on exactly where you stopped');
  const anthropicEnv = () => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_REVERSE_PROXY: provider.url });

  it('is the last turn when the provider continues it by itself', async () => {
    const setup = { env: { OPENAI_API_KEY: 'k', OPENAI_REVERSE_PROXY: `${provider.url}/v1` } };
    const chat = await requestOf(setup, { endpoint: 'openAI', model: 'gpt-4', messages: begun });
    expect(chat.body).toMatchObject({ messages: begun });
    const asked = { endpoint: 'openAI', model: 'text-davinci-003', messages: begun };
    expect((await requestOf(setup, asked)).body).toMatchObject({
      prompt: expect.stringMatching(/Assistant:\nYour name$/),
    });
    const early = { endpoint: 'anthropic', model: 'claude-3-haiku-20240307', messages: begun };
    expect((await requestOf({ env: anthropicEnv() }, early)).body).toMatchObject({ messages: begun });
    const first = { ...early, model: 'claude-2.1' };
    const setupOfFirst = { env: { ...anthropicEnv(), ANTHROPIC_FORCE_PROMPT: 'true' } };
    expect((await requestOf(setupOfFirst, first)).body).toMatchObject({
      prompt: expect.stringMatching(/Assistant: Your name$/),
    });
  });

  it('is marked as a prefix for Mistral', async () => {
    const { body } = await requestOf(custom('Mistral'), { endpoint: 'Mistral', model: 'one', messages: begun });
    expect(body).toMatchObject({ messages: [...talk, { role: 'assistant', content: 'Your name', prefix: true }] });
  });

  it('is requested in a user turn when the last turn must be one', async () => {
    const perplexity = { endpoint: 'Perplexity', model: 'one', messages: begun };
    expect((await requestOf(custom('Perplexity'), perplexity)).body).toMatchObject({
      messages: [...begun, { role: 'user', content: asking }],
    });
    const cohere = { endpoint: 'cohere', model: 'command-r', messages: begun };
    expect((await requestOf(custom('cohere'), cohere)).body).toMatchObject({
      message: asking,
      chat_history: [{}, {}, {}, { role: 'CHATBOT', message: 'Your name' }],
    });
    const later = { endpoint: 'anthropic', model: 'claude-opus-4-6', messages: begun };
    const thinking = { ...later, model: 'claude-3-7-sonnet-20250219', settings: { thinkingBudget: 1024 } };
    for (const asked of [later, thinking])
      expect((await requestOf({ env: anthropicEnv() }, asked)).body).toMatchObject({
        messages: [...begun, { role: 'user', content: asking }],
      });
    const gemini = { endpoint: 'google', model: 'gemini-pro', messages: begun };
    const { body } = await requestOf({ env: { GOOGLE_KEY: 'k', GOOGLE_REVERSE_PROXY: provider.url } }, gemini);
    expect(body).toMatchObject({
      contents: [{}, {}, {}, { role: 'model' }, { role: 'user', parts: [{ text: asking }] }],
    });
  });
});

describe('Gemini', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'My name is Alice.' }] },
    { role: 'model', parts: [{ text: 'Hello, Alice.' }] },
    { role: 'user', parts: [{ text: 'What is my name?' }] },
  ];
  const generationConfig = { temperature: 0.2, topP: 0.8, topK: 40, maxOutputTokens: 8192 };
  const byKey = () => ({ env: { GOOGLE_KEY: 'goo-1', GOOGLE_REVERSE_PROXY: provider.url } });
  const byServiceKey = (env = {}) => ({
    env: {
      GOOGLE_SERVICE_KEY_FILE: writeServiceKey(`${provider.url}/token`),
      GOOGLE_VERTEX_REVERSE_PROXY: provider.url,
      ...env,
    },
  });

  it.each(['gemini-pro-latest', 'gemini-flash-latest'])(
    'of the newest version, %s, gets a system instruction',
    async (model) => {
      const asked = { endpoint: 'google', model, settings: { promptPrefix: 'Be brief.' } };
      const { body } = await requestOf(byKey(), asked);
      expect(body).toMatchObject({ contents, systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }] } });
    },
  );

  it('gets contents and a system instruction', async () => {
    const settings = { promptPrefix: 'Be brief.' };
    const request = await requestOf(byKey(), { endpoint: 'google', model: 'gemini-1.5-pro-latest', settings });
    expect(request).toMatchObject({
      path: '/v1beta/models/gemini-1.5-pro-latest:streamGenerateContent',
      query: '?alt=sse',
      headers: { 'x-goog-api-key': 'goo-1' },
    });
    expect(request.body).toEqual({
      contents,
      generationConfig,
      safetySettings: [],
      systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }] },
    });
  });

  it.each([
    ['gemini-2.5-pro', { includeThoughts: true }],
    ['gemini-2.5-flash-preview-05-20', { includeThoughts: true }],
    ['gemini-3-pro-preview', { includeThoughts: true }],
    ['gemini-pro-latest', { includeThoughts: true }],
    ['gemini-flash-latest', { includeThoughts: true }],
    ['gemini-flash-lite-latest', undefined],
    ['gemini-1.0-pro-latest', undefined],
    ['gemini-2.5-flash-lite', undefined],
    ['gemini-2.5-flash-image', undefined],
    ['gemini-2.0-flash', undefined],
  ])('%s is asked for its thoughts when it supports them', async (model, thinkingConfig) => {
    const { body } = await requestOf(byKey(), { endpoint: 'google', model });
    expect((body as { generationConfig: object }).generationConfig).toEqual({
      ...generationConfig,
      ...(thinkingConfig && { thinkingConfig }),
    });
  });

  it('of the first generation gets the instructions before the first question', async () => {
    const settings = { promptPrefix: 'Be brief.', maxOutputTokens: 100 };
    const { body } = await requestOf(byKey(), { endpoint: 'google', model: 'gemini-pro', settings });
    expect(body).toMatchObject({
      contents: [
        { role: 'user', parts: [{ text: 'Be brief.\n\n' }, { text: 'My name is Alice.' }] },
        ...contents.slice(1),
      ],
      generationConfig: { maxOutputTokens: 100 },
    });
    expect(body).not.toHaveProperty('systemInstruction');
  });

  it('gets no safety settings unless the operator has some, and then those', async () => {
    const gemini = { endpoint: 'google', model: 'gemini-1.5-pro' };
    const { env } = byKey();
    // The official client sends an empty list, which changes nothing.
    expect((await requestOf({ env }, gemini)).body).toMatchObject({ safetySettings: [] });
    const strict = { ...env, GOOGLE_SAFETY_HATE_SPEECH: 'block_all', GOOGLE_SAFETY_HARASSMENT: 'OFF' };
    expect((await requestOf({ env: strict }, gemini)).body).toMatchObject({
      safetySettings: [
        { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_LOW_AND_ABOVE' },
        { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' },
      ],
    });
  });

  it('is called at Vertex where GOOGLE_LOC says', async () => {
    const request = await requestOf(byServiceKey({ GOOGLE_LOC: 'europe-west4' }), {
      endpoint: 'google',
      model: 'gemini-1.5-pro',
    });
    expect(request.path).toContain('/locations/europe-west4/');
    const env = { GOOGLE_SERVICE_KEY_FILE: writeServiceKey(`${provider.url}/token`) };
    const hosts = ['europe-west4', 'global'].map(async (place) => {
      const endpoints = await openEndpoints({ env: { ...env, GOOGLE_LOC: place } });
      return (await endpoints.assert('google').target('alice', 'gemini-pro')).baseURL;
    });
    expect(await Promise.all(hosts)).toEqual([
      'https://europe-west4-aiplatform.googleapis.com',
      'https://aiplatform.googleapis.com',
    ]);
  });

  it('is called at Vertex with a service account, whose key is exchanged once for a token', async () => {
    const endpoints = await openEndpoints(byServiceKey());
    const asked = { endpoint: 'google', model: 'gemini-1.5-pro', messages: talk };
    await hear(endpoints, asked);
    expect(await hear(endpoints, asked)).toMatchObject({ finish: 'stop' });
    const [signIn, first, second] = provider.requests;
    expect(provider.requests).toHaveLength(3);
    expect(first).toMatchObject({
      path: '/v1/projects/parley-test/locations/us-central1/publishers/google/models/gemini-1.5-pro:streamGenerateContent',
      query: '?alt=sse',
      body: { contents, generationConfig },
    });
    expect(first?.headers.authorization).toMatch(/^Bearer fake-token-\d+$/);
    expect(second?.headers.authorization).toBe(first?.headers.authorization);
    expect(signIn?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expectAssertion(String(signIn?.body));
  });

  function expectAssertion(form: string): void {
    const fields = new URLSearchParams(form);
    expect(fields.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [header = '', claims = '', signature = ''] = (fields.get('assertion') ?? '').split('.');
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    const now = Math.floor(Date.now() / 1000);
    expect(read(claims)).toEqual({
      iss: 'parley@parley-test.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${provider.url}/token`,
      iat: expect.closeTo(now, -2),
      exp: expect.closeTo(now + 3600, -2),
    });
    const isSigned = createVerify('RSA-SHA256').update(`${header}.${claims}`).verify(publicKey, signature, 'base64url');
    expect(isSigned).toBe(true);
  }

  it('reports a wrong key when the exchange fails', async () => {
    const env = { GOOGLE_SERVICE_KEY_FILE: writeServiceKey(`${provider.url}/as/error-404/token`) };
    const endpoints = await openEndpoints(byServiceKey(env));
    const { reason } = await hear(endpoints, { endpoint: 'google', model: 'gemini-pro', messages: talk });
    expect(reason).toEqual({ type: 'invalid_api_key', endpoint: 'google' });
  });

  it('uses the API key when there are both, and PaLM models the service account', async () => {
    const setup = byServiceKey({ GOOGLE_KEY: 'goo-1', GOOGLE_REVERSE_PROXY: provider.url });
    const gemini = await requestOf(setup, { endpoint: 'google', model: 'gemini-pro' });
    expect(gemini.path).toBe('/v1beta/models/gemini-pro:streamGenerateContent');
    const older = await requestOf(setup, { endpoint: 'google', model: 'text-bison' });
    expect(older.path).toContain('/models/text-bison:serverStreamingPredict');
  });

  it('reports that a PaLM model needs a service account', async () => {
    const endpoints = await openEndpoints(byKey());
    const { reason } = await hear(endpoints, { endpoint: 'google', model: 'chat-bison', messages: talk });
    expect(reason).toEqual({ type: 'no_service_key', endpoint: 'google', model: 'chat-bison' });
  });

  const text = (value: string) => ({ stringVal: [value] });
  const parameters = { temperature: { floatVal: [0.2] }, maxOutputTokens: { intVal: [1024] } };
  const sampling = { topP: { floatVal: [0.8] }, topK: { intVal: [40] } };
  const turn = (author: string, content: string) => ({ structVal: { author: text(author), content: text(content) } });
  const turns = [turn('user', 'My name is Alice.'), turn('bot', 'Hello, Alice.'), turn('user', 'What is my name?')];
  const example = (input: string, output: string) => ({ input: { content: input }, output: { content: output } });
  const settings = { promptPrefix: 'Be brief.', examples: [example('1 + 1?', '2'), example('', 'unused')] };

  it('with bison models gets context and examples as typed values', async () => {
    const { body } = await requestOf(byServiceKey(), { endpoint: 'google', model: 'chat-bison', settings });
    const examples = [
      {
        structVal: { input: { structVal: { content: text('1 + 1?') } }, output: { structVal: { content: text('2') } } },
      },
    ];
    expect(body).toEqual({
      inputs: [
        { structVal: { context: text('Be brief.'), examples: { listVal: examples }, messages: { listVal: turns } } },
      ],
      parameters: { structVal: { ...parameters, ...sampling } },
    });
  });

  it('with code models gets no examples, and a prefix where there is no chat', async () => {
    const chat = await requestOf(byServiceKey(), { endpoint: 'google', model: 'codechat-bison', settings });
    expect(chat.body).toEqual({
      inputs: [{ structVal: { context: text('Be brief.'), messages: { listVal: turns } } }],
      parameters: { structVal: parameters },
    });
    const code = await requestOf(byServiceKey(), { endpoint: 'google', model: 'code-bison', messages: talk.slice(2) });
    expect(code.body).toEqual({
      inputs: [{ structVal: { prefix: text('What is my name?') } }],
      parameters: { structVal: parameters },
    });
  });

  it('with text models gets the conversation as a prompt', async () => {
    const { body } = await requestOf(byServiceKey(), { endpoint: 'google', model: 'text-bison', settings });
    expect(body).toMatchObject({
      inputs: [
        {
          structVal: {
            prompt: text(
              'Be brief.\n\nUser: My name is Alice.\n\nAssistant: Hello, Alice.\n\nUser: What is my name?\n\nAssistant:',
            ),
          },
        },
      ],
    });
  });

  it('exchanges a key file of a user at the address of Google only', async () => {
    const value = { GOOGLE_SERVICE_KEY: serviceKeyFile(`${provider.url}/token`) };
    const endpoints = await openEndpoints({
      env: { GOOGLE_KEY: 'user_provided' },
      userKey: async () => JSON.stringify(value),
    });
    const { serviceKey } = await endpoints.assert('google').target('alice', 'chat-bison');
    expect(serviceKey).toMatchObject({ projectId: 'parley-test', tokenURL: 'https://oauth2.googleapis.com/token' });
  });
});
