// The tool by which a model changes what it has made: what it finds on the branch, and what it tells the model.
import type { MessagePart } from '@parley/schema/messages/messages';
import { createArtifactTool } from '@parley/server/tools/builtin/artifact';
import type { BranchText } from '@parley/server/tools/tool';
import { describe, expect, it } from 'vitest';

const PAGE = '```html id=chart title="Sales"\n<b>Sales</b>\n<p>1</p>\n```';
const APP = '```jsx id=app\nexport default function App() {}\n```';

const text = (words: string): MessagePart => ({ type: 'text', text: words });
const reply = (...parts: MessagePart[]): BranchText => ({ from: 'reply', parts });

/** Calls the tool of one reply, one call after the other unless the test awaits none of them. */
function openTool(...branch: BranchText[]) {
  const read: BranchText[] = [];
  const tool = createArtifactTool({
    async *branch() {
      for (const said of branch) {
        read.push(said);
        yield said;
      }
    },
  });
  const ids = { userId: 'user', convoId: 'convo', generationId: 'generation', callId: '0:0' };
  const signal = new AbortController().signal;
  const call = async (args: Record<string, unknown>, said: readonly string[] = []) =>
    tool.run({ ...ids, args, said, signal, report: () => undefined });
  return { call, read };
}

const edit = (find: string, replace: string) => ({ id: 'chart', edits: [{ find, replace }] });
const made = (source: string, info = 'html id="chart" title="Sales"') => ({
  type: 'done',
  outputs: [{ type: 'artifact', info, source }],
});

describe('a call of the tool', () => {
  it('changes the newest version of the branch, which is read no further', async () => {
    const newest = reply(text(PAGE), text(PAGE.replace('<p>1', '<p>2')));
    const { call, read } = openTool({ from: 'person', text: 'Hello' }, reply(), newest, reply(text(PAGE)));
    expect(await call(edit('<p>2', '<p>3'))).toMatchObject(made('<b>Sales</b>\n<p>3</p>'));
    expect(read).toHaveLength(3);
  });

  it('changes what the calls before it made, also where it is carried out at once with them', async () => {
    const { call } = openTool(reply(text(PAGE)));
    const all = await Promise.all([call(edit('1', '2')), call(edit('1', '9')), call(edit('2', '3'))]);
    expect(all).toMatchObject([made('<b>Sales</b>\n<p>2</p>'), { type: 'failed' }, made('<b>Sales</b>\n<p>3</p>')]);
  });

  it('changes what the model said just before', async () => {
    const { call } = openTool(reply(text(PAGE.replace('1', '0'))));
    expect(await call(edit('1', '2'), [`Here.\n${PAGE}`])).toMatchObject(made('<b>Sales</b>\n<p>2</p>'));
    expect(await call(edit('2', '3'), [`Here.\n${PAGE}`, ''])).toMatchObject(made('<b>Sales</b>\n<p>3</p>'));
    expect(await call(edit('4', '5'), ['', '', PAGE.replace('1', '4')])).toMatchObject(made('<b>Sales</b>\n<p>5</p>'));
  });

  it('makes a whole one, which its arguments hold, and can change that', async () => {
    const { call } = openTool();
    const whole = { id: 'Pond', title: 'The pond', kind: 'markdown', text: '# Pond\n\nFish\n' };
    const outcome = await call(whole);
    expect(outcome).toMatchObject({ type: 'done', text: expect.stringContaining('3 lines') });
    expect(outcome).not.toHaveProperty('outputs');
    expect(await call({ id: 'pond', title: 'Pond', edits: [{ find: 'Fish\r\n', replace: 'a' }] })).toMatchObject({
      type: 'failed',
    });
    expect(
      await call({ id: 'pond', title: 'A pond', edits: [{ find: 'Fish', replace: 'Her\u0000ons' }] }),
    ).toMatchObject(made('# Pond\n\nHerons', 'markdown id="pond" title="A pond"'));
    expect(await call({ id: 'pond' })).toEqual({ type: 'done', text: '# Pond\n\nHerons' });
  });

  it('leaves a title to the source that says it', async () => {
    const page = `<title>Old</title>\n${'x\n'.repeat(20)}`;
    const { call } = openTool(reply(text(`\`\`\`html\n${page}\n\`\`\``)));
    expect(await call({ id: 'old', edits: [{ find: 'Old', replace: 'New' }] })).toMatchObject({
      outputs: [{ info: 'html id="old"' }],
    });
  });

  it.each([
    [
      'an unknown id',
      { id: 'nothing', edits: [] },
      'no artifact "nothing" in this conversation. There are: "app", "chart".',
    ],
    ['a text that is not there', edit('9', '8'), 'occurs 0 times'],
    ['a text that is there often', edit('b>', 'i>'), 'occurs 2 times'],
    ['no edits', { id: 'chart', edits: [] }, 'change nothing'],
    ['edits and all of it', { ...edit('1', '2'), text: 'x' }, 'either'],
    ['all of it without a kind', { id: 'chart', text: '<p>' }, 'needs a `kind`: html, svg, react'],
    ['all of it without a name', { id: ' ', kind: 'html', text: '<p>' }, '`id` is empty'],
    [
      'an app that is none any more',
      { id: 'app', edits: [{ find: 'default', replace: '' }] },
      'cannot be shown as react',
    ],
    ['too much', { id: 'big', kind: 'html', text: 'x'.repeat(400_001) }, 'too long'],
    ['arguments of another kind', { id: 'chart', edits: 'all' }, 'do not fit'],
  ])('fails for %s, and says what the model can do', async (_, args, sentence) => {
    const { call } = openTool(reply(text(APP), text(PAGE)), { from: 'file', text: 'never read' });
    expect(await call(args)).toEqual({ type: 'failed', text: expect.stringContaining(sentence) });
    expect(await call({ id: 'chart' })).toEqual({ type: 'done', text: '<b>Sales</b>\n<p>1</p>' });
  });

  it('goes on after a branch that could not be read', async () => {
    let isDown = true;
    const tool = createArtifactTool({
      async *branch() {
        if (isDown) throw new Error('The database is away');
        yield reply(text(PAGE));
      },
    });
    const ids = { userId: 'user', convoId: 'convo', generationId: 'generation', callId: '0:0' };
    const run = () =>
      tool.run({ ...ids, args: edit('1', '2'), signal: new AbortController().signal, report: () => undefined });
    await expect(run()).rejects.toThrow('away');
    isDown = false;
    expect(await run()).toMatchObject({ type: 'done' });
  });
});
