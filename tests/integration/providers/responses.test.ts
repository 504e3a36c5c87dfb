// OpenAI's Responses protocol: what is sent, when it is used, and answers that the contract has no scenario for.
import type { Settings } from '@parley/schema/catalog/params';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { scriptedStream, type SentStep } from '@parley/scripts/fake-provider/scenario';
import type { ChatMessage } from '@parley/server/providers/provider';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hear, openEndpoints } from '../../support/endpoints.ts';

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
  model: string;
  settings?: Settings;
  messages?: ChatMessage[];
  summary?: string;
  env?: Record<string, string>;
}

async function ask({ env = {}, messages = talk, ...asked }: Asked) {
  const endpoints = await openEndpoints({
    env: { OPENAI_API_KEY: 'sk-1', OPENAI_REVERSE_PROXY: `${provider.url}/v1`, OPENAI_RESPONSES: 'true', ...env },
  });
  return hear(endpoints, { endpoint: 'openAI', messages, ...asked });
}

describe('a request', () => {
  it('has the whole conversation, the instructions before the question, and is not stored', async () => {
    const settings = { promptPrefix: 'Be brief.', temperature: 0.5, stop: ['END'], presence_penalty: 1 };
    await ask({ model: 'gpt-4', settings, summary: 'They met before.' });
    expect(provider.requests[0]?.path).toBe('/v1/responses');
    expect(provider.requests[0]?.body).toEqual({
      model: 'gpt-4',
      input: [
        { role: 'system', content: 'They met before.' },
        talk[0],
        talk[1],
        { role: 'system', content: 'Instructions:\nBe brief.' },
        talk[2],
      ],
      stream: true,
      store: false,
      user: 'alice',
      temperature: 0.5,
    });
  });

  it('asks a reasoning model for its reasoning, and sends no parameter that it refuses', async () => {
    const settings = { reasoning_effort: 'high', temperature: 0.5, top_p: 0.5 };
    const heard = await ask({ model: 'o3', settings, messages: talk.slice(2) });
    expect(heard.reason).toBeNull();
    expect(provider.requests[0]?.body).toEqual({
      model: 'o3',
      input: talk.slice(2),
      stream: true,
      store: false,
      user: 'alice',
      reasoning: { summary: 'auto', effort: 'high' },
    });
  });

  it('has images with their detail before the model', async () => {
    const images = [{ mime: 'image/png', data: 'AAAA', detail: 'low' as const }];
    const heard = await ask({ model: 'gpt-4o', messages: [{ role: 'user', content: 'What? [[echo]]', images }] });
    expect(heard.text).toBe('[saw image/png of 3 bytes]\nWhat? [[echo]]');
    expect(provider.requests[0]?.body).toMatchObject({
      input: [
        {
          content: [
            { type: 'input_text', text: 'What? [[echo]]' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
          ],
        },
      ],
    });
  });

  it('has PDFs under their names', async () => {
    const files = [{ name: 'a.pdf', mime: 'application/pdf', data: 'AAAA' }];
    const heard = await ask({ model: 'gpt-4o', messages: [{ role: 'user', content: 'What? [[echo]]', files }] });
    expect(heard.text).toBe('[saw application/pdf of 3 bytes]\nWhat? [[echo]]');
    expect(provider.requests[0]?.body).toMatchObject({
      input: [
        {
          content: [
            { type: 'input_text', text: 'What? [[echo]]' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
          ],
        },
      ],
    });
  });

  it('asks to go on with an unfinished answer', async () => {
    await ask({ model: 'gpt-4', messages: talk.slice(0, 2) });
    expect(provider.requests[0]?.body).toMatchObject({
      input: [talk[0], talk[1], { role: 'user', content: expect.stringContaining('Go on') }],
    });
  });

  it('is sent again without the reasoning for an organization that may not see them', async () => {
    const heard = await ask({ model: 'gpt-5', env: { OPENAI_API_KEY: 'sk-unverified' }, settings: {} });
    expect(heard).toMatchObject({ finish: 'stop', reason: null });
    expect(provider.requests.map(({ body }) => body)).toEqual([
      expect.objectContaining({ reasoning: { summary: 'auto' } }),
      expect.not.objectContaining({ reasoning: expect.anything() }),
    ]);
  });
});

describe('an answer', () => {
  it('separates the messages and the reasoning of one answer by empty lines', async () => {
    await expectOf([
      item({ type: 'reasoning' }),
      event('response.reasoning_summary_part.added', { summary_index: 0 }),
      event('response.reasoning_summary_text.delta', { delta: 'One.' }),
      event('response.reasoning_summary_part.added', { summary_index: 1 }),
      event('response.reasoning_summary_text.delta', { delta: 'Two.' }),
      item({ type: 'message' }),
      event('response.output_text.delta', { delta: 'First.' }),
      item({ type: 'message' }),
      event('response.output_text.delta', { delta: 'Sec' }),
      event('response.output_text.delta', { delta: 'ond.' }),
    ]).toMatchObject({ reasoning: 'One.\n\nTwo.', text: 'First.\n\nSecond.', finish: 'stop' });
  });

  it('may be a refusal in words', async () => {
    await expectOf([item({ type: 'message' }), event('response.refusal.delta', { delta: 'I cannot.' })]).toMatchObject({
      text: 'I cannot.',
      finish: 'stop',
      reason: null,
    });
  });

  it.each([
    ['server_error', { type: 'provider_unavailable', status: 500 }],
    ['rate_limit_exceeded', { type: 'provider_rate_limited', retryAfterSeconds: null }],
    ['insufficient_quota', { type: 'insufficient_quota', endpoint: 'openAI' }],
    ['invalid_prompt', { type: 'provider_refused', status: 400, text: 'Sorry.' }],
    [undefined, { type: 'provider_unavailable', status: 500 }],
  ])('that fails with %s keeps its words and says why', async (code, reason) => {
    const failed = event('response.failed', { response: { status: 'failed', error: { code, message: 'Sorry.' } } });
    await expectOf([{ type: 'text', text: 'Well' }, failed]).toMatchObject({ text: 'Well', finish: null, reason });
  });

  function expectOf(steps: SentStep[]) {
    provider.script('scripted', { about: 'the steps of this test', script: () => scriptedStream(steps) });
    return expect(ask({ model: 'gpt-5', messages: [{ role: 'user', content: '[[scripted]]' }] })).resolves;
  }

  function item(added: object): SentStep {
    return event('response.output_item.added', { item: added });
  }

  function event(type: string, data: object): SentStep {
    return { type: 'raw', bytes: `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n` };
  }
});

describe('the protocol is used', () => {
  const key = { OPENAI_API_KEY: 'sk-1' };
  const azure = { AZURE_API_KEY: 'k', AZURE_OPENAI_API_INSTANCE_NAME: 'i', AZURE_OPENAI_API_VERSION: '2024-10-21' };
  const deployment = { ...azure, AZURE_OPENAI_API_DEPLOYMENT_NAME: 'my-dep' };
  const at = 'https://i.openai.azure.com/openai/v1';

  it.each([
    ['openAI', 'gpt-5', key, undefined],
    ['openAI', 'gpt-5', { ...key, OPENAI_RESPONSES: 'true' }, { baseURL: 'https://api.openai.com/v1', model: 'gpt-5' }],
    ['openAI', 'o3-pro', key, { baseURL: 'https://api.openai.com/v1', model: 'o3-pro' }],
    ['openAI', 'gpt-5.1-codex', key, { baseURL: 'https://api.openai.com/v1', model: 'gpt-5.1-codex' }],
    // Another server of the operator's may not speak it.
    ['openAI', 'o3-pro', { ...key, OPENAI_REVERSE_PROXY: 'https://relay.example/v1' }, undefined],
    ['azureOpenAI', 'gpt-5', deployment, undefined],
    ['azureOpenAI', 'gpt-5', { ...deployment, OPENAI_RESPONSES: 'true' }, { baseURL: at, model: 'my-dep' }],
    ['azureOpenAI', 'gpt-5-pro', deployment, { baseURL: at, model: 'my-dep' }],
    [
      'azureOpenAI',
      'gpt-5',
      { ...deployment, OPENAI_RESPONSES: 'true', AZURE_OPENAI_BASEURL: 'https://gateway.example/${DEPLOYMENT_NAME}' },
      undefined,
    ],
  ])('by %s for %s with %o: %o', async (endpoint, model, env, expected) => {
    const endpoints = await openEndpoints({ env: { ...env } });
    const target = await endpoints.assert(endpoint).target('alice', model);
    expect(target.responses).toEqual(expected);
  });
});
