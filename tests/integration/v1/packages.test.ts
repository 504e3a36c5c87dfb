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

  it.each(MODELS)('shows pictures to %s', async (id) => {
    const image = { type: 'image' as const, image: `data:image/png;base64,${PIXEL}`, mediaType: 'image/png' };
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: '[[echo]]' }, image] }];
    const { text } = await generateText({ model: modelOf(id), messages, maxRetries: 0 });
    expect(text).toContain('[saw image/png');
  });

  it('ends when it is aborted, and tells errors', async () => {
    const controller = new AbortController();
    const stream = streamText({
      model: modelOf('openAI/fake:never-ending'),
      prompt: 'Hello',
      abortSignal: controller.signal,
      onError: () => undefined,
    });
    let pieces = 0;
    for await (const _ of stream.textStream) if (++pieces === 5) controller.abort();
    await expect.poll(() => clients.services.deps.apiCalls.running.size()).toBe(0);
    const limited = generateText({ model: modelOf('openAI/fake:error-429'), prompt: 'Hello', maxRetries: 0 });
    await expect(limited).rejects.toMatchObject({ statusCode: 429 });
    const unknown = generateText({ model: modelOf('openAI/no-such-model'), prompt: 'Hello', maxRetries: 0 });
    await expect(unknown).rejects.toMatchObject({
      statusCode: 404,
      message: expect.stringContaining('no-such-model') as string,
    });
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

  it.each(['anthropic/claude-opus-4-7', 'google/gemini-2.5-flash'])('are refused by name for %s', async (model) => {
    const asked = api().chat.completions.create({ model, messages, verbosity: 'low' });
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'verbosity', code: 'unknown_parameter' });
  });
});
