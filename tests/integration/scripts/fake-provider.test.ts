import { request as httpRequest } from 'node:http';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFakeProvider, scenarioText } from '@parley/scripts/fake-provider';
import type { FakeProvider, ScenarioName } from '@parley/scripts/fake-provider';
import { textPieces, textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { scenarios } from '@parley/scripts/fake-provider/scenarios';
import { emojiText, hostileText } from '@parley/scripts/fake-provider/texts';

const question = 'Wie heißt das? 😀 你好';

let provider: FakeProvider;
let openai: OpenAI;

beforeAll(async () => {
  provider = await startFakeProvider();
  openai = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'sk-alice', maxRetries: 0, logLevel: 'off' });
});

beforeEach(() => provider.clear());

afterAll(() => provider.close());

describe.concurrent('the output of a scenario', () => {
  const whole: ScenarioName[] = [
    'plain',
    'echo',
    'long',
    'markdown',
    'emoji',
    'surrogates',
    'unicode',
    'reasoning',
    'refusal',
    'length',
    'null-content',
    'crlf',
    'cr-only',
    'comments',
    'bytes',
    'no-done',
    'truncated',
    'junk-after-done',
    'big-line',
    'duplicate-final',
  ];

  test.each(whole)('%s', async (name) => {
    const heard = await hear(`fake:${name}`);
    expect(heard.error).toBeUndefined();
    expect(heard.text === scenarioText(name, undefined, question)).toBe(true);
    expect(heard.finish).toBe(name === 'truncated' ? null : (finishes[name] ?? 'stop'));
  });

  test('long is 200,000 characters, or as many as requested', () => {
    expect(scenarioText('long', undefined, '')).toHaveLength(200_000);
    expect(scenarioText('long', '1234', '')).toHaveLength(1_234);
  });

  test('echo repeats the question, and plain quotes it', () => {
    expect(scenarioText('echo', undefined, question)).toBe(question);
    expect(scenarioText('plain', undefined, question)).toContain(question);
  });

  test('emoji has no replacement characters, though every character is split', async () => {
    const { text } = await hear('fake:emoji');
    expect(text).toBe(emojiText);
    expect(text).not.toContain('\ufffd');
  });

  test('unicode contains NUL and lone surrogates', () => {
    expect(scenarioText('unicode', undefined, '')).toContain(hostileText);
  });

  test('joined pieces are the text again', () => {
    for (const text of [emojiText, hostileText, scenarioText('markdown', undefined, ''), ' \n\n  x']) {
      expect(textPieces(text).join('')).toBe(text);
    }
  });

  test('is the same whole and streamed', async () => {
    const answer = await openai.chat.completions.create({ model: 'fake:markdown', messages: [user(question)] });
    expect(answer.choices[0]?.message.content).toBe(scenarioText('markdown', undefined, question));
    expect(answer.usage?.total_tokens).toBeGreaterThan(1_000);
  });

  test('answers the last turn of the prompt for legacy completions', async () => {
    const prompt = `||>Instructions:\nBe kind.\n||>User:\n${question}\n||>Assistant:\n`;
    const stream = await openai.completions.create({ model: 'fake:echo', prompt, stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.text ?? '';
    expect(text).toBe(question);
  });
});

describe('the protocol', () => {
  test('chunks have the shape of the original', async () => {
    const [first, second, ...rest] = await rawEvents({ model: 'fake:echo', stream: true, messages: [user('a b')] });
    expect(first).toMatchObject({ object: 'chat.completion.chunk', model: 'fake:echo' });
    expect(first.choices).toEqual([
      { index: 0, delta: { role: 'assistant', content: '', refusal: null }, logprobs: null, finish_reason: null },
    ]);
    expect(second.choices[0].delta).toEqual({ content: 'a' });
    expect(second.id).toBe(first.id);
    expect(second).not.toHaveProperty('usage');
    expect(rest.at(-1)).toBe('[DONE]');
    expect(rest.at(-2).choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
  });

  test('usage comes last when requested, in a chunk without choices', async () => {
    const body = { model: 'fake:tokens:7@1', stream: true, stream_options: { include_usage: true } };
    const events = await rawEvents({ ...body, messages: [user('12345678')] });
    expect(events.at(-2)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 2, completion_tokens: 7, total_tokens: 9 },
    });
    expect(events.at(1)).toHaveProperty('usage', null);
  });

  test('usage is sent unasked, never, or oddly when the scenario says so', async () => {
    expect((await hear('fake:usage', false)).usage).toMatchObject({ prompt_tokens: 5 });
    expect((await hear('fake:plain', false)).usage).toBeUndefined();
    expect((await hear('fake:no-usage')).usage).toBeUndefined();
    expect((await hear('fake:usage-odd')).usage).toEqual({
      prompt_tokens: 0,
      completion_tokens: null,
      total_tokens: null,
    });
  });

  test('reasoning comes before the text, and tool calls in pieces', async () => {
    const reasoning = await hear('fake:reasoning');
    expect(reasoning.reasoning).toContain('think about it first');
    const called = await hear('fake:tool');
    expect(called.finish).toBe('tool_calls');
    expect(called.tools).toEqual(['get_weather{"city":"Berlin"}', 'get_time{"zone":"Europe/Berlin"}']);
  });

  test('models lists every scenario beside three known names', async () => {
    const ids = (await openai.models.list()).data.map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(['gpt-3.5-turbo', 'gpt-4', 'gpt-4-turbo-preview']);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(scenarios).map((name) => `fake:${name}`)));
  });

  test('moderation flags only marked text', async () => {
    const flags = async (input: string) => (await openai.moderations.create({ input })).results[0]?.flagged;
    expect(await flags('a kind word')).toBe(false);
    expect(await flags('a [[flagged]] word')).toBe(true);
  });

  test('an unknown path is 404 in the format of the protocol', async () => {
    await expect(openai.files.list()).rejects.toMatchObject({ status: 404 });
  });
});

describe('choosing a scenario', () => {
  test('reads header, path, model and text in this order, else plain', async () => {
    const ask = async (model: string, text: string, baseURL = openai.baseURL, headers = {}) => {
      const client = openai.withOptions({ baseURL });
      await client.chat.completions.create({ model, messages: [user(text)] }, { headers });
      return provider.requests.at(-1)?.scenario;
    };
    const prefixed = `${provider.url}/as/length/v1`;
    expect(await ask('gpt-4', 'hello')).toBe('plain');
    expect(await ask('gpt-4', 'hello [[tokens:3@1]]')).toBe('tokens:3@1');
    expect(await ask('empty', 'hello [[echo]]')).toBe('empty');
    expect(await ask('fake:empty', 'hello', prefixed)).toBe('length');
    expect(await ask('fake:empty', 'hello', prefixed, { 'x-scenario': 'refusal' })).toBe('refusal');
  });

  test('by a path prefix makes the list of models fail too', async () => {
    const client = openai.withOptions({ baseURL: `${provider.url}/as/error-503/v1` });
    await expect(client.models.list()).rejects.toMatchObject({ status: 503 });
  });

  test('works with scenarios of a test', async () => {
    provider.script('hers', { about: 'her own', script: () => scriptedStream(textSteps('only here')) });
    expect((await hear('fake:hers')).text).toBe('only here');
  });

  test('flaky fails a number of times for a question, then answers', async () => {
    expect((await hear('fake:flaky:2')).error?.status).toBe(503);
    expect((await hear('fake:flaky:2')).error?.status).toBe(503);
    expect((await hear('fake:flaky:2')).text).toBe(scenarioText('flaky', '2', question));
  });
});

describe('titles', () => {
  const prompt = (text: string) => [
    { role: 'system' as const, content: 'Write a title of at most five words.' },
    user(`User: ${text}\nAssistant: Of course.`),
  ];
  const titled = async (model: string, text = 'How do I boil an egg?') =>
    (await openai.chat.completions.create({ model, messages: prompt(text) })).choices[0]?.message.content;

  test('are made of the words of the user, whatever the scenario', async () => {
    expect(await titled('gpt-3.5-turbo')).toBe('Boil an Egg');
    expect(await titled('fake:error-500')).toBe('Boil an Egg');
    expect(provider.requests.at(-1)?.scenario).toBe('title');
  });

  test('can be streamed when the token limit is small', async () => {
    const stream = await openai.chat.completions.create({
      model: 'gpt-4',
      messages: prompt('How do I boil an egg?'),
      max_tokens: 16,
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Boil an Egg');
  });

  test('are late, bad or missing when the scenario says so', async () => {
    const order: string[] = [];
    const noted = (name: string) => titled(name).then((title) => (order.push(name), title));
    const [late] = await Promise.all([noted('fake:slow-title:500'), noted('fake:echo')]);
    expect(late).toBe('Boil an Egg');
    expect(order).toEqual(['fake:echo', 'fake:slow-title:500']);
    expect((await titled('fake:bad-title'))?.length).toBeGreaterThan(10_000);
    await expect(titled('gpt-4', '[[fail-title]] eggs')).rejects.toMatchObject({ status: 500 });
  });
});

describe('failures reach the official client as from the real provider', () => {
  const statuses: [ScenarioName, number, string | null][] = [
    ['error-401', 401, 'invalid_api_key'],
    ['error-403', 403, 'forbidden'],
    ['error-404', 404, 'model_not_found'],
    ['error-429', 429, 'rate_limit_exceeded'],
    ['quota', 429, 'insufficient_quota'],
    ['error-500', 500, null],
    ['error-503', 503, null],
    ['error-529', 529, null],
    ['context-too-long', 400, 'context_length_exceeded'],
    ['flaky', 503, null],
  ];

  test.each(statuses)('%s has status %i', async (name, status, code) => {
    const { error } = await hear(`fake:${name}`);
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ status, code });
  });

  test('429 has a retry-after', async () => {
    const { error } = await hear('fake:error-429');
    expect(error?.headers?.get('retry-after')).toBe('7');
  });

  test('the page of a gateway is an error by its status only', async () => {
    expect((await hear('fake:html-502')).error).toBeInstanceOf(OpenAI.InternalServerError);
    for (const name of ['html-200', 'json-200']) {
      expect(await hear(`fake:${name}`)).toMatchObject({ text: '', finish: null, error: undefined });
    }
  });

  test.each(['cut', 'reset'] as const)('%s breaks off after its deltas', async (name) => {
    const { text, error } = await hear(`fake:${name}:3`);
    expect(text).toBe(scenarioText(name, '3', question));
    expect(error?.message).toBe('terminated');
    expect((await ended()).closedEarly).toBe(false);
  });

  test('cut:0 breaks off before the headers', async () => {
    expect((await hear('fake:cut:0')).error).toBeInstanceOf(OpenAI.APIConnectionError);
  });

  test('cut-after-done sends everything first', async () => {
    const { text, finish } = await hear('fake:cut-after-done');
    expect(text).toBe(scenarioText('cut-after-done', undefined, question));
    expect(finish).toBe('stop');
  });

  test('an error in mid-stream is an API error without a status', async () => {
    const { text, error } = await hear('fake:error-midstream:4');
    expect(text).toBe(scenarioText('error-midstream', '4', question));
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error?.status).toBeUndefined();
  });

  test('a malformed event is a syntax error after half the text', async () => {
    const { text, error } = await hear('fake:malformed');
    expect(error).toBeInstanceOf(SyntaxError);
    expect(text).not.toBe('');
    expect(scenarioText('malformed', undefined, question).startsWith(text)).toBe(true);
  });
});

describe('a client that disconnects', () => {
  test.each(['never-ending', 'stall', 'silent', 'slow', 'late:60000', 'long'])(
    'during %s is closed within a second',
    async (name) => {
      const controller = new AbortController();
      const heard = hear(`fake:${name}`, true, controller.signal);
      const request = await provider.waitForRequest(({ scenario }) => scenario === name);
      await sleep(60);
      expect(provider.openStreams()).toBe(1);
      expect(request.closedEarly).toBeUndefined();

      controller.abort();
      await heard;
      const left = await provider.waitForRequest(({ closedEarly }) => closedEarly === true);
      expect(left.finishedAt).toBeGreaterThan(left.at);
      expect(provider.openStreams()).toBe(0);
    },
  );

  test('has received the beginning of the text', async () => {
    const controller = new AbortController();
    const heard = hear('fake:never-ending:2', true, controller.signal);
    await provider.waitForRequest(({ said }) => said > 100);
    controller.abort();
    const { text } = await heard;
    const { said } = await ended();
    expect(scenarioText('never-ending', '2', question).slice(0, said).startsWith(text)).toBe(true);
  });

  test('without reading does not fill the memory of the provider', async () => {
    provider.script('flood', {
      about: 'text without end, as fast as it is read',
      script: () => scriptedStream(flood(), { pace: { every: 0, count: 1 } }),
    });
    const request = httpRequest(`${provider.url}/v1/chat/completions`, { method: 'POST' });
    request.on('error', () => undefined);
    request.on('response', (response) => response.pause());
    request.end(JSON.stringify({ model: 'fake:flood', stream: true, messages: [user('go')] }));
    const record = await provider.waitForRequest(({ said }) => said > 0);
    // The buffers on the way take their fill, and then nothing more is said.
    await expect.poll(() => standsStill(() => record.said)).toBe(true);
    request.destroy();
    await provider.waitForRequest(({ closedEarly }) => closedEarly === true);
  });
});

describe('the request record', () => {
  test('holds what the model was sent', async () => {
    await hear('fake:echo');
    expect(provider.requests).toHaveLength(1);
    expect(await ended()).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      body: { model: 'fake:echo', messages: [user(question)] },
      headers: { authorization: 'Bearer sk-alice' },
      scenario: 'echo',
      said: question.length,
      closedEarly: false,
    });
  });

  test('can be read and cleared by another process', async () => {
    await hear('fake:echo');
    const read = async () => (await fetch(`${provider.url}/control/requests`)).json();
    await expect.poll(read).toMatchObject({ openStreams: 0, requests: [{ scenario: 'echo' }] });
    await fetch(`${provider.url}/control/clear`, { method: 'POST' });
    expect(await read()).toEqual({ openStreams: 0, requests: [] });
  });

  test('reports the received requests when an expected one does not come', async () => {
    await hear('fake:echo');
    await expect(provider.waitForRequest(() => false, 30)).rejects.toThrow('POST /v1/chat/completions (echo)');
  });
});

test('fifty simultaneous streams are each whole', async () => {
  const streams = Array.from({ length: 50 }, () => hear('fake:tokens:50@1'));
  for (const { text } of await Promise.all(streams)) expect(text).toBe(scenarioText('tokens', '50@1', question));
});

async function standsStill(read: () => number) {
  const before = read();
  await sleep(200);
  return read() === before;
}

const finishes: Record<string, string> = { refusal: 'content_filter', length: 'length' };

type Heard = {
  text: string;
  reasoning: string;
  tools: string[];
  finish: string | null;
  usage: unknown;
  error: InstanceType<typeof OpenAI.APIError> | undefined;
};

async function hear(model: string, includeUsage = true, signal?: AbortSignal): Promise<Heard> {
  const heard: Heard = { text: '', reasoning: '', tools: [], finish: null, usage: undefined, error: undefined };
  const options = includeUsage ? { stream_options: { include_usage: true } } : {};
  try {
    const stream = await openai.chat.completions.create(
      { model, messages: [user(question)], stream: true, ...options },
      { signal },
    );
    for await (const chunk of stream) take(chunk, heard);
  } catch (error) {
    heard.error = error as Heard['error'];
  }
  return heard;
}

function take(chunk: OpenAI.ChatCompletionChunk, heard: Heard): void {
  heard.usage = chunk.usage ?? heard.usage;
  const choice = chunk.choices.find(({ index }) => index === 0);
  if (!choice) return;
  heard.finish = choice.finish_reason ?? heard.finish;
  const delta: OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string } = choice.delta;
  heard.text += delta.content ?? '';
  heard.reasoning += delta.reasoning_content ?? '';
  for (const call of delta.tool_calls ?? []) {
    heard.tools[call.index] ??= '';
    heard.tools[call.index] += (call.function?.name ?? '') + (call.function?.arguments ?? '');
  }
}

// The shape of a chunk is what these tests are about, so it is read without one.
async function rawEvents(body: object) {
  const response = await fetch(`${provider.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
  const events = (await response.text()).split('\n\n').filter((event) => event !== '');
  return events.map((event) => (event === 'data: [DONE]' ? '[DONE]' : JSON.parse(event.slice('data: '.length))));
}

function user(content: string) {
  return { role: 'user' as const, content };
}

function ended() {
  return provider.waitForRequest(({ finishedAt }) => finishedAt !== undefined);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function* flood() {
  for (;;) yield { type: 'text' as const, text: 'x'.repeat(1_000) };
}
