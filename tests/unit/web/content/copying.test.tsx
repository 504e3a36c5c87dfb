// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { richHtml } from '../../../../web/src/chat/message-copy/rich-html.ts';
import { Markdown } from '../../../../web/src/content/markdown.tsx';
import { tableCsv } from '../../../../web/src/content/table/table-csv.ts';
import { startEnglish } from '../start-english.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
afterEach(cleanup);

function show(text: string): HTMLElement {
  const { container } = render(<Markdown text={text} streaming={false} />, { wrapper: MantineProvider });
  return container;
}

test('rich text has the structure of the answer and nothing of the page', () => {
  const page = show('## Title\n\nSome **bold** `<b>` [link](https://example.com/?a=1&b=2)\n\n3. three\n4. four');
  expect(richHtml(page).replaceAll('\n', '')).toBe(
    '<h2>Title</h2><p>Some <strong>bold</strong> <code>&lt;b&gt;</code> ' +
      '<a href="https://example.com/?a=1&amp;b=2">link</a></p><ol start="3"><li>three</li><li>four</li></ol>',
  );
});

test('rich text leaves out controls, and keeps code and tables', () => {
  const html = richHtml(show('```js\nlet a = 1;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- [x] done'));
  expect(html).toContain('<pre><code>let a = 1;</code></pre>');
  expect(html).toContain('<td>1</td>');
  expect(html).toContain('☑ ');
  expect(html).not.toMatch(/class=|style=|data-|Wrap|Copy|button|div|span/);
});

test('nothing of a page without Markdown is rich text', () => {
  expect(richHtml(document.createElement('article'))).toBe('');
});

test('a table is copied as CSV that no spreadsheet runs', () => {
  const page = show('| name | value |\n| - | - |\n| =SUM(A1) | 1,5 |\n| +1 | say "hi" |\n| @x | -2 |');
  const table = page.querySelector('table');
  if (!table) return expect.fail('no table');
  expect(tableCsv(table)).toBe('name,value\r\n\'=SUM(A1),"1,5"\r\n+1,"say ""hi"""\r\n\'@x,-2\r\n');
});
