// `/v1` by the packages that programs use: their texts, streams, objects, tools, pictures, aborts and errors.
import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, Output, stepCountIs, streamText, tool, type LanguageModel } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openApiClients, type ApiClients } from '../../support/rest/api-clients.ts';

let clients: ApiClients;
// It warns of models whose names it does not know.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

beforeAll(async () => {
  clients = await openApiClients();
});
afterAll(() => clients.close());

const MODELS = ['openAI/gpt-4o', 'Local/llama-3', 'anthropic/claude-sonnet-5', 'google/gemini-2.5-flash'];
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const Place = z.object({ name: z.string(), people: z.number() });

const options = () => ({ baseURL: clients.baseURL, apiKey: clients.key });
const aiModels: Record<string, (id: string) => LanguageModel> = {
  '@ai-sdk/openai': (id) => createOpenAI(options())(id),
  '@ai-sdk/openai by chat completions': (id) => createOpenAI(options()).chat(id),
  '@ai-sdk/openai-compatible': (id) =>
    createOpenAICompatible({ name: 'parley', supportsStructuredOutputs: true, includeUsage: true, ...options() })(id),
  '@ai-sdk/anthropic': (id) => createAnthropic(options())(id),
};

describe.each(Object.keys(aiModels))('%s', (name) => {
  const modelOf = (id: string) => aiModels[name]?.(id) ?? expect.unreachable();

  it.each(MODELS)('gives texts and streams of %s with their usage', async (id) => {
    const model = modelOf(id);
    const { text, usage, finishReason } = await generateText({ model, prompt: 'Hello', maxRetries: 0 });
    expect(text).toContain('Hello');
    expect(finishReason).toBe('stop');
    expect(usage.outputTokens).toBeGreaterThan(0);
    const stream = streamText({ model, prompt: 'Hello', maxRetries: 0 });
    expect(await stream.text).toBe(text);
    expect((await stream.totalUsage).outputTokens).toBe(usage.outputTokens);
  });

  it.each(MODELS)('gives objects of %s', async (id) => {
    const output = Output.object({ schema: Place });
    const result = await generateText({ model: modelOf(id), prompt: 'Describe Graz as json.', output, maxRetries: 0 });
    expect(Object.keys(result.output)).toEqual(['name', 'people']);
  });

  it.each(MODELS)('carries out the tools that %s calls', async (id) => {
    const look = tool({
      description: 'Looks.',
      inputSchema: z.object({ q: z.string() }),
      execute: ({ q }) => `Seen ${q}.`,
    });
    const asked = { tools: { look }, stopWhen: stepCountIs(3), maxRetries: 0 };
    const prompt = '[[tool-steps]] call look {"q":"a cat"}';
    const { text, steps } = await generateText({ model: modelOf(id), prompt, ...asked });
    expect(steps).toHaveLength(2);
    expect(text).toContain('Seen a cat.');
    const stream = streamText({ model: modelOf(id), prompt: `${prompt}  `, ...asked });
    expect(await stream.text).toContain('Seen a cat.');
  });
});

const langchain: Record<string, (id: string) => ChatOpenAI | ChatAnthropic> = {
  '@langchain/openai': (model) =>
    new ChatOpenAI({ model, apiKey: clients.key, configuration: options(), maxRetries: 0 }),
  '@langchain/openai by Responses': (model) =>
    new ChatOpenAI({ model, apiKey: clients.key, configuration: options(), maxRetries: 0, useResponsesApi: true }),
  '@langchain/anthropic': (model) =>
    new ChatAnthropic({
      model,
      apiKey: clients.key,
      anthropicApiUrl: clients.baseURL.replace(/\/v1$/, ''),
      maxRetries: 0,
      maxTokens: 4000,
    }),
};

describe.each(Object.keys(langchain))('%s', (name) => {
  const modelOf = (id: string) => langchain[name]?.(id) ?? expect.unreachable();

  it.each(MODELS)('gives texts, streams and objects of %s', async (id) => {
    const model = modelOf(id);
    expect((await model.invoke('Hello')).text).toContain('Hello');
    let streamed = '';
    for await (const chunk of await model.stream('Hello')) streamed += chunk.text;
    expect(streamed).toContain('Hello');
    const shaped = await model.withStructuredOutput(Place).invoke('Describe Graz as json.');
    expect(Object.keys(shaped)).toEqual(['name', 'people']);
  });

  it.each(MODELS)('binds tools for %s', async (id) => {
    const look = {
      type: 'function',
      function: {
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
      },
    };
    const model = modelOf(id).bindTools([look]);
    const asked = { role: 'user', content: '[[tool-steps]] call look {"q":"a dog"}' };
    const called = await model.invoke([asked]);
    expect(called.tool_calls).toMatchObject([{ name: 'look', args: { q: 'a dog' } }]);
    const result = { role: 'tool', content: 'Seen a dog.', tool_call_id: called.tool_calls?.[0]?.id ?? '' };
    expect((await model.invoke([asked, called, result])).text).toContain('Seen a dog.');
  });
});

/** One client, by which all are asked alike. */
interface Caller {
  /** Shows a picture, and returns the answer. */
  show(model: string): Promise<string>;
  /** The texts of a streamed answer. */
  stream(model: string, signal?: AbortSignal): AsyncIterable<string>;
}

const IMAGE = `data:image/png;base64,${PIXEL}`;
const TEXT = '[[echo]]';
const hello = [{ role: 'user' as const, content: 'Hello' }];

const openai = () => new OpenAI({ ...options(), maxRetries: 0 });
const anthropic = () =>
  new Anthropic({ apiKey: clients.key, baseURL: clients.baseURL.replace(/\/v1$/, ''), maxRetries: 0 });

const callers: Record<string, Caller> = {
  openai: {
    async show(model) {
      const image = { type: 'image_url' as const, image_url: { url: IMAGE } };
      const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: TEXT }, image] }];
      const { choices } = await openai().chat.completions.create({ model, messages });
      return choices[0]?.message.content ?? '';
    },
    async *stream(model, signal) {
      const asked = { model, messages: hello, stream: true as const };
      for await (const { choices } of await openai().chat.completions.create(asked, { signal }))
        yield choices[0]?.delta.content ?? '';
    },
  },
  'openai by Responses': {
    async show(model) {
      const image = { type: 'input_image' as const, image_url: IMAGE, detail: 'auto' as const };
      const input = [{ role: 'user' as const, content: [{ type: 'input_text' as const, text: TEXT }, image] }];
      return (await openai().responses.create({ model, input })).output_text;
    },
    async *stream(model, signal) {
      for await (const event of await openai().responses.create({ model, input: 'Hello', stream: true }, { signal }))
        if (event.type === 'response.output_text.delta') yield event.delta;
    },
  },
  '@anthropic-ai/sdk': {
    async show(model) {
      const source = { type: 'base64' as const, media_type: 'image/png' as const, data: PIXEL };
      const content = [
        { type: 'text' as const, text: TEXT },
        { type: 'image' as const, source },
      ];
      const asked = { model, max_tokens: 4000, messages: [{ role: 'user' as const, content }] };
      return (await anthropic().messages.create(asked)).content
        .map((block) => ('text' in block ? block.text : ''))
        .join();
    },
    async *stream(model, signal) {
      const asked = { model, max_tokens: 4000, messages: hello, stream: true as const };
      for await (const event of await anthropic().messages.create(asked, { signal }))
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text;
    },
  },
  ...Object.fromEntries(Object.entries(aiModels).map(([name, modelOf]) => [name, aiCaller(modelOf)])),
  ...Object.fromEntries(Object.entries(langchain).map(([name, modelOf]) => [name, langchainCaller(modelOf)])),
};

function aiCaller(modelOf: (id: string) => LanguageModel): Caller {
  return {
    async show(id) {
      const image = { type: 'image' as const, image: IMAGE, mediaType: 'image/png' };
      const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: TEXT }, image] }];
      return (await generateText({ model: modelOf(id), messages, maxRetries: 0 })).text;
    },
    async *stream(id, abortSignal) {
      const asked = { prompt: 'Hello', maxRetries: 0, onError: () => undefined, ...(abortSignal && { abortSignal }) };
      for await (const part of streamText({ model: modelOf(id), ...asked }).fullStream)
        if (part.type === 'text-delta') yield part.text;
        else if (part.type === 'error') throw part.error;
    },
  };
}

function langchainCaller(modelOf: (id: string) => ChatOpenAI | ChatAnthropic): Caller {
  return {
    async show(id) {
      const image = { type: 'image_url', image_url: { url: IMAGE } };
      return (await modelOf(id).invoke([{ role: 'user', content: [{ type: 'text', text: TEXT }, image] }])).text;
    },
    async *stream(id, signal) {
      for await (const chunk of await modelOf(id).stream('Hello', { ...(signal && { signal }) })) yield chunk.text;
    },
  };
}

describe.each(Object.keys(callers))('%s', (name) => {
  const caller = () => callers[name] ?? expect.unreachable();

  async function textsOf(model: string, signal?: AbortSignal, onText?: () => void): Promise<void> {
    for await (const text of caller().stream(model, signal)) if (text !== '') onText?.();
  }

  it.each(MODELS)('shows pictures to %s', async (id) => {
    expect(await caller().show(id)).toContain('[saw image/png');
  });

  it.each(['openAI', 'Local', 'anthropic', 'google'])('ends an answer of %s that is aborted', async (endpoint) => {
    const controller = new AbortController();
    let texts = 0;
    // Some end without an error.
    await textsOf(`${endpoint}/fake:never-ending`, controller.signal, () => {
      if (++texts === 3) controller.abort();
    }).catch((error: unknown) => expect(texts, String(error)).toBeGreaterThanOrEqual(3));
    expect(texts).toBeGreaterThanOrEqual(3);
    await expect.poll(() => clients.services.deps.apiCalls.running.size()).toBe(0);
  });

  it.each(['openAI', 'Local', 'anthropic', 'google'])(
    'tells errors of %s, before and in an answer',
    async (endpoint) => {
      const statusOf = async (model: string) => {
        const error: unknown = await textsOf(model).catch((thrown: unknown) => thrown);
        const { status, statusCode = status } = Object(error) as { status?: number; statusCode?: number };
        return statusCode;
      };
      expect(await statusOf(`${endpoint}/fake:error-429`)).toBe(429);
      expect(await statusOf(`${endpoint}/no-such-model`)).toBe(404);
      let texts = 0;
      await expect(textsOf(`${endpoint}/fake:error-midstream`, undefined, () => void texts++)).rejects.toThrow();
      expect(texts).toBeGreaterThan(0);
    },
  );
});

describe('openai by Responses', () => {
  const api = () => new OpenAI({ ...options(), maxRetries: 0 });

  it.each(MODELS)('gives answers of %s whole and as numbered events', async (model) => {
    const asked = { model, input: 'Hello', instructions: 'Be brief.', store: false };
    const whole = await api().responses.create(asked);
    expect(whole).toMatchObject({ object: 'response', status: 'completed', store: false });
    expect(whole.output_text).toContain('Hello');
    const events = [];
    for await (const event of await api().responses.create({ ...asked, stream: true })) events.push(event);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const last = events.at(-1);
    expect(last?.type === 'response.completed' && last.response.usage).toEqual(whole.usage);
  });

  it('tells reasoning and calls as items of their own', async () => {
    const thought = await api().responses.create({ model: 'openAI/fake:reasoning', input: 'Hello' });
    expect(thought.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    const look = {
      type: 'function' as const,
      name: 'look',
      strict: false,
      parameters: { type: 'object', properties: {} },
    };
    const called = await api().responses.create({
      model: 'anthropic/claude-sonnet-5',
      input: '[[tool-steps]] call look {}',
      tools: [look],
    });
    const [call] = called.output.filter((item) => item.type === 'function_call');
    const input = [
      { role: 'user' as const, content: '[[tool-steps]] call look {}' },
      ...called.output.filter((item) => item.type === 'function_call'),
      { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: 'Seen.' },
    ];
    const answered = await api().responses.create({ model: 'anthropic/claude-sonnet-5', input, tools: [look] });
    expect(answered.output_text).toContain('Seen.');
  });

  it.each([
    ['previous_response_id', { previous_response_id: 'resp_x' }, 'previous_response_id'],
    ['background', { background: true }, 'background'],
    ['a hosted tool', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('refuses %s by name', async (_, over, param) => {
    const asked = api().responses.create({ model: 'openAI/gpt-4o', input: 'Hello', ...(over as object) });
    await expect(asked).rejects.toMatchObject({ status: 400, param });
  });
});

describe('@anthropic-ai/sdk', () => {
  const api = () =>
    new Anthropic({ apiKey: clients.key, baseURL: clients.baseURL.replace(/\/v1$/, ''), maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Hello' }];

  it.each(MODELS)('gives messages of %s whole and as events, by either header', async (model) => {
    const whole = await api().messages.create({ model, messages, max_tokens: 4000, system: 'Be brief.' });
    expect(whole).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'end_turn' });
    const streamed = await api()
      .messages.stream({ model, messages, max_tokens: 4000, system: 'Be brief.' })
      .finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage).toMatchObject({ output_tokens: whole.usage.output_tokens });
    const bearer = new Anthropic({
      apiKey: null,
      authToken: clients.key,
      baseURL: clients.baseURL.replace(/\/v1$/, ''),
      maxRetries: 0,
    });
    expect((await bearer.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0);
  });

  it('tells thinking with its signature, and Claude gets it back with the results', async () => {
    const model = 'anthropic/claude-haiku-4-5';
    const look = { name: 'look', input_schema: { type: 'object' as const, properties: {} } };
    const thinking = { type: 'enabled' as const, budget_tokens: 2048 };
    const question = { role: 'user' as const, content: '[[tool-signed]] call look {}' };
    const asked = { model, max_tokens: 4000, thinking, tools: [look] };
    const first = await api()
      .messages.stream({ ...asked, messages: [question] })
      .finalMessage();
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'tool_use']);
    expect(first.content[0]).toMatchObject({ signature: expect.stringMatching(/./) as string });
    const call = first.content.find((block) => block.type === 'tool_use');
    const result = { type: 'tool_result' as const, tool_use_id: call?.id ?? '', content: 'Seen.' };
    const last = await api().messages.create({
      ...asked,
      messages: [question, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }],
    });
    expect(last.content.map((block) => (block.type === 'text' ? block.text : '')).join('')).toContain('Seen.');
    expect(clients.sent()).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2048 } });
  });

  it('gets errors in its own shape', async () => {
    const unknown = api().messages.create({ model: 'no-such-model', messages, max_tokens: 5 });
    await expect(unknown).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error' } },
    });
    const hosted = api().messages.create({
      model: 'openAI/gpt-4o',
      messages,
      max_tokens: 5,
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    });
    await expect(hosted).rejects.toMatchObject({ status: 400, error: { error: { type: 'invalid_request_error' } } });
    const wrong = new Anthropic({ apiKey: 'pk_wrong', baseURL: clients.baseURL.replace(/\/v1$/, ''), maxRetries: 0 });
    await expect(wrong.messages.create({ model: 'openAI/gpt-4o', messages, max_tokens: 5 })).rejects.toMatchObject({
      status: 401,
    });
    const broken = api().messages.stream({ model: 'openAI/fake:error-midstream', messages, max_tokens: 4000 });
    await expect(broken.finalMessage()).rejects.toThrow();
  });
});

describe('fields that are unknown here', () => {
  const api = () => new OpenAI({ ...options(), maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const fields = {
    verbosity: 'low' as const,
    service_tier: 'flex' as const,
    prompt_cache_key: 'k',
    chat_template_kwargs: { thinking: false },
    top_k: 5,
  };

  it.each(['openAI/gpt-4o', 'Local/llama-3'])('go to %s as they came', async (model) => {
    await api().chat.completions.create({ model, messages, ...fields });
    expect(clients.sent()).toMatchObject(fields);
  });

  it('that cost beside tokens are refused where a limit holds the call, and dear tiers always', async () => {
    const plugins = [{ id: 'web' }];
    const model = 'Local/llama-3';
    const searching = { model, messages, plugins };
    await api().chat.completions.create(searching);
    expect(clients.sent()).toMatchObject({ plugins });
    const { key } = await clients.alice.api.apiKeys.create({ name: 'L', scopes: ['chat'], monthlyCredits: 1_000_000 });
    const limited = new OpenAI({ ...options(), apiKey: key, maxRetries: 0 });
    for (const [param, more] of Object.entries({
      plugins: { plugins },
      web_search_options: { web_search_options: {} },
    }))
      await expect(limited.chat.completions.create({ model, messages, ...more })).rejects.toMatchObject({
        status: 400,
        param,
      });
    for (const tier of ['priority', 'scale'] as const) {
      const refused = { status: 400, param: 'service_tier' };
      const asked = { model: 'openAI/gpt-4o', service_tier: tier };
      await expect(api().chat.completions.create({ ...asked, messages })).rejects.toMatchObject(refused);
      await expect(api().responses.create({ ...asked, input: 'Hello' })).rejects.toMatchObject(refused);
    }
  });

  it.each(['anthropic/claude-opus-4-7', 'google/gemini-2.5-flash'])('are refused by name for %s', async (model) => {
    const asked = api().chat.completions.create({ model, messages, verbosity: 'low' });
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'verbosity', code: 'unknown_parameter' });
  });
});
