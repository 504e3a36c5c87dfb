// Artifacts are the blocks of code of answers, at every byte of an answer that streams in.
import { expect, test } from 'vitest';
import { kindOfCode, readFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import { addVersion } from '@parley/schema/artifacts/add-version';
import { findArtifacts, type Artifact } from '@parley/schema/artifacts/find-artifacts';
import { findVersion, listVersions } from '@parley/schema/artifacts/versions';
import { readFence } from '../../../../web/src/content/code/fence.ts';
import { splitBlocks } from '../../../../web/src/content/split-blocks.ts';

const lines = (count: number, text = 'x') => Array.from({ length: count }, (_, n) => `${text}${n}`).join('\n');
const fenced = (info: string, source: string, marks = '```') => `${marks}${info}\n${source}\n${marks}`;
const PICTURE = `<svg>\n${lines(15)}\n</svg>`;
const page = (title: string, count = 15) => `<title>${title}</title>\n${lines(count)}`;

test.each([
  ['html', '<p>', 'html'],
  ['HTML', '<p>', 'html'],
  ['svg', '<svg/>', 'svg'],
  ['xml', '<?xml version="1.0"?>\n<svg width="1"/>', 'svg'],
  ['xml', '<feed/>', null],
  ['js', '<p>', null],
  ['', '<p>', null],
  ['constructor', '<p>', null],
  ['html', 'x'.repeat(400_001), null],
  ['tsx', "import { useState } from 'react';\nexport default function Pond() {}", 'react'],
  ['tsx', "import { Button } from './button';\nexport default function Pond() {}", null],
  ['jsx', 'const a = <b />;', null],
  ['jsx', `export default function Pond() {}${'x'.repeat(100_000)}`, null],
] as const)('%s is shown as it can be', (language, code, kind) => {
  expect(kindOfCode(language, code)).toBe(kind);
});

test('the words behind a fence name the thing', () => {
  expect(readFenceInfo('HTML id=chart title="Sales by month"')).toEqual({
    language: 'html',
    id: 'chart',
    title: 'Sales by month',
    isEdited: false,
  });
  expect(readFenceInfo('csv herons.csv edited')).toMatchObject({
    language: 'csv',
    title: 'herons.csv',
    isEdited: true,
  });
  expect(readFenceInfo(`html title="${'a'.repeat(100_000)}`).title).toHaveLength(80);
  expect(readFenceInfo('')).toEqual({ language: '', id: null, title: null, isEdited: false });
});

test('a block is a thing of its own from 15 lines on, or with an id; its title is what it calls itself', () => {
  const titles = (info: string, source: string) => findArtifacts([fenced(info, source)]).map(({ title }) => title);
  expect(titles('html', lines(14))).toEqual([]);
  expect(titles('html', lines(15))).toEqual([null]);
  expect(titles('svg', lines(4))).toEqual([]);
  expect(titles('svg', lines(5)), 'a whole drawing is short').toEqual([null]);
  expect(titles('html id=pond', 'x')).toEqual(['pond']);
  expect(titles('html', page('A &amp; B <b>c</b>'))).toEqual(['A & B c']);
  expect(titles('markdown', `\n## The *pond*\n${lines(15)}`)).toEqual(['The *pond*']);
  expect(titles('mermaid', `pie\ntitle Fish\n${lines(15)}`)).toEqual(['Fish']);
  expect(titles('jsx', `${lines(15)}\nexport default function Pond() {}`)).toEqual(['Pond']);
  expect(titles('js', lines(20))).toEqual([]);
});

test('a source that holds fences of its own, and one that is not closed, are read as they are drawn', () => {
  const inner = `# Notes\n\`\`\`js\nlet a;\n\`\`\`\n${lines(15)}`;
  expect(findArtifacts([fenced('markdown', inner, '````')]).map(({ source }) => source)).toEqual([inner]);
  // Three marks close it, whatever was meant.
  expect(findArtifacts([fenced('markdown', inner)])).toEqual([]);
  const [open] = findArtifacts([`\`\`\`html\n${lines(20)}\n\`\``]);
  expect(open).toMatchObject({ source: lines(20), isClosed: false });
});

test('the n-th block of a name on a branch is version n, so branches have versions of their own', () => {
  const answer = (messageId: string, ...blocks: string[]) => ({
    messageId,
    parts: [{ type: 'text', text: blocks.join('\n\nAnd\n\n') }],
  });
  const first = answer('a', fenced('html', page('Pond')), fenced('svg', lines(15)), fenced('svg', lines(16)));
  const second = answer('b', fenced('html', page('Pond', 20)));
  const other = answer('c', fenced('html', page('pond', 30)), fenced('html', page('Lake')));
  const told = (answers: (typeof first)[]) =>
    listVersions(answers).map(({ id, messageId, version }) => `${id} ${messageId} ${version}`);
  expect(told([first, second])).toEqual(['html:pond a 1', 'svg:#1 a 1', 'svg:#2 a 1', 'html:pond b 2']);
  expect(told([first, other])).toEqual(['html:pond a 1', 'svg:#1 a 1', 'svg:#2 a 1', 'html:pond c 2', 'html:lake c 1']);
  const drawn = { messageId: 'b', source: page('Pond', 16) };
  expect(findVersion(listVersions([first, second]), drawn)).toMatchObject({ version: 2, source: page('Pond', 20) });
});

test('the closed blocks at every byte of an answer are the ones drawn, and none changes later', () => {
  const text = [
    'Here is\r\na page:',
    fenced('html id=a', `<h1>Héron 🐦</h1>\n\n~~~\n${lines(3)}\n    deep`),
    fenced('  svg title="A b"', lines(15), '~~~~'),
    '- a list\n- of two',
    'and',
    `  \`\`\`csv id=c\n  a,b\n    1,2\n  \`\`\``,
    '$$\na\n$$',
    fenced('js', 'let a = `b`;'),
    `\`\`\`markdown id=d\n# Open\n${lines(4)}`,
  ].join('\n\n');
  const whole = findArtifacts([text]).filter(({ isClosed }) => isClosed);
  expect(whole.map(({ kind }) => kind)).toEqual(['html', 'svg', 'csv']);
  for (let end = 0; end <= text.length; end++) {
    const start = text.slice(0, end);
    const here = findArtifacts([start]);
    const closed = here.filter(({ isClosed }) => isClosed);
    expect(closed).toEqual(whole.slice(0, closed.length));
    const drawn = splitBlocks(null, start).blocks.flatMap((block) => readFence(block) ?? []);
    const named = drawn.filter(({ language }) => ['html', 'svg', 'csv', 'markdown'].includes(language));
    for (const { source, isClosed } of here)
      expect(named.map(({ code, closed: is }) => [code, is])).toContainEqual([source, isClosed]);
  }
});

test('the work grows with the text and not faster', () => {
  const text = `${fenced('html', lines(60_000, '`'))}\n${'```html\n'.repeat(20_000)}${'<title '.repeat(20_000)}`;
  expect(findArtifacts([text]).length).toBeLessThan(3);
});

test.each([
  ['named by its id', fenced('html id=chart title="Sales"', '<p>1'), '<p>2'],
  ['named by what it says, also when that changes', fenced('html', page('Herons')), page('Storks')],
  ['without a name', `${fenced('svg', PICTURE)}\n\n${fenced('svg', `${PICTURE}\n`)}`, '<svg width="2"/>'],
  ['with quotes in its name', fenced('markdown', `# The "pond"\n${lines(15)}`), '# Pond'],
  ['that holds fences', fenced('markdown id=a', '# A'), 'See\n```js\n~~~\n```'],
])('a version of an artifact %s is the last one of its answer', (_, text, source) => {
  const before = findArtifacts([text]);
  const [of] = before.slice(-1);
  if (!of) throw new Error('No artifact');
  const next = addVersion(`Here.\n\n${text}\n\nDone.`, of, source) ?? '';
  expect(findArtifacts([next])).toEqual([...before, { ...of, source, isEdited: true, title: titleAfter(of, source) }]);
  const again = addVersion(next, of, `${source} `) ?? '';
  expect(findArtifacts([again])).toHaveLength(before.length + 2);
  const drawn = splitBlocks(null, again).blocks.flatMap((block) => readFence(block) ?? []);
  expect(drawn.at(-1)?.code).toBe(`${source} `);
});

test('no version is added to an old one, or to an answer that ends within a block', () => {
  const [app] = findArtifacts([fenced('jsx id=app', 'export default function App() {}')]);
  const [chart] = findArtifacts([fenced('html id=chart', '<p>')]);
  if (!app || !chart) throw new Error('No artifacts');
  expect(addVersion('Here.', app, 'const a = 1;')).toBeNull();
  expect(addVersion('```js\nlet here', chart, '<p>2')).toBeNull();
});

/** Its fence says what it was called; only one without a name is called what it says. */
function titleAfter({ title }: Artifact, source: string): string | null {
  return title ?? (source.startsWith('<svg') ? null : source);
}
