// A model changes what it has made by calls, whatever its provider's protocol.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifactsOfMessage, listVersions } from '@parley/schema/artifacts/versions';
import type { Entry } from '@parley/schema/generation/events';
import { isLoopCall, messageText, type Message } from '@parley/schema/messages/messages';
import { scriptedStream, textSteps, type Step } from '@parley/scripts/fake-provider/scenario';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folded } from '../../contracts/generation-events.ts';
import { answerRequests, exchange, followUp, question, readAll } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

let services: TestServices;
/** The same, but OpenAI is spoken to by Responses. */
let byResponses: TestServices;

const config = join(createFolder(), 'parley.yaml');
const custom = ['cohere', 'Mistral', 'Groq'].map(
  (name) => `    - { name: ${name}, apiKey: k, baseURL: '\${OPENAI_REVERSE_PROXY}', models: { default: [one] } }\n`,
);
writeFileSync(config, `version: 1.0.7\nendpoints:\n  custom:\n${custom.join('')}`);

beforeAll(async () => {
  byResponses = await openTestServices({ TITLE_CONVO: 'false', OPENAI_MODELS: 'gpt-5', OPENAI_RESPONSES: 'true' });
  services = await openTestServices({
    TITLE_CONVO: 'false',
    CONFIG_PATH: config,
    OPENAI_MODELS: 'gpt-4',
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
    ANTHROPIC_MODELS: 'claude-sonnet-4-5',
    GOOGLE_KEY: 'fake',
    GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
    GOOGLE_MODELS: 'gemini-2.5-pro',
  });
});
afterAll(() => Promise.all([services.close(), byResponses.close()]));

const settings = { tools: ['artifact'] };

/** Each on a line of its own is a step. */
function calling(...steps: object[][]): string {
  const lines = steps.map((calls) => calls.map((args) => `call artifact ${JSON.stringify(args)}`).join(' and '));
  return `${lines.join('\n')}\n[[tool-steps]]`;
}

const made = (reply: Message) => artifactsOfMessage(reply).map(({ title, source }) => `${title}: ${source}`);
const calls = (reply: Message) => reply.parts.filter(isLoopCall).map(({ call }) => `${call.state} ${call.output}`);
const inputs = (reply: Message) => reply.parts.filter(isLoopCall).map(({ call }) => call.input);
const edit = (find: string, replace: string) => ({ id: 'chart', edits: [{ find, replace }] });
const whole = { id: 'chart', title: 'Sales', kind: 'html', text: '<b>Sales</b>\n<p>1</p>' };

/** A piece of a call as chat completions send it. */
function piece(call: object): Step {
  const choices = [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }];
  return { type: 'raw', bytes: `data: ${JSON.stringify({ choices })}\n\n` };
}

describe.each([
  ['chat completions', 'openAI', 'gpt-4'],
  ['Responses', 'openAI', 'gpt-5'],
  ['Anthropic', 'anthropic', 'claude-sonnet-4-5'],
  ['Gemini', 'google', 'gemini-2.5-pro'],
  ['Mistral', 'Mistral', 'one'],
  ['a compatible server', 'Groq', 'one'],
])('by %s', (protocol, endpoint, model) => {
  it('makes a page by a call, and changes it by others, in the same answer and in the next one', async () => {
    const its = protocol === 'Responses' ? byResponses : services;
    const { id } = await its.as('alice');
    const over = { endpoint, model, settings };
    const asked = calling([whole], [edit('2', '3')], [edit('<p>1', '<p>2'), edit('</b>', '</b>!')]);
    const first = await exchange(its, id, question(asked, over));
    expect(calls(first.reply)).toMatchObject([
      'done The person sees this version of "chart": 2 lines.',
      expect.stringContaining('Edit 1: `find` occurs 0 times; it must occur exactly once.'),
      expect.stringMatching(/^done /),
      expect.stringMatching(/^done /),
    ]);
    expect(made(first.reply)).toEqual([
      'Sales: <b>Sales</b>\n<p>1</p>',
      'Sales: <b>Sales</b>\n<p>2</p>',
      'Sales: <b>Sales</b>!\n<p>2</p>',
    ]);
    const second = await exchange(its, id, followUp(calling([edit('<p>2', '<p>3')]), first, over));
    expect(made(second.reply)).toEqual(['Sales: <b>Sales</b>!\n<p>3</p>']);
    // The change costs the model no more than its own words.
    const sent = JSON.stringify(answerRequests(its.provider).at(-1)?.body);
    expect(sent).toContain('The person sees this version');
    expect(sent).not.toContain('</b>!\\\\n<p>');
  });
});

it('changes the version of its branch, the one that a person made included', async () => {
  const { id, api } = await services.as('alice');
  const over = { model: 'gpt-4', settings };
  const first = await exchange(services, id, question(calling([whole]), over));
  const left = await exchange(services, id, followUp(calling([edit('1', 'left')]), first, over));
  expect(made(left.reply)).toEqual(['Sales: <b>Sales</b>\n<p>left</p>']);
  const { conversationId, messageId } = first.reply;
  const text = `${messageText(first.reply)}\n\n\`\`\`html id="chart" title="Sales" edited\n<p>mine</p>\n\`\`\`\n`;
  const edited = await api.messages.edit({ conversationId, messageId, text });
  const right = await exchange(services, id, followUp(calling([edit('mine', 'right')]), first, over));
  expect(made(right.reply)).toEqual(['Sales: <p>right</p>']);
  expect(listVersions([edited, right.reply]).map(({ version }) => version)).toEqual([1, 2, 3]);

  // Again, it starts from where it stood.
  const again = question('', {
    ...over,
    conversationId,
    target: { kind: 'regenerate', parentMessageId: right.reply.parentMessageId ?? '' },
  });
  const other = await exchange(services, id, again);
  expect(made(other.reply)).toEqual(['Sales: <p>right</p>']);
});

it('a page that is loaded again in the middle of a call sees it being written, and then the same version', async () => {
  const { id, api } = await services.as('alice');
  const input = JSON.stringify(whole);
  const half = input.slice(0, input.length / 2);
  let isLoadedAgain = false;
  function* slowly(): Generator<Step> {
    yield piece({ id: 'call_1', type: 'function', function: { name: 'artifact', arguments: half } });
    while (!isLoadedAgain) yield { type: 'wait', ms: 20 };
    yield piece({ function: { arguments: input.slice(half.length) } });
  }
  services.provider.script('slowly', {
    about: 'goes on with a call when the test says so',
    script: ({ tools }) =>
      tools?.steps.length
        ? scriptedStream(textSteps('There it is.'))
        : scriptedStream(slowly(), { finish: 'tool_calls' }),
  });
  const asked = question('Make it. [[slowly]]', { model: 'gpt-4', settings });
  const { conversationId, generationId } = asked;
  await services.deps.askService.ask(id, asked);

  const seen: Entry[] = [];
  const before = services.deps.askService.attach(id, generationId, 0, AbortSignal.timeout(60_000));
  for await (const entry of before) {
    seen.push(entry);
    if (inputs(folded(seen)).join('') === half) break;
  }
  const open = async () => (await api.messages.open({ conversationId })).bodies.at(-1) ?? expect.fail('No reply');
  // What is written reaches the database a moment later.
  await expect.poll(async () => inputs(await open())).toEqual([half]);
  const opened = await open();
  expect(opened.parts).toMatchObject([{ call: { state: 'writing' } }]);
  expect(made(opened)).toEqual([]);

  isLoadedAgain = true;
  const rest = await readAll(services, id, generationId, seen.at(-1)?.seq);
  const after = folded(rest, folded(seen));
  expect(made(after)).toEqual([`Sales: ${whole.text}`]);
  expect((await open()).parts).toEqual(after.parts);
});

it('a reader who comes later sees the same version, and so does a share and its copy', async () => {
  const { id, api } = await services.as('alice');
  const over = { model: 'gpt-4', settings };
  const input = question(calling([whole], [edit('1', '2')]), over);
  const { reply } = await exchange(services, id, input);
  const messages = await api.messages.list({ conversationId: input.conversationId });
  expect(messages.slice(1).map(made)).toEqual([made(reply)]);
  const entries = await readAll(services, id, input.generationId);
  expect(entries.at(-1)?.event).toMatchObject({ type: 'final', reply: { parts: reply.parts } });
  const share = await api.shares.create({ conversationId: input.conversationId, leafId: null });
  const { thread } = await api.shares.read({ id: share.id });
  expect(artifactsOfMessage(thread.messages.at(-1) ?? { parts: [] })).toMatchObject([
    { id: 'html:chart', source: whole.text },
    { id: 'html:chart', source: whole.text.replace('1', '2') },
  ]);
  const bob = await services.as('bob');
  const copy = await bob.api.shares.copy({ id: share.id });
  const copied = await bob.api.messages.list({ conversationId: copy.conversationId });
  expect(copied.slice(1).map(made)).toEqual([made(reply)]);
});

it('is not offered by a protocol without tools, whose model answers all the same', async () => {
  const { id } = await services.as('alice');
  const over = { endpoint: 'cohere', model: 'one', settings };
  const { reply } = await exchange(services, id, question('Make a page [[plain]]', over));
  expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  expect(messageText(reply)).not.toBe('');
  expect(JSON.stringify(answerRequests(services.provider).at(-1)?.body)).not.toContain('artifact');
});

it('is offered to nobody who has not switched it on', async () => {
  const { id } = await services.as('alice');
  await exchange(services, id, question('Hello', { model: 'gpt-4' }));
  expect(JSON.stringify(answerRequests(services.provider).at(-1)?.body)).not.toContain('artifact');
});
