import { afterEach, describe, expect, test, vi } from 'vitest';
import { topics } from '@parley/server/providers/demo/answers';
import { chooseReply, createDemoStream } from '@parley/server/providers/demo/stream';
import { demoTitle, userTextOfTitlePrompt } from '@parley/server/providers/demo/title';
import type { Delta } from '@parley/server/generation/delta';
import type { Provider, ProviderCall } from '@parley/server/providers/provider';

afterEach(() => void vi.restoreAllMocks());

async function ask(
  content: string,
  call: Partial<ProviderCall> = {},
  stream: Provider = createDemoStream(),
  signal = new AbortController().signal,
): Promise<{ deltas: Delta[]; text: string }> {
  const target = { endpoint: 'Demo', baseURL: '', apiKey: '', headers: {}, addParams: {}, dropParams: [] };
  const messages = [{ role: 'user' as const, content }];
  const deltas: Delta[] = [];
  const reply = stream({ target, model: 'parley-demo', settings: {}, messages, userId: 'alice', ...call }, signal);
  for await (const delta of reply) deltas.push(delta);
  return { deltas, text: deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('') };
}

/** Records what the demo waits for, in milliseconds; timers of others, such as the test runner's, do not count. */
function watchPauses(): number[] {
  const pauses: number[] = [];
  const { setTimeout: start } = globalThis;
  const record = (run: () => void, ms = 0) => {
    if (new Error('who waits').stack?.includes('/demo/stream.ts')) pauses.push(ms);
    return start(run, ms);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(record as typeof start);
  return pauses;
}

describe('the stream', () => {
  test('comes at reading pace, ends normally and reports rough usage', async () => {
    const pauses = watchPauses();
    const { deltas, text } = await ask('zxcv', { maxTokens: 40 });
    vi.restoreAllMocks();

    expect(text).not.toBe('');
    expect(chooseReply([{ role: 'user', text: 'zxcv' }], 0).startsWith(text)).toBe(true);
    expect(deltas.slice(-2)).toEqual([
      { type: 'finish', reason: 'length' },
      { type: 'usage', input: 1, output: 40 },
    ]);
    expect(pauses.length).toBeGreaterThan(0);
    expect(Math.max(...pauses)).toBeLessThan(50);
  });

  test('counts the instructions as something that arrived', async () => {
    const { deltas } = await ask('zxcv', { maxTokens: 1, settings: { promptPrefix: 'Be brief.' } });
    expect(deltas.at(-1)).toEqual({ type: 'usage', input: 4, output: 1 });
  });

  test('ends at a stop sequence', async () => {
    withoutPauses();
    const { deltas, text } = await ask('hi', { settings: { stop: ['Parley'] } });
    expect(text).not.toBe('');
    expect(text).not.toContain('Parley');
    expect(deltas.at(-2)).toEqual({ type: 'finish', reason: 'stop' });
  });

  test('stops when it is aborted, and serves the next one', async () => {
    const stream = createDemoStream();
    const stopping = new AbortController();
    const stopsAtFirst: Provider = async function* stopsAtFirst(call, signal) {
      for await (const delta of stream(call, signal)) {
        yield delta;
        stopping.abort();
      }
    };
    const { deltas } = await ask('hello', {}, stopsAtFirst, stopping.signal);
    expect(deltas.map(({ type }) => type)).toEqual(['text']);
    expect((await ask('hello', { maxTokens: 1 }, stream)).text).not.toBe('');
  });

  test('is another answer when it is asked again', async () => {
    withoutPauses();
    const stream = createDemoStream();
    const again = async () => (await ask('Some code, please', {}, stream)).text;
    expect(new Set([await again(), await again(), await again()]).size).toBe(3);
  });

  test('is a title where the prompt asks for one', async () => {
    const prompt = 'Give this chat a title.\n\nUser: How do I boil an egg?\nAssistant: In water.';
    expect((await ask(prompt, { maxTokens: 16 })).text).toBe('Boil an Egg');
  });
});

/** The clock of the demo stands beyond every piece. */
function withoutPauses(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
}

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
    expect(userTextOfTitlePrompt([{ role: 'user', text }]).trim()).toBe('boil eggs');
  });
});
