// From a client's body to each provider's wire: what is set arrives, what is the default does not, what is wrong is
// said.
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { errorReason } from '@parley/server/http/trpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';

import { answerRequests, isAskedAbout, question as ask } from '../../../support/exchange.ts';
import { openTestServices, type TestServices } from '../../../support/services.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { writeServiceKey } from '../../../support/service-key.ts';
import { errorOf, finalOf, question, readFrames, signUp, type Client } from '../../../support/rest/client.ts';
import { Final, type Frame } from '../../../support/rest/client-rules.ts';

const yaml = `
version: 1.0.7
endpoints:
  custom:
    - name: Elsewhere
      apiKey: fake
      baseURL: \${FAKE_PROVIDER}
      models: { default: ['fake:echo', 'fake:length', 'gpt-5-mini'] }
    - name: Cohere
      apiKey: fake
      baseURL: \${FAKE_PROVIDER}
      models: { default: ['fake:echo'] }
`;

let upstream: FakeProvider;
let server: TestServer;
let alice: Client;

beforeAll(async () => {
  upstream = await startFakeProvider();
  const env = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_REVERSE_PROXY: upstream.url,
    ANTHROPIC_MODELS: 'claude-3-haiku-20240307,claude-haiku-4-5,claude-opus-4-8,fake:length',
    GOOGLE_KEY: 'k',
    GOOGLE_REVERSE_PROXY: upstream.url,
    GOOGLE_SERVICE_KEY_FILE: writeServiceKey(`${upstream.url}/token`),
    GOOGLE_VERTEX_REVERSE_PROXY: upstream.url,
    GOOGLE_MODELS: 'gemini-pro,gemini-1.5-pro,chat-bison,codechat-bison,fake:length',
    AZURE_API_KEY: 'k',
    AZURE_OPENAI_API_VERSION: '2024-02-01',
    AZURE_OPENAI_BASEURL: `${upstream.url}/openai/deployments/\${DEPLOYMENT_NAME}`,
    AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
    AZURE_OPENAI_MODELS: 'fake:echo,fake:length',
    // A title may come at any time, and is a request of its own.
    TITLE_CONVO: 'false',
  };
  server = await startTestServer({ yaml, env });
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await server.close();
  await upstream.close();
});

interface Path {
  type: 'openAI' | 'azureOpenAI' | 'custom' | 'google' | 'anthropic';
  endpoint: string;
  model: string;
}

const openAI: Path = { type: 'openAI', endpoint: 'openAI', model: 'fake:echo' };
const azure: Path = { type: 'azureOpenAI', endpoint: 'azureOpenAI', model: 'fake:echo' };
const custom: Path = { type: 'custom', endpoint: 'Elsewhere', model: 'fake:echo' };
const anthropic: Path = { type: 'anthropic', endpoint: 'anthropic', model: 'claude-3-haiku-20240307' };
const gemini: Path = { type: 'google', endpoint: 'google', model: 'gemini-1.5-pro' };
const bison: Path = { type: 'google', endpoint: 'google', model: 'chat-bison' };

/** Asks with settings; gives what the provider received and what the client was sent. */
async function asked({ type, endpoint, model }: Path, settings: object) {
  const text = `Asked once ${crypto.randomUUID()}`;
  const body = question(text, { endpoint, ...(type === 'custom' && { endpointType: type }), model, ...settings });
  const final = finalOf(await alice.ask(body, type));
  const provider = type === 'openAI' || type === 'custom' ? server.provider : upstream;
  const heard = await provider.waitForRequest(isAskedAbout(text));
  return { body: heard.body, final };
}

const whole = {
  chatGptLabel: 'Al',
  promptPrefix: 'Be brief.',
  stop: ['END', '\n\n'],
  temperature: 0.35,
  top_p: 0.5,
  frequency_penalty: -0.5,
  presence_penalty: 2,
  resendFiles: false,
  imageDetail: 'high',
};

describe.each([openAI, azure, custom])('settings of $type', (path) => {
  it('reach the provider, are saved with the conversation, and name the sender', async () => {
    const { body, final } = await asked(path, whole);
    // Servers that only follow OpenAI's protocol may refuse names.
    const name = path === custom ? {} : { name: 'instructions' };
    expect(body).toMatchObject({
      messages: [{ role: 'system', ...name, content: 'Instructions:\nBe brief.' }, { role: 'user' }],
      stop: ['END', '\n\n'],
      temperature: 0.35,
      top_p: 0.5,
      frequency_penalty: -0.5,
      presence_penalty: 2,
    });
    for (const ours of ['chatGptLabel', 'promptPrefix', 'resendFiles', 'imageDetail'])
      expect(body).not.toHaveProperty(ours);
    expect(final.responseMessage.sender).toBe('Al');
    expect(final.conversation).toMatchObject(whole);
  });

  it('are omitted when they are the default', async () => {
    const { body, final } = await asked(path, {
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      stop: [],
      chatGptLabel: '',
    });
    for (const name of ['temperature', 'top_p', 'presence_penalty', 'stop']) {
      expect(body).not.toHaveProperty(name);
      expect(final.conversation).not.toHaveProperty(name);
    }
    expect(final.responseMessage.sender).not.toBe('Al');
  });
});

describe('settings of Anthropic', () => {
  it('reach the provider, with the name and the instructions as the system prompt', async () => {
    const { body, final } = await asked(anthropic, {
      modelLabel: 'Al',
      promptPrefix: 'Be brief.',
      temperature: 0.3,
      topP: 0.4,
      topK: 7,
      maxOutputTokens: 300,
    });
    expect(body).toMatchObject({
      system: 'You are Al.\n\nContext:\nBe brief.',
      temperature: 0.3,
      top_p: 0.4,
      top_k: 7,
      max_tokens: 300,
    });
    expect(final.responseMessage.sender).toBe('Al');
  });
});

describe('reasoning settings', () => {
  const budget: Path = { ...anthropic, model: 'claude-haiku-4-5' };
  const adaptive: Path = { ...anthropic, model: 'claude-opus-4-8' };
  const gpt5: Path = { ...custom, model: 'gpt-5-mini' };

  it.each([
    [budget, { thinkingBudget: 2048 }, { thinking: { type: 'enabled', budget_tokens: 2048 } }],
    [adaptive, { reasoning_effort: 'xhigh' }, { output_config: { effort: 'xhigh' } }],
    [gpt5, { reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
  ])('reach $model and are saved with the conversation', async (path, settings, heard) => {
    const { body, final } = await asked(path, settings);
    expect(body).toMatchObject(heard);
    expect(final.conversation).toMatchObject(settings);
    const { conversationId } = final.conversation;
    const kept = await alice.json(`/api/convos/${conversationId}`);
    expect(kept).toMatchObject(settings);
    // Clients send whole conversations back.
    const { _id: _none, conversationId: _same, ...whole } = z.looseObject({}).parse(kept);
    expect((await asked(path, whole)).final.conversation).toMatchObject(settings);
  });

  it('are ignored for a model that does not support them', async () => {
    const settings = { thinkingBudget: 2048, reasoning_effort: 'low' };
    for (const path of [anthropic, openAI]) {
      const { body, final } = await asked(path, settings);
      for (const name of ['thinking', 'output_config', 'reasoning_effort']) expect(body).not.toHaveProperty(name);
      for (const name of Object.keys(settings)) expect(final.conversation).not.toHaveProperty(name);
    }
  });

  it('are omitted when they are the default', async () => {
    const { final } = await asked(budget, { thinkingBudget: 0 });
    expect(final.conversation).not.toHaveProperty('thinkingBudget');
    const { final: other } = await asked(gpt5, { reasoning_effort: 'auto' });
    expect(other.conversation).not.toHaveProperty('reasoning_effort');
  });
});

describe('settings of Google', () => {
  it('reach Gemini', async () => {
    const { body, final } = await asked(gemini, {
      modelLabel: 'Al',
      promptPrefix: 'Be brief.',
      temperature: 0.9,
      topP: 0.1,
      topK: 3,
      maxOutputTokens: 5000,
    });
    expect(body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: { temperature: 0.9, topP: 0.1, topK: 3, maxOutputTokens: 5000 },
    });
    expect(final.responseMessage.sender).toBe('Al');
  });

  it('reach a chat model of Vertex, with examples but for empty ones', async () => {
    const examples = [exampleOf('Hi', 'Hello there'), exampleOf('', ' '), exampleOf('half', '')];
    const { body, final } = await asked(bison, { promptPrefix: 'Be brief.', examples, topK: 3 });
    const said = JSON.stringify(body);
    expect(said).toContain('"context":{"stringVal":["Be brief."]}');
    expect(said).toContain('Hello there');
    expect(said).not.toContain('half');
    expect(said).toContain('"topK":{"intVal":[3]}');
    expect(final.conversation).toMatchObject({ examples: [examples[0], examples[2]] });
  });

  it('keep the examples for a model without examples, and do not send them', async () => {
    const examples = [exampleOf('Hi', 'Hello there')];
    const { body, final } = await asked({ ...bison, model: 'codechat-bison' }, { examples });
    expect(JSON.stringify(body)).not.toContain('Hello there');
    expect(final.conversation).toMatchObject({ examples });
  });

  it.each([
    [bison, 4000, 2048],
    [gemini, 9000, 8192],
  ])('lower the output tokens of $model', async (path, given, most) => {
    const { body, final } = await asked(path, { maxOutputTokens: given });
    expect(JSON.stringify(body)).toMatch(new RegExp(`"maxOutputTokens":(${most}|{"intVal":\\[${most}\\]})`));
    if (most === 8192) expect(final.conversation).not.toHaveProperty('maxOutputTokens');
    else expect(final.conversation).toMatchObject({ maxOutputTokens: most });
  });
});

describe('invalid settings are refused with a sentence before anything is saved or sent', () => {
  const number = (name: string, from: number, to: number) => `${name} must be a number from ${from} to ${to}`;
  const refusals: [Path, object, string][] = [
    [openAI, { temperature: 2.01 }, number('temperature', 0, 2)],
    [openAI, { top_p: -0.01 }, number('top_p', 0, 1)],
    [azure, { frequency_penalty: 2.01 }, number('frequency_penalty', -2, 2)],
    [custom, { presence_penalty: -2.01 }, number('presence_penalty', -2, 2)],
    [openAI, { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop takes at most 4 entries'],
    [openAI, { stop: ['a', ''] }, 'stop must be a list of texts, each of 1 to 256 characters'],
    [openAI, { imageDetail: 'huge' }, 'imageDetail must be one of low, auto, high'],
    [openAI, { resendFiles: 'yes' }, 'resendFiles must be true or false'],
    [openAI, { chatGptLabel: 'x'.repeat(257) }, 'chatGptLabel takes at most 256 characters'],
    [anthropic, { temperature: 1.01 }, number('temperature', 0, 1)],
    [anthropic, { topK: 41 }, 'topK must be a whole number from 1 to 40'],
    [anthropic, { maxOutputTokens: 4001 }, 'maxOutputTokens must be a whole number from 1 to 4000'],
    [
      { ...anthropic, model: 'claude-haiku-4-5' },
      { thinkingBudget: -1 },
      'thinkingBudget must be a whole number from 0 to 32768',
    ],
    [
      { ...custom, model: 'gpt-5-mini' },
      { reasoning_effort: 'max' },
      'reasoning_effort must be one of auto, minimal, low, medium, high',
    ],
    [gemini, { topP: '0.5' }, number('topP', 0, 1)],
    [gemini, { topK: 1.5 }, 'topK must be a whole number from 1 to 40'],
    [bison, { maxOutputTokens: 0 }, 'maxOutputTokens must be a whole number from 1 to 2048'],
    [
      bison,
      { examples: [{ input: { content: 'a' } }] },
      'examples must be a list of examples, each an input and an output with its content',
    ],
  ];

  it.each(refusals)('%o: %o', async ({ type, endpoint, model }, settings, sentence) => {
    const before = await alice.json('/api/convos');
    const heard = answerRequests(server.provider).length + answerRequests(upstream).length;
    const kind = type === 'custom' ? { endpointType: type } : {};
    const frames = await alice.ask(question('Wrongly asked', { endpoint, ...kind, model, ...settings }), type);
    expect(frames).toHaveLength(1);
    expect(errorOf(frames)).toEqual({ text: sentence });
    expect(await alice.json('/api/convos')).toEqual(before);
    expect(answerRequests(server.provider).length + answerRequests(upstream).length).toBe(heard);
  });
});

describe('over tRPC', () => {
  let services: TestServices;

  beforeAll(async () => {
    services = await openTestServices();
  });
  afterAll(() => services.close());

  it('the same sentence is the reason', async () => {
    const { api } = await services.as('alice');
    const wrong = ask('Wrongly asked', { settings: { temperature: 3 } });
    const refusal: unknown = await api.messages.ask(wrong).catch((error: unknown) => error);
    expect(refusal instanceof Error && errorReason(refusal)).toEqual({
      type: 'invalid_input',
      text: 'temperature must be a number from 0 to 2',
    });
    await expect(api.convos.byId({ conversationId: wrong.conversationId })).rejects.toThrow('not_found');
    expect(services.provider.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('continuing an answer', () => {
  const lengthy: Path[] = [
    { ...azure, model: 'fake:length' },
    { ...gemini, model: 'fake:length' },
    { ...anthropic, model: 'fake:length' },
  ];

  it.each(lengthy)('of $type works at its own path, with its own settings', async ({ type, endpoint, model }) => {
    const text = `Go on ${crypto.randomUUID()}`;
    const first = finalOf(await alice.ask(question(text, { endpoint, model }), type));
    const { requestMessage, responseMessage } = first;
    const body = question(text, {
      endpoint,
      model,
      conversationId: first.conversation.conversationId,
      messageId: requestMessage.messageId,
      overrideParentMessageId: requestMessage.messageId,
      responseMessageId: responseMessage.messageId,
      generation: responseMessage.text,
      isContinued: true,
      temperature: 0.15,
    });
    const frames: Frame[] = [];
    for await (const frame of readFrames(await alice.post(`/api/edit/${type}`, body))) frames.push(frame);
    const final = finalOf(frames);
    expect(final.responseMessage.messageId).toBe(responseMessage.messageId);
    expect(final.responseMessage.text.length).toBeGreaterThan(responseMessage.text.length);
    const heard = upstream.requests.filter(isAskedAbout(text)).at(-1);
    expect(JSON.stringify(heard?.body)).toContain('"temperature":0.15');
    expect((await alice.post(`/api/edit/${type}/abort`, { abortKey: body.conversationId })).status).toBe(204);
  });

  it('stops at its own path', async () => {
    const first = finalOf(
      await alice.ask(question('Stop it', { endpoint: 'anthropic', model: 'fake:length' }), 'anthropic'),
    );
    const { conversationId } = first.conversation;
    const body = question('Stop it [[never-ending]]', {
      endpoint: 'anthropic',
      model: 'claude-3-haiku-20240307',
      conversationId,
      parentMessageId: first.responseMessage.messageId,
    });
    const frames = readFrames(await alice.post('/api/ask/anthropic', body));
    await frames.next();
    const stopped = await alice.post('/api/edit/anthropic/abort', { abortKey: conversationId, endpoint: 'anthropic' });
    expect(Final.parse(await stopped.json()).responseMessage.finish_reason).toBe('incomplete');
    for await (const _ of frames);
  });
});

function exampleOf(input: string, output: string) {
  return { input: { content: input }, output: { content: output } };
}
