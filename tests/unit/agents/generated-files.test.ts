// Links of answers to files that code has made.
import type { MessagePart } from '@parley/schema/messages/messages';
import { withGeneratedFiles } from '@parley/server/chat/answer/ended-parts';
import { expect, it } from 'vitest';

function made(...files: [name: string, path: string][]): MessagePart {
  const outputs = files.map(([name, path]) => ({
    type: 'file' as const,
    fileId: path,
    path,
    name,
    mime: 'x',
    bytes: 1,
  }));
  const call = { id: '0:0', kind: 'code_interpreter' as const, name: 'python', input: '{}', output: '', progress: 1 };
  return { type: 'tool_call', call: { ...call, outputs } };
}

function linked(text: string, ...files: [name: string, path: string][]) {
  return withGeneratedFiles([made(...files), { type: 'text', text }])[1];
}

it.each([
  ['[a](sandbox:/mnt/data/a.csv) and [b](sandbox:/mnt/data/b.csv)', '[a](/1) and [b](/2)'],
  ['![a](sandbox:/mnt/data/a.csv "A")', '![a](/1 "A")'],
  ['sandbox:/mnt/data/a.csv.', '/1.'],
  ['[x](sandbox:/mnt/data/a%20b%20(1).csv)', '[x](/3)'],
  ['[x](<sandbox:/mnt/data/a b (1).csv>)', '[x](</3>)'],
  ['[x](sandbox:/mnt/data/%C3%A4.csv) sandbox:/mnt/data/ä.csv', '[x](/4) /4'],
  // Other files, whose names only begin alike.
  ['sandbox:/mnt/data/a.csv.gz sandbox:/mnt/data/a.csv-2', 'sandbox:/mnt/data/a.csv.gz sandbox:/mnt/data/a.csv-2'],
  ['sandbox:/mnt/data/', 'sandbox:/mnt/data/'],
])('%s', (text, expected) => {
  const part = linked(text, ['a.csv', '/1'], ['b.csv', '/2'], ['a b (1).csv', '/3'], ['ä.csv', '/4']);
  expect(part).toEqual({ type: 'text', text: expected });
});

it('the newest of several files with a name is linked', () => {
  expect(linked('sandbox:/mnt/data/a', ['a', '/old'], ['a', '/new'])).toMatchObject({ text: '/new' });
});

it('citations move with their marks', () => {
  const text = '[a](sandbox:/mnt/data/a.csv)[1]';
  const citations = [{ at: text.indexOf('[1]'), fileId: 'f', name: 'n', page: null, n: 0, quote: '' }];
  const [, part] = withGeneratedFiles([made(['a.csv', '/1']), { type: 'text', text, citations }]);
  expect(part).toMatchObject({ text: '[a](/1)[1]', citations: [{ at: 7 }] });
});
