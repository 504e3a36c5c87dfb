// Versions that a model makes by calls of a tool: what the calls hold, and where they stand among blocks of code.
import { expect, test } from 'vitest';
import { addVersion } from '@parley/schema/artifacts/add-version';
import { blockOfCall, wholeBlock } from '@parley/schema/artifacts/artifact-call';
import { readFenceInfo, writeFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import { editSource } from '@parley/schema/artifacts/edit-source';
import { artifactsOfMessage, listVersions } from '@parley/schema/artifacts/versions';
import { withText } from '@parley/schema/messages/edited-parts';
import type { MessagePart } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { ExportedPart } from '@parley/schema/transfer/exported';
import { callFromFacts, type CallFacts } from '../../../support/tools/call-facts.ts';

const from = { source: 'builtin', id: 'artifact', label: 'Artifacts' } as const;

function call(input: object, source?: string, rest: CallFacts = {}): Extract<MessagePart, { type: 'tool_call' }> {
  const made = source === undefined ? {} : { outputs: [{ type: 'artifact' as const, info: 'html id=chart', source }] };
  const facts = {
    id: '0:0',
    kind: 'function' as const,
    name: 'artifact',
    input: JSON.stringify(input),
    output: 'Done.',
    progress: 1,
    step: 0,
    from,
  };
  return { type: 'tool_call', call: callFromFacts({ ...facts, state: 'done', ...made, ...rest }) };
}

const text = (words: string): MessagePart => ({ type: 'text', text: words });
const sources = (parts: MessagePart[]) => artifactsOfMessage({ parts }).map(({ id, source }) => `${id} ${source}`);

test.each([
  ['one place', 'a b c', [['b', 'x']], 'a x c'],
  [
    'what an edit before it made',
    'a b',
    [
      ['b', 'xx'],
      ['xx', 'y'],
    ],
    'a y',
  ],
  ['everything', 'a', [['a', '']], ''],
  ['a text with signs of its own', 'cost: $&', [['cost', '$1 $& $$']], '$1 $& $$: $&'],
] as const)('edits replace %s', (_, source, edits, edited) => {
  expect(
    editSource(
      source,
      edits.map(([find, replace]) => ({ find, replace })),
    ),
  ).toEqual({ source: edited });
});

test.each([
  ['that is not there', [['z', 'y']], 'Edit 1: `find` occurs 0 times'],
  ['that is there three times', [['a', 'b']], 'Edit 1: `find` occurs 3 times'],
  ['that overlaps itself', [['aa', 'b']], 'Edit 1: `find` occurs 2 times'],
  [
    'that an edit before it took away',
    [
      ['ccc', ''],
      ['c', ''],
    ],
    'Edit 2: `find` occurs 0 times',
  ],
  ['of nothing', [['', 'b']], 'Edit 1: `find` is empty'],
  ['by itself', [['ccc', 'ccc']], 'The edits change nothing'],
] as const)('an edit of a text %s changes nothing and says why', (_, edits, problem) => {
  const told = editSource(
    'aaa ccc',
    edits.map(([find, replace]) => ({ find, replace })),
  );
  expect(told).toEqual({ problem: expect.stringContaining(problem) });
});

test('finding a repetitive text takes no longer', () => {
  const half = 'a'.repeat(100_000);
  // The search of the language takes seconds for one of these.
  for (let n = 0; n < 10; n++)
    expect(editSource('a'.repeat(400_000), [{ find: `${half}b${half}`, replace: '' }])).toHaveProperty('problem');
});

test.each([
  { language: 'html', id: 'chart', title: null },
  { language: 'html', id: 'a b', title: 'It\'s "so"' },
  { language: 'html', id: 'a', title: 'In "quotes"' },
  { language: 'html', id: 'a', title: 'two\nlines' },
])('the words behind a fence are read as they are written: $id, $title', (info) => {
  const read = readFenceInfo(writeFenceInfo(info));
  const title = info.title?.includes("'") ? "It's so" : (info.title?.replace('\n', ' ') ?? null);
  expect(read).toEqual({ ...info, title, isEdited: false });
});

test('a call holds what it made: a whole one in its arguments, an edited one in its output', () => {
  const whole = { id: 'chart', title: 'Sales', kind: 'html', text: '<p>1\r\n\u0000\n' };
  expect(blockOfCall(call(whole).call)).toEqual({ info: 'html id="chart" title="Sales"', source: '<p>1\n' });
  expect(blockOfCall(call({ id: 'chart', edits: [] }, '<p>2').call)?.source).toBe('<p>2');
  const none = [
    call({ id: 'chart' }),
    call({ ...whole, kind: 'constructor' }),
    call({ ...whole, text: 1 }),
    call(whole, undefined, { state: 'failed' }),
    call(whole, undefined, { state: 'running' }),
    call(whole, '<p>2', { from: { ...from, source: 'mcp' } }),
    call(whole, undefined, { input: '{' }),
  ];
  expect(none.map((one) => blockOfCall(one.call))).toEqual(none.map(() => null));
  expect(wholeBlock({ id: 'a', kind: 'react', text: 'x' })?.info).toBe('jsx id="a"');
});

test('versions of calls stand where they were made, on each branch its own', () => {
  const first = { messageId: 'a', parts: [text('```html id=chart\n<p>1\n```'), call({}, '<p>2'), text('Done.')] };
  const left = { messageId: 'b', parts: [call({}, '<p>left'), text('```html id=chart\n<p>left 2\n```')] };
  const right = { messageId: 'c', parts: [call({}, '<p>right')] };
  const told = (answers: { messageId: string; parts: MessagePart[] }[]) =>
    listVersions(answers).map(({ version, source }) => `${version} ${source}`);
  expect(told([first, left])).toEqual(['1 <p>1', '2 <p>2', '3 <p>left', '4 <p>left 2']);
  expect(told([first, right])).toEqual(['1 <p>1', '2 <p>2', '3 <p>right']);
});

test.each([
  ['begins', [call({}, '<p>1')]],
  ['ends', [text('Let me see. '), call({}, '<p>1')]],
  ['goes on', [text('Let me see.'), call({}, '<p>1'), text('Done.')]],
] as [string, MessagePart[]][])(
  'a version of a person is the last one of an answer that %s with a call',
  (_, parts) => {
    const [newest] = artifactsOfMessage({ parts });
    if (!newest) throw new Error('No artifact');
    const edited = withText(parts, addVersion(readableText({ parts }), newest, '<p>mine') ?? '');
    expect(sources(edited)).toEqual(['html:chart <p>1', 'html:chart <p>mine']);
    const again = withText(edited, addVersion(readableText({ parts: edited }), newest, '<p>again') ?? '');
    expect(sources(again)).toEqual(['html:chart <p>1', 'html:chart <p>mine', 'html:chart <p>again']);
    // To undo it leaves what was there.
    expect(readableText({ parts: withText(again, readableText({ parts })) }).trim()).toBe(
      readableText({ parts }).trim(),
    );
  },
);

test('an export brings a call back with what it made', () => {
  const part = call({ id: 'chart', edits: [] }, '<p>2');
  expect(sources([ExportedPart.parse(JSON.parse(JSON.stringify(part)))])).toEqual(['html:chart <p>2']);
});
