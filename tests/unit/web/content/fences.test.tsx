// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { repairFences } from '../../../../web/src/content/fences/repair-fences.ts';
import { Markdown } from '../../../../web/src/content/markdown.tsx';
import { startEnglish } from '../start-english.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
afterEach(cleanup);

/** The blocks of code, and the words that are shown outside of them. */
function read(text: string, streaming = false): { code: (string | null)[]; words: string } {
  const { container } = render(<Markdown text={text} streaming={streaming} />, { wrapper: MantineProvider });
  const page = (container.querySelector('[data-markdown]') ?? container).cloneNode(true) as Element;
  const blocks = [...page.querySelectorAll('pre')];
  const code = blocks.map(({ textContent }) => textContent);
  for (const block of blocks) block.remove();
  for (const control of page.querySelectorAll('[data-control], figcaption, header, button')) control.remove();
  cleanup();
  return { code, words: page.textContent.replace(/\s+/g, ' ').trim() };
}

const DOCUMENT = '# Title\n\n```bash\nnpm i\n```\n\n## After\n\n```js\nx()\n```';

describe('a document in a block of code', () => {
  it.each(['markdown', 'md', 'MDX', '', 'text'])('of the language %j keeps the blocks in it', (language) => {
    const { code, words } = read(`Here it is:\n\n\`\`\`${language}\n${DOCUMENT}\n\`\`\`\n\nDone outside.`);
    expect(code).toEqual([DOCUMENT]);
    expect(words).toContain('Done outside.');
  });

  it('keeps blocks with tildes, more marks or no language, and in a list', () => {
    const tildes = '# A\n\n~~~sh\nls\n~~~';
    expect(read(`~~~md\n${tildes}\n~~~\n\nafter`).code).toEqual([tildes]);
    const more = '# A\n\n````js\n```\n````';
    expect(read(`\`\`\`md\n${more}\n\`\`\`\n\nafter`).code).toEqual([more]);
    const bare = '# A\n\n```\nls\n```\n\n## B';
    expect(read(`\`\`\`md\n${bare}\n\`\`\`\n\nafter`).code).toEqual([bare]);
    const list = read('1. Make it:\n\n   ```md\n   # A\n\n   ```sh\n   ls\n   ```\n   ```\n\n2. Then');
    expect(list.code).toEqual(['# A\n\n```sh\nls\n```']);
    expect(list.words).toContain('Then');
  });

  it('is one block from the first piece to the last', () => {
    const text = `Here:\n\n\`\`\`markdown\n${DOCUMENT}\n\`\`\``;
    for (let end = text.indexOf('# Title') + 1; end <= text.length; end += 3) {
      const { code, words } = read(text.slice(0, end), true);
      expect(code).toHaveLength(1);
      expect(words).not.toContain('After');
    }
  });

  it('is read as CommonMark does when it has no end of its own, once it is complete', () => {
    const { code, words } = read('```md\n# A\n\n```sh\nls\n```\n\nThat is all.');
    expect(code).toEqual(['# A\n\n```sh\nls']);
    expect(words).toContain('That is all.');
  });

  it('ends at its fence where the blocks in it have fewer marks, and code is no document', () => {
    expect(read(`\`\`\`\`md\n${DOCUMENT}\n\`\`\`\`\nafter`).code).toEqual([DOCUMENT]);
    expect(read('```js\na\n```\n\nwords\n\n```js\nb\n```').code).toEqual(['a', 'b']);
    expect(read('```\nls\n```\n\nwords\n\n```sh\nb\n```').code).toEqual(['ls', 'b']);
  });
});

describe('a fence where none is expected', () => {
  it.each([
    ['Run this:```bash\nls -la\n```\nthen go.', ['ls -la'], 'Run this:', 'then go.'],
    ['**Run:** ```bash\nls\n```\nthen go.', ['ls'], 'Run:', 'then go.'],
    ['Run this:```\nls\n```\nthen go.', ['ls'], 'Run this:', 'then go.'],
    ['运行：```bash\nls\n```\n然后', ['ls'], '运行：', '然后'],
    ['- Run:```bash\n  ls\n  ```\n- next', ['ls'], 'Run:', 'next'],
    ['1. Run: ```bash\nls\n```\n2. next', ['ls'], 'Run:', 'next'],
    ['> Run:```bash\n> ls\n> ```\n> next', ['ls'], 'Run:', 'next'],
    ['- ```bash\n  ls\n  ```\n- next', ['ls'], '', 'next'],
    ['```bash\nls\n```then go on.', ['ls'], '', 'then go on.'],
    ['```bash\nls\n``` And then go', ['ls'], '', 'And then go'],
    ['```bash\nls\n```。然后', ['ls'], '', '。然后'],
    ['1. Do:\n   ```bash\nls -la\n\nif x:\n    y\n```\n2. Next', ['ls -la\n\nif x:\n    y'], 'Do:', 'Next'],
    ['1. Do:\n   ```bash\n   ls -la\n```\n2. Next', ['ls -la'], 'Do:', 'Next'],
  ])('is read as it is meant: %j', (text, code, before, after) => {
    const shown = read(text);
    expect(shown.code).toEqual(code);
    expect(shown.words).toContain(before);
    expect(shown.words).toContain(after);
    expect(shown.words).not.toContain('`');
    const repaired = repairFences(text, true).text;
    expect(repairFences(repaired, true).text).toBe(repaired);
  });

  it.each([
    'Begin a block with ```python and end it with ```.',
    'Begin a block with ```python\nand end it with ```.\n\nwords',
    'Use three of them: ```\n\nand words',
    '| a | ```js\n|---|---|\n| b | c |',
    '```\n``` aaa\n```',
    '```js\nconst a = `x`;\n```\n',
    '- ```js\n  a\n- ```js\n  b\n  ```',
    '- a\n\n  ```js\n  b\n  ```\n\nwords\n\n```\nc\n```\n',
    '> ```\n> a\n> ```\n\nwords',
    'code ```a``` in words',
    '    ```js\n    indented\n    ```',
  ])('stays as CommonMark reads it: %j', (text) => {
    expect(repairFences(text, true).text).toBe(text);
  });
});
