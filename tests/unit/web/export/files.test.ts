import { buildTree } from '@parley/schema/messages/tree';
import type { Message } from '@parley/schema/messages/messages';
import { readLanguage } from '@parley/scripts/locales/read-locales';
import { describe, expect, test } from 'vitest';
import { asCsv } from '../../../../web/src/export/as-csv.ts';
import { asJson } from '../../../../web/src/export/as-json.ts';
import { asMarkdown } from '../../../../web/src/export/as-markdown.ts';
import { asText } from '../../../../web/src/export/as-text.ts';
import { validFileName } from '../../../../web/src/lib/file-name.ts';
import { defaultOptions, formats, withFormat } from '../../../../web/src/export/formats.ts';
import { imageScale } from '../../../../web/src/export/element-image.ts';
import type { Transcript } from '../../../../web/src/export/transcript.ts';
import { convo, message } from '../chat/people.ts';

const said = (id: string, seq: number, parent: string | null, text: string, rest: Partial<Message> = {}) =>
  message(id, seq, { parentMessageId: parent, parts: [{ type: 'text', text }], ...rest });

const question = said('q', 1, null, 'Say "hi", please', { isCreatedByUser: true, sender: 'User' });
const first = said('a1', 2, 'q', 'Hi\nthere', { finishReason: 'stop' });
const failed = message('a2', 3, { parentMessageId: 'q', reason: { type: 'empty_answer' } });
const last = said('b', 4, 'a1', 'Bye', { unfinished: true });

const transcript: Transcript = {
  convo: convo({ conversationId: 'lisbon', title: null, settings: { temperature: 0.5, stop: ['a', 'b'] } }),
  title: 'New Chat',
  tree: buildTree([question, first, failed, last]),
  path: [question, first, last],
  exportAt: '12:34:56 GMT+0000',
  failureOf: () => 'Nothing was said.',
};

describe('text export', () => {
  test('has headings, options and the branch on screen', () => {
    expect(asText(transcript, { includeOptions: true }).join('')).toBe(`Conversation
########################
conversationId: lisbon
endpoint: openAI
title: New Chat
exportAt: 12:34:56 GMT+0000

Options
########################
presetId: null
title: New Chat
endpoint: openAI
model: gpt-4
temperature: 0.5
stop: ["a","b"]

History
########################
>> User:
Say "hi", please


>> GPT-4:
Hi
there


>> GPT-4:
Bye
(This is an unfinished message)


`);
  });

  test('shows the text of an error', () => {
    const text = asText({ ...transcript, path: [failed] }, { includeOptions: false }).join('');
    expect(text).toContain('>> GPT-4:\nNothing was said.\n(This is an error message)\n');
    expect(text).not.toContain('Options');
  });
});

test('markdown export: only what was written as markdown may hold HTML', () => {
  const hostile = '<img src=x onerror=hit()>';
  const call = {
    id: '0:0',
    kind: 'function' as const,
    name: 'search',
    input: `{"q":"${hostile}"}`,
    output: `[1] Page ${hostile}\nhttps://pages.example/\n\`\`\`\n${hostile}`,
    progress: 1,
    step: 0,
    from: { source: 'mcp' as const, id: 'm', label: `Server ${hostile}` },
    state: 'done' as const,
  };
  const file = {
    type: 'file' as const,
    fileId: 'f',
    path: '/f',
    name: `File ${hostile}`,
    mime: 'text/plain',
    bytes: 1,
  };
  const answer = message('a', 2, {
    parentMessageId: 'q',
    sender: `Model ${hostile}`,
    parts: [file, { type: 'tool_call', call }, { type: 'text', text: 'As the page says [1].' }],
  });
  const settings = { promptPrefix: `Instructions\n${hostile}` };
  const text = asMarkdown(
    {
      ...transcript,
      convo: convo({ conversationId: 'lisbon', settings }),
      title: `Title ${hostile}`,
      path: [answer, failed],
      failureOf: () => `Fault ${hostile}`,
    },
    { includeOptions: true },
  ).join('');
  const outsideOfFences = text.split(/^(`{3,})[^`\n]*\n[^]*?^\1$/m).join('');
  for (const word of ['Title', 'Instructions', 'File', 'Model', 'Server', 'Page', 'Fault'])
    expect(outsideOfFences).toContain(word);
  expect(outsideOfFences.replaceAll('\\<', '')).not.toContain('<');
});

test.each([
  [1, 'Rated helpful'],
  [-1, 'Rated not helpful'],
] as const)('a rating of %i stands below the answer as words', (rating, words) => {
  const rated = { ...transcript, path: [question, { ...first, rating }, last] };
  const markdown = asMarkdown(rated, { includeOptions: false }).join('');
  expect(markdown).toContain(`Hi\nthere\n*(${words})*\n`);
  expect(markdown.split(words)).toHaveLength(2);
  expect(asText(rated, { includeOptions: false }).join('')).toContain(`Hi\nthere\n(${words})\n`);
});

test('markdown export', () => {
  const text = asMarkdown({ ...transcript, path: [first, failed, last] }, { includeOptions: true }).join('');
  expect(text).toBe(`# Conversation
- conversationId: lisbon
- endpoint: openAI
- title: New Chat
- exportAt: 12:34:56 GMT+0000

## Options
- presetId: null
- title: New Chat
- endpoint: openAI
- model: gpt-4
- temperature: 0.5
- stop: ["a","b"]

## History
**GPT-4:**
Hi
there


**GPT-4:**
Nothing was said.
*(This is an error message)*


**GPT-4:**
Bye
*(This is an unfinished message)*


`);
});

test.each([
  ['a stopped answer', 'See:\n\n```ts\nconst open', '```'],
  ['a longer fence', '````md\n```js\nx\n```', '````'],
  ['tildes', '~~~\nx', '~~~'],
  ['a list', '1. Type:\n\n   ```sh\n   echo', '   ```'],
])('markdown export: code that ends unclosed does not swallow the messages below it: %s', (_case, text, fence) => {
  const cut = said('a1', 2, 'q', text, { unfinished: true });
  const exported = asMarkdown({ ...transcript, path: [question, cut, last] }, { includeOptions: false }).join('');
  expect(exported).toContain(`**GPT-4:**\n${text}\n${fence}\n*(This is an unfinished message)*\n`);
});

test('markdown export: closed code, and code within a list, stay as they were written', () => {
  const text =
    '- ```sh\n  echo\n  ```\n\n> ```\n> x\n> ```\n\n`` ` `` and\n```inline```\n\n```\nx\n```\n\n- ```js\n  cut';
  const exported = asMarkdown({ ...transcript, path: [said('a1', 2, 'q', text)] }, { includeOptions: false }).join('');
  expect(exported).toContain(`**GPT-4:**\n${text}\n\n\n`);
});

test.each(['writing', 'running'] as const)(
  'a call that was %s when its answer ended is exported as stopped',
  (state) => {
    const facts = { kind: 'function' as const, name: 'search', input: '{', output: null, progress: 0, step: 0 };
    const call = { ...facts, id: '0:0', state };
    const path = [message('a', 2, { parts: [{ type: 'tool_call', call }] })];
    expect(asText({ ...transcript, path }, { includeOptions: false }).join('')).toContain('[tool: search, stopped]');
  },
);

test('csv export has its columns, quotes where needed, and branches on request', () => {
  const lines = asCsv(transcript, { exportBranches: true }).join('').split('\r\n');
  const root = '00000000-0000-0000-0000-000000000000';
  const at = '2024-05-01T12:00:00.000Z';
  expect(lines).toEqual([
    'sender,text,isCreatedByUser,error,unfinished,messageId,parentMessageId,createdAt',
    `User,"Say ""hi"", please",true,false,false,q,${root},${at}`,
    `GPT-4,"Hi\nthere",false,false,false,a1,q,${at}`,
    `GPT-4,Bye,false,false,true,b,a1,${at}`,
    `GPT-4,Nothing was said.,false,true,false,a2,q,${at}`,
    '',
  ]);
  expect(asCsv(transcript, { exportBranches: false })).toHaveLength(4);
});

test.each(['=1+1', '+1+1', '-A1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n=1', '＝1'])(
  'csv export: %j is text to a spreadsheet, not a formula',
  (text) => {
    const formula = said('f', 1, null, text);
    const [, line = ''] = asCsv({ ...transcript, path: [formula] }, { exportBranches: false });
    const cell = line.slice(line.indexOf(',') + 1);
    expect(cell.startsWith(`'${text}`) || cell.startsWith(`"'${text}"`)).toBe(true);
  },
);

test.each(['+1', '-1,250.50', '-7 %', '(5.00)'])('csv export: the number %j stays a number', (text) => {
  const [, line = ''] = asCsv({ ...transcript, path: [said('n', 1, null, text)] }, { exportBranches: false });
  expect(line).not.toContain("'");
  expect(line).toContain(text);
});

describe('json export', () => {
  const read = (choices: { includeOptions: boolean; exportBranches: boolean; recursive: boolean }) =>
    JSON.parse(asJson(transcript, choices).join('')) as Record<string, unknown>;

  test('nests each answer below its question', () => {
    const file = read({ includeOptions: true, exportBranches: true, recursive: true });
    expect(Object.keys(file).join(' ')).toBe(
      'conversationId endpoint title exportAt branches recursive options messagesTree',
    );
    expect(file).toMatchObject({
      branches: true,
      recursive: true,
      title: null,
      options: { model: 'gpt-4', temperature: 0.5 },
      messagesTree: [
        {
          messageId: 'q',
          children: [{ messageId: 'a1', children: [{ messageId: 'b', children: [] }] }, { messageId: 'a2' }],
        },
      ],
    });
  });

  test('lists messages one after the other', () => {
    const file = read({ includeOptions: false, exportBranches: true, recursive: false });
    expect(file.messages).toMatchObject([
      { messageId: 'q' },
      { messageId: 'a1' },
      { messageId: 'b' },
      { messageId: 'a2' },
    ]);
    expect(JSON.stringify(file)).not.toContain('children');
    expect(file.options).toBeUndefined();
  });

  test('has what is on screen, in both shapes, when branches are left out', () => {
    const list = read({ includeOptions: false, exportBranches: false, recursive: false });
    expect(list.messages).toMatchObject([{ messageId: 'q' }, { messageId: 'a1' }, { messageId: 'b' }]);
    const tree = JSON.stringify(read({ includeOptions: false, exportBranches: false, recursive: true }));
    expect(tree).toContain('"messageId":"b"');
    expect(tree).not.toContain('"messageId":"a2"');
  });

  test('writes a thread deeper than the call stack', () => {
    const deep = Array.from({ length: 20_000 }, (_, index) =>
      said(`m${index}`, index, index ? `m${index - 1}` : null, 'x'),
    );
    const pieces = asJson(
      { ...transcript, tree: buildTree(deep), path: deep },
      { includeOptions: false, exportBranches: true, recursive: true },
    );
    expect(pieces.join('').match(/"children":\[/g)).toHaveLength(20_000);
  });
});

describe('the export options', () => {
  test('start with an image', () => {
    expect(defaultOptions('x')).toEqual({
      fileName: 'x',
      format: 'screenshot',
      includeOptions: true,
      exportBranches: false,
      recursive: true,
    });
  });

  test.each([
    ['screenshot', false, false],
    ['text', true, false],
    ['markdown', true, false],
    ['json', true, true],
    ['csv', false, true],
  ] as const)('of %s start with what the format can hold', (format, includeOptions, exportBranches) => {
    const touched = { ...defaultOptions('x'), recursive: false };
    expect(withFormat(touched, format)).toMatchObject({ format, includeOptions, exportBranches, recursive: false });
  });
});

test.each([
  ['Tides & moons', 'Tides & moons'],
  ['a/b\\c:d*e?"<>|f', 'a b c d e f'],
  ['../../etc/passwd', 'etc passwd'],
  ['  .hidden. ', 'hidden'],
  ['line\nbreak\u0000\u202etxt.exe', 'line break txt.exe'],
  ['CON', 'CON_'],
  ['👨‍👩‍👧 عربى', '👨‍👩‍👧 عربى'],
  ['...', 'conversation'],
  ['x'.repeat(300), 'x'.repeat(100)],
])('the file name for %j is %j', (title, name) => {
  expect(validFileName(title, 'conversation')).toBe(name);
});

test('an image is as sharp as a canvas allows, and absent when it cannot be read', () => {
  expect(imageScale(840, 1_000)).toBe(2);
  expect(imageScale(840, 16_000)).toBe(1);
  expect(imageScale(840, 40_000)).toBeNull();
});

test('the formats have names in the language of the reader', () => {
  const german = readLanguage('de-DE');
  expect(Object.values(formats).map(({ label }) => german[label])).toEqual(['Bild', 'Text', 'Markdown', 'JSON', 'CSV']);
});
