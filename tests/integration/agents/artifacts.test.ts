// A model changes what it has made by calls, whatever its provider's protocol.
import { artifactsOfMessage, listVersions } from '@parley/schema/artifacts/versions';
import { isLoopCall, messageText, type Message } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequests, exchange, followUp, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices({
    TITLE_CONVO: 'false',
    OPENAI_MODELS: 'gpt-4',
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
    ANTHROPIC_MODELS: 'claude-sonnet-4-5',
    GOOGLE_KEY: 'fake',
    GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
    GOOGLE_MODELS: 'gemini-2.5-pro',
  });
});
afterAll(() => services.close());

const settings = { tools: ['artifact'] };

/** Each on a line of its own is a step. */
function calling(...steps: object[][]): string {
  const lines = steps.map((calls) => calls.map((args) => `call artifact ${JSON.stringify(args)}`).join(' and '));
  return `${lines.join('\n')}\n[[tool-steps]]`;
}

const made = (reply: Message) => artifactsOfMessage(reply).map(({ title, source }) => `${title}: ${source}`);
const calls = (reply: Message) => reply.parts.filter(isLoopCall).map(({ call }) => `${call.state} ${call.output}`);
const edit = (find: string, replace: string) => ({ id: 'chart', edits: [{ find, replace }] });
const whole = { id: 'chart', title: 'Sales', kind: 'html', text: '<b>Sales</b>\n<p>1</p>' };

describe.each([
  ['openAI', 'gpt-4'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-pro'],
])('%s', (endpoint, model) => {
  it('makes a page by a call, and changes it by others, in the same answer and in the next one', async () => {
    const { id } = await services.as('alice');
    const over = { endpoint, model, settings };
    const asked = calling([whole], [edit('2', '3')], [edit('<p>1', '<p>2'), edit('</b>', '</b>!')]);
    const first = await exchange(services, id, question(asked, over));
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
    const second = await exchange(services, id, followUp(calling([edit('<p>2', '<p>3')]), first, over));
    expect(made(second.reply)).toEqual(['Sales: <b>Sales</b>!\n<p>3</p>']);
    // The change costs the model no more than its own words.
    const sent = JSON.stringify(answerRequests(services.provider).at(-1)?.body);
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

it('is offered to nobody who has not switched it on', async () => {
  const { id } = await services.as('alice');
  await exchange(services, id, question('Hello', { model: 'gpt-4' }));
  expect(JSON.stringify(answerRequests(services.provider).at(-1)?.body)).not.toContain('artifact');
});
