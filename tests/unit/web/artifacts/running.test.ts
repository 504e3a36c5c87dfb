// What runs, what waits for its person, and what a frame may tell the page.
import { expect, test } from 'vitest';
import type { Message } from '@parley/schema/messages/messages';
import { hasProgram, isForeign } from '../../../../web/src/artifacts/run/can-run.ts';
import { readNews } from '../../../../web/src/artifacts/run/frame-news.ts';
import { createNewsGate } from '../../../../web/src/artifacts/run/news-gate.ts';
import { artifactFile } from '../../../../web/src/artifacts/kinds.ts';

const message = (more: Partial<Message> = {}) =>
  ({ generationId: 'g', endpointType: 'openAI', parts: [{ type: 'text', text: 'x' }], ...more }) as Message;

test("only an artifact made here, with nothing foreign before it, is one's own", () => {
  expect(isForeign([message({ generationId: null }), message()])).toBe(false);
  expect(isForeign([message(), message({ generationId: null })]), 'imported or copied').toBe(true);
  expect(isForeign([undefined, message()]), 'not loaded').toBe(true);
  expect(isForeign([])).toBe(true);
  const file = { type: 'file' } as Message['parts'][number];
  expect(isForeign([message({ parts: [file] }), message()])).toBe(true);
  const calling = (source: 'builtin' | 'mcp', id: string) =>
    message({ parts: [{ type: 'tool_call', call: { from: { source, id, label: '' } } } as Message['parts'][number]] });
  expect(isForeign([calling('builtin', 'artifact')]), 'made by a call').toBe(false);
  expect(isForeign([calling('builtin', 'web_page')])).toBe(true);
  expect(isForeign([calling('mcp', 'artifact')])).toBe(true);
  expect(isForeign([message({ parts: [{ type: 'text', text: 'x', citations: [{} as never] }] })])).toBe(true);
  expect(isForeign([message({ endpointType: 'assistants' })])).toBe(true);
});

test.each([
  ['html', '<p>a</p>', false],
  ['html', '<p onclick="a()">', true],
  ['html', '<SCRIPT>', true],
  ['svg', '<svg><script/></svg>', true],
  ['react', '', true],
  ['csv', '<script>', false],
] as const)('%s %s runs or has nothing to run', (kind, source, has) => {
  expect(hasProgram(kind, source)).toBe(has);
});

test.each([
  null,
  'running',
  {},
  { state: 'other' },
  { state: 'failed', message: 'x'.repeat(2_001) },
  { state: 'failed', message: {} },
  { state: 'link', address: 'javascript:alert(1)' },
  { state: 'link', address: '//x' },
  { state: 'unknown' },
])('what a frame says is not believed: %j', (data) => {
  expect(readNews(data)).toBeNull();
});

test('the page hears 20 of 10,000 messages in a second, and says that the frame floods it', () => {
  const gate = createNewsGate({ heard: 20, flood: 2_000 });
  const fates = (from: number) => Array.from({ length: 10_000 }, (_, n) => gate.take(from + n / 10));
  for (const second of [5_000, 6_000]) {
    const here = fates(second);
    expect(here.slice(0, 20).every((fate) => fate === 'hear')).toBe(true);
    expect(here.slice(20).filter((fate) => fate !== 'drop')).toEqual(['flood']);
  }
  expect(gate.take(8_000)).toBe('hear');
});

test("a program's error stands on one line, cut, without turning the words around it", () => {
  const message = `first\nsecond\u202e${'x'.repeat(1_000)}`;
  expect(readNews({ state: 'failed', message, line: 3 })).toEqual({
    state: 'failed',
    message: `first second ${'x'.repeat(287)}…`,
    line: 3,
  });
});

test('a name or an address that the page shows is one, and not a sentence of the program', () => {
  expect(readNews({ state: 'unknown', name: '@scope/pack-age/file.js' })).toEqual({
    state: 'unknown',
    name: '@scope/pack-age/file.js',
  });
  expect(readNews({ state: 'unknown', name: 'x. Please sign in again' })).toBeNull();
  expect(readNews({ state: 'blocked', address: 'Please sign in again' })).toEqual({ state: 'blocked', address: '' });
});

test('news of a frame', () => {
  expect(readNews({ state: 'failed', message: 'a', line: 'b', more: 1 })).toEqual({
    state: 'failed',
    message: 'a',
    line: 0,
  });
  expect(readNews({ state: 'link', address: 'https://example.com/' })).toEqual({
    state: 'link',
    address: 'https://example.com/',
  });
});

test.each([
  ['html', 'Heron page', 'html', 'Heron-page.html', 'text/html'],
  ['csv', 'herons.csv', 'csv', 'herons.csv', 'text/csv'],
  ['csv', 'Ponds', 'tsv', 'Ponds.tsv', 'text/tab-separated-values'],
  ['react', '../../Pond', 'tsx', 'Pond.tsx', 'text/plain'],
  ['react', 'Pond', 'jsx', 'Pond.jsx', 'text/plain'],
  ['svg', '<img onerror=x>"', 'svg', 'img-onerror-x.svg', 'image/svg+xml'],
  ['mermaid', 'Flow of water', 'mermaid', 'Flow-of-water.mmd', 'text/plain'],
  ['markdown', null, 'md', 'markdown.md', 'text/markdown'],
] as const)('%s %s is saved as a file of its name and type', async (kind, title, language, name, type) => {
  const file = artifactFile({ kind, title, language, source: 'a' });
  expect([file.name, file.type, await file.text()]).toEqual([name, type, 'a\n']);
});
