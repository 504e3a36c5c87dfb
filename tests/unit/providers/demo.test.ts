import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { topics } from '@parley/server/providers/demo/answers';
import { chooseReply } from '@parley/server/providers/demo/choose';
import { startDemo } from '@parley/server/providers/demo/server';
import type { Demo } from '@parley/server/providers/demo/server';
import { demoTitle, userTextOfTitlePrompt } from '@parley/server/providers/demo/title';

let demo: Demo;
let openai: OpenAI;

beforeAll(async () => {
  demo = await startDemo();
  openai = new OpenAI({ baseURL: `${demo.url}/v1`, apiKey: demo.apiKey, maxRetries: 0 });
});

afterAll(() => demo.close());

/** Records what the demo waits for, in milliseconds; timers of others, such as the test runner's, do not count. */
function watchPauses(): number[] {
  const pauses: number[] = [];
  const { setTimeout: start } = globalThis;
  const record = (run: () => void, ms = 0) => {
    if (new Error('who waits').stack?.includes('/demo/answer.ts')) pauses.push(ms);
    return start(run, ms);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(record as typeof start);
  return pauses;
}

describe('over HTTP', () => {
  test('it has one model', async () => {
    const { data } = await openai.models.list();
    expect(data.map(({ id }) => id)).toEqual(['parley-demo']);
  });

  test('it requires its secret', async () => {
    for (const apiKey of ['wrong', `${demo.apiKey}x`]) {
      await expect(openai.withOptions({ apiKey }).models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    }
    expect((await fetch(`${demo.url}/v1/models`)).status).toBe(401);
  });

  test('it refuses an invalid request', async () => {
    const headers = { authorization: `Bearer ${demo.apiKey}` };
    const status = async (path: string, body: string) =>
      (await fetch(`${demo.url}/v1${path}`, { method: 'POST', headers, body })).status;
    expect(await status('/chat/completions', 'not json')).toBe(400);
    expect(await status('/chat/completions', '{"messages":"hello"}')).toBe(400);
    expect(await status('/embeddings', '{}')).toBe(404);
  });

  test('it streams at reading pace, ends normally and reports rough usage', async () => {
    const messages = [user('zxcv')];
    const pauses = watchPauses();
    const stream = await openai.chat.completions.create({
      model: 'parley-demo',
      messages,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 40,
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    vi.restoreAllMocks();

    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).not.toBe('');
    expect(chooseReply([{ role: 'user', text: 'zxcv' }], 0).startsWith(text)).toBe(true);
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('length');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 40 } });
    expect(pauses.length).toBeGreaterThan(0);
    expect(Math.max(...pauses)).toBeLessThan(50);
  });

  test('it ends at a stop sequence', async () => {
    const answer = await openai.chat.completions.create({
      model: 'parley-demo',
      messages: [user('hi')],
      stop: ['Parley'],
    });
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.not.stringContaining('Parley') },
    });
  });

  test('it stops when a reader disconnects, and serves the next one', async () => {
    const controller = new AbortController();
    const stream = await openai.chat.completions.create(
      { model: 'parley-demo', messages: [user('hello')], stream: true },
      { signal: controller.signal },
    );
    const reasons = [];
    for await (const { choices } of stream) {
      reasons.push(choices[0]?.finish_reason);
      controller.abort();
    }
    expect(reasons).toContain(null);
    expect(reasons).not.toContain('stop');
    expect((await openai.models.list()).data).toHaveLength(1);
  });

  test('it gives another answer when asked again', async () => {
    const ask = () => openai.chat.completions.create({ model: 'parley-demo', messages: [user('Some code, please')] });
    const answers = [await ask(), await ask(), await ask()].map(({ choices }) => choices[0]?.message.content);
    expect(new Set(answers).size).toBe(3);
  });

  test('it makes titles', async () => {
    const messages = [user('Give this chat a title.\n\nUser: How do I boil an egg?\nAssistant: In water.')];
    const answer = await openai.chat.completions.create({ model: 'parley-demo', messages, max_tokens: 16 });
    expect(answer.choices[0]?.message.content).toBe('Boil an Egg');
  });
});

describe('the answers', () => {
  const questions: [question: string, topic: string][] = [
    ['hello', 'hello'],
    ['What is this?', 'hello'],
    ['How do I add a provider key?', 'keys'],
    ['how to connect Ollama', 'keys'],
    ['Where is my data stored?', 'privacy'],
    ['Which keyboard shortcuts are there?', 'shortcuts'],
    ['What happens to the answer when I reload?', 'streaming'],
    ['Show me an equation', 'maths'],
    ['Show me some code', 'code'],
    ['Show me a table', 'table'],
    ['Make a list', 'list'],
    ['markdown', 'showcase'],
    ['What can you do?', 'help'],
    ['Explain quantum computing in simple terms', 'quantum'],
    ["Got any creative ideas for a 10 year old's birthday?", 'birthday'],
    ['How do I make an HTTP request in Javascript?', 'http'],
  ];

  test.each(questions)('to %s are about %s', (question, name) => {
    const topic = topics.find((candidate) => candidate.name === name);
    expect(chooseReply([{ role: 'user', text: question }], 0)).toContain(topic?.replies[0]);
  });

  test('exist for every topic, and all name the demo', () => {
    for (const { name, replies } of topics) {
      const text = questions.find(([, topic]) => topic === name)?.[0] ?? '';
      const given = replies.map((_, times) => chooseReply([{ role: 'user', text }], times));
      given.forEach((answer, i) => expect(answer).toContain(replies[i]));
      given.forEach((answer) => expect(answer).toMatch(/demo/i));
    }
  });

  test('quote an unknown question, escaped', () => {
    const answer = chooseReply([{ role: 'user', text: '[x](https://zxcv.org) <b>\n# zxcv' }], 0);
    expect(answer).toContain('> &#91;x&#93;(https://zxcv.org) \\<b\\> \\# zxcv');
    expect(answer).toContain('built-in demo');
  });

  test('ignore attachments before a question', () => {
    const text = '[image: table.png]\n<file name="code.md">\na table\n</file>\nzxcv?';
    expect(chooseReply([{ role: 'user', text }], 0)).toContain('> zxcv?\n');
    expect(chooseReply([{ role: 'user', text: '[image: table.png]' }], 0)).toContain('> …\n');
  });

  test('close all code fences', () => {
    for (const text of topics.flatMap(({ replies }) => replies)) {
      expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
    }
  });
});

describe('titles', () => {
  test.each([
    ['Can you please explain how TCP congestion control works in detail?', 'TCP Congestion Control Works'],
    ['How do I add a provider key?', 'Add a Provider Key'],
    ['What is this?', 'What Is This'],
    ['[[slow]] write a poem about the sea', 'Poem About the Sea'],
    ["don't panic about node.js streams", "Don't Panic About Node.js Streams"],
    ['如何用 Python 读取 CSV 文件？', '如何用 Python 读取'],
    ['كيف أتعلم البرمجة بسرعة', 'كيف أتعلم البرمجة بسرعة'],
    ['как приготовить борщ', 'Как Приготовить Борщ'],
    ['!!!', 'New Conversation'],
  ])('of %s is %s', (text, title) => {
    expect(demoTitle(text)).toBe(title);
  });

  test.each([
    ['||>User:\n"boil eggs"\n||>Response:\n"Take: water"\n\n||>Title:'],
    ['Write a title.\n\nUser: boil eggs\nAssistant: ok'],
    ['Write a title for\n\nboil eggs'],
    ['Write a title. <user>boil eggs</user> <assistant>ok</assistant>'],
    ['A title in five words: boil eggs'],
  ])('are made of the question in %j', (text) => {
    const request = {
      model: '',
      stream: false,
      includeUsage: false,
      maxTokens: 16,
      stop: [],
      messages: [{ role: 'user', text }],
    };
    expect(userTextOfTitlePrompt(request).trim()).toBe('boil eggs');
  });
});

function user(content: string) {
  return { role: 'user' as const, content };
}
