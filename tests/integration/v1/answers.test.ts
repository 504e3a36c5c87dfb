// What programs ask of an answer beside its words: a shape, a call, at most one call, a seed. On every provider.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiClients, type ApiClients } from '../../support/rest/api-clients.ts';

let clients: ApiClients;
let responses: ApiClients;
let client: OpenAI;

beforeAll(async () => {
  [clients, responses] = await Promise.all([openApiClients(), openApiClients({ OPENAI_RESPONSES: 'true' })]);
  client = new OpenAI({ baseURL: clients.baseURL, apiKey: clients.key, maxRetries: 0 });
});
afterAll(() => Promise.all([clients.close(), responses.close()]));

/** By Responses and by chat completions; with and without native shapes and forced calls. */
const MODELS = [
  'responses:openAI/gpt-4o',
  'openAI/gpt-4o',
  'Local/llama-3',
  'anthropic/claude-3-5-haiku-20241022',
  'anthropic/claude-haiku-4-5',
  'anthropic/claude-opus-4-7',
  'anthropic/claude-sonnet-5',
  'anthropic/claude-opus-5-5',
  'google/gemini-2.5-flash',
  'google/gemini-3-flash',
];

function target(model: string): { client: OpenAI; model: string; sent: () => unknown } {
  if (!model.startsWith('responses:')) return { client, model, sent: clients.sent };
  const other = new OpenAI({ baseURL: responses.baseURL, apiKey: responses.key, maxRetries: 0 });
  return { client: other, model: model.slice('responses:'.length), sent: responses.sent };
}

const question = [{ role: 'user' as const, content: 'Describe Graz as json.' }];
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    people: { type: 'integer', minimum: 0 },
    rivers: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  },
  required: ['name', 'people', 'rivers'],
};
const place = { type: 'json_schema' as const, json_schema: { name: 'place', schema } };
const tool = (name: string) => ({
  type: 'function' as const,
  function: {
    name,
    description: `Does ${name}.`,
    parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  },
});
const tools = [tool('look'), tool('find')];

function callsIn({ choices }: OpenAI.ChatCompletion) {
  return (choices[0]?.message.tool_calls ?? []).map((call) => ('function' in call ? call.function : null));
}

describe.each(MODELS)('%s', (name) => {
  it('answers in the shape of a schema, whole and as a stream', async () => {
    const { client: api, model } = target(name);
    const asked = { model, messages: question, response_format: place };
    const whole = await api.chat.completions.create(asked);
    const expected = { name: 'x', people: 1, rivers: [{ name: 'x' }] };
    expect(JSON.parse(whole.choices[0]?.message.content ?? '')).toEqual(expected);
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop' });
    expect(callsIn(whole)).toEqual([]);
    const streamed = await api.chat.completions.stream(asked).finalChatCompletion();
    expect(JSON.parse(streamed.choices[0]?.message.content ?? '')).toEqual(expected);
  });

  it('answers with a JSON object', async () => {
    const { client: api, model } = target(name);
    const asked = { model, messages: question, response_format: { type: 'json_object' as const } };
    const { choices } = await api.chat.completions.create(asked);
    expect(choices[0]?.finish_reason).toBe('stop');
    // Claude 5.5 cannot be made to; it is told.
    if (name.includes('5-5'))
      expect(JSON.stringify(target(name).sent())).toContain('Answer with one JSON object alone');
    else expect(JSON.parse(choices[0]?.message.content ?? '')).toBeInstanceOf(Object);
  });

  it('calls the tool that is named, and any tool where one is required', async () => {
    const { client: api, model } = target(name);
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const named = await api.chat.completions.create({
      model,
      messages,
      tools,
      tool_choice: { type: 'function', function: { name: 'find' } },
    });
    expect(callsIn(named)).toEqual([{ name: 'find', arguments: '{"q":"x"}' }]);
    expect(named.choices[0]?.finish_reason).toBe('tool_calls');
    const required = await api.chat.completions.create({ model, messages, tools, tool_choice: 'required' });
    expect(callsIn(required)).toEqual([{ name: 'look', arguments: '{"q":"x"}' }]);
    const streamed = await api.chat.completions
      .stream({ model, messages, tools, tool_choice: { type: 'function', function: { name: 'find' } } })
      .finalChatCompletion();
    expect(callsIn(streamed)).toMatchObject([{ name: 'find', arguments: '{"q":"x"}' }]);
    for (const tool_choice of ['auto', 'none'] as const)
      expect(callsIn(await api.chat.completions.create({ model, messages, tools, tool_choice }))).toEqual([]);
  });

  it('answers in a shape or calls a tool, where it may do either', async () => {
    const { client: api, model } = target(name);
    const asked = { model, messages: question, tools, response_format: place };
    const { choices } = await api.chat.completions.create({ ...asked, tool_choice: 'none' });
    expect(JSON.parse(choices[0]?.message.content ?? '')).toMatchObject({ name: 'x' });
    const called = await api.chat.completions.create({
      ...asked,
      tool_choice: { type: 'function', function: { name: 'look' } },
    });
    expect(callsIn(called)).toMatchObject([{ name: 'look' }]);
  });

  it('takes a seed and refuses a call of a tool that is not offered', async () => {
    const { client: api, model } = target(name);
    const { choices } = await api.chat.completions.create({ model, messages: question, seed: 7 });
    expect(choices[0]?.finish_reason).toBe('stop');
    const tool_choice = { type: 'function' as const, function: { name: 'other' } };
    const asked = api.chat.completions.create({ model, messages: question, tools, tool_choice });
    await expect(asked).rejects.toMatchObject({ status: 400 });
  });
});

it.each(['openAI/gpt-4o', 'Local/llama-3', 'anthropic/claude-opus-4-7', 'google/gemini-2.5-flash'])(
  '%s makes one call where calls at once are not wanted',
  async (model) => {
    const content = '[[tool-parallel]] call look {"q":"a"} call find {"q":"b"}';
    const asked = { model, messages: [{ role: 'user' as const, content }], tools };
    const many = await client.chat.completions.create(asked);
    expect(callsIn(many).length).toBeGreaterThan(1);
    const one = await client.chat.completions.create({ ...asked, parallel_tool_calls: false });
    expect(callsIn(one)).toEqual([{ name: 'look', arguments: '{"q":"a"}' }]);
  },
);

it('thinking is off for a call that Claude must make, and on for others', async () => {
  const assistant = await clients.alice.api.assistants.create({
    model: 'claude-sonnet-5',
    endpoint: 'anthropic',
    name: 'A',
  });
  const model = `assistant/${assistant.assistantId}`;
  await client.chat.completions.create({
    model,
    messages: question,
    reasoning_effort: 'max',
    tools,
    tool_choice: 'required',
  });
  expect(clients.sent()).toMatchObject({
    thinking: { type: 'disabled' },
    tool_choice: { type: 'any' },
    output_config: { effort: 'high' },
  });
  await client.chat.completions.create({ model, messages: question, reasoning_effort: 'max', response_format: place });
  expect(clients.sent()).toMatchObject({
    thinking: { type: 'adaptive' },
    output_config: { effort: 'max', format: { type: 'json_schema' } },
  });
});

it('an assistant on OpenAI answers in a shape and makes a call', async () => {
  const { assistantId } = await clients.alice.api.assistants.create({ model: 'gpt-4o', endpoint: 'openAI', name: 'B' });
  const model = `assistant/${assistantId}`;
  const shaped = await client.chat.completions.create({ model, messages: question, response_format: place, seed: 3 });
  expect(JSON.parse(shaped.choices[0]?.message.content ?? '')).toMatchObject({ name: 'x' });
  expect(clients.sent()).toMatchObject({ seed: 3, response_format: place });
  expect(
    callsIn(await client.chat.completions.create({ model, messages: question, tools, tool_choice: 'required' })),
  ).toHaveLength(1);
});

it('a schema with names of the model’s choice is a tool for Claude, whose schemas are closed', async () => {
  const open = { type: 'object', properties: { by: { type: 'object', additionalProperties: { type: 'number' } } } };
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'open', schema: open } };
  const { choices } = await client.chat.completions.create({
    model: 'anthropic/claude-sonnet-5',
    messages: question,
    response_format,
  });
  expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({});
  expect(clients.sent()).toMatchObject({
    tool_choice: { type: 'tool', name: 'answer' },
    thinking: { type: 'disabled' },
  });
});

it('the Responses protocol, which has no stop sequences, refuses them by name', async () => {
  const { client: api, model } = target('responses:openAI/gpt-4o');
  const asked = api.chat.completions.create({ model, messages: question, stop: 'END' });
  await expect(asked).rejects.toMatchObject({ status: 400, param: 'stop', code: 'unsupported_parameter' });
});

describe('pictures of an answer', () => {
  const messages = [{ role: 'user' as const, content: 'Draw.' }];
  const url = expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/) as string;
  const drawn = { type: 'image_url', image_url: { url } };

  it.each(['openAI/fake:picture', 'Local/fake:picture', 'google/fake:picture', 'responses:openAI/fake:picture'])(
    'a program gets pictures in the shape of OpenRouter: %s',
    async (name) => {
      const { client: api, model } = target(name);
      const { choices } = await api.chat.completions.create({ model, messages });
      expect(choices[0]?.message).toMatchObject({ content: 'Here it is. Look!', images: [drawn] });
      const told = [];
      for await (const { choices: pieces } of await api.chat.completions.create({ model, messages, stream: true }))
        told.push(...pieces.map(({ delta }) => delta));
      expect(told.map(({ content }) => content ?? '').join('')).toBe('Here it is. Look!');
      expect(told.filter((delta) => 'images' in delta)).toEqual([{ images: [drawn] }]);
    },
  );

  it('Responses gives each picture of an answer an item of its own', async () => {
    const result = expect.stringMatching(/^iVBORw0KGgo/) as string;
    const item = { type: 'image_generation_call', status: 'completed', result };
    const asked = { model: 'google/fake:picture', input: 'Draw.' };
    const { output } = await client.responses.create(asked);
    expect(output).toMatchObject([{ type: 'message' }, item, { type: 'message' }]);
    const events = [];
    for await (const event of await client.responses.create({ ...asked, stream: true })) events.push(event);
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done).toMatchObject([
      { item: { type: 'message' } },
      { output_index: 1, item },
      { item: { type: 'message' } },
    ]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
  });

  it('Messages, which has no place for pictures, leaves them out', async () => {
    const { content } = await new Anthropic({
      apiKey: clients.key,
      baseURL: clients.baseURL.replace(/\/v1$/, ''),
    }).messages.create({ model: 'google/fake:picture', messages, max_tokens: 100 });
    expect(content).toEqual([{ type: 'text', text: 'Here it is. Look!' }]);
  });

  it('`modalities` reaches a server of the same protocol for pictures, and is refused for sound', async () => {
    // The package types text and audio only; OpenRouter documents `image`.
    const modalities = ['image', 'text'] as unknown as ['text'];
    await client.chat.completions.create({ model: 'Local/llama-3', messages, modalities });
    expect(clients.sent()).toMatchObject({ modalities });
    const spoken = client.chat.completions.create({ model: 'Local/llama-3', messages, modalities: ['text', 'audio'] });
    await expect(spoken).rejects.toMatchObject({ status: 400, param: 'modalities' });
  });
});

it.each([false, true])('what Gemini signs with a call goes to the client and back, as a stream: %s', async (stream) => {
  const model = 'google/gemini-3-flash';
  const asked = { role: 'user' as const, content: '[[tool-signed]] call look {}' };
  const request = { model, messages: [asked], tools: [tool('look')] };
  const { choices } = stream
    ? await client.chat.completions.stream(request).finalChatCompletion()
    : await client.chat.completions.create(request);
  const [call] = choices[0]?.message.tool_calls ?? [];
  const signed = { extra_content: { google: { thought_signature: expect.stringMatching(/./) as string } } };
  expect(call).toMatchObject(signed);
  // The package does not type Google's field.
  const { extra_content: extra } = call as unknown as { extra_content: { google: { thought_signature: string } } };
  await client.chat.completions.create({
    ...request,
    messages: [
      asked,
      { role: 'assistant', content: null, tool_calls: call ? [call] : [] },
      { role: 'tool', tool_call_id: call?.id ?? '', content: 'Seen.' },
    ],
  });
  expect(JSON.stringify(clients.sent())).toContain(`"thoughtSignature":"${extra.google.thought_signature}"`);
});
