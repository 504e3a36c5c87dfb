// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Markdown } from '../../../../web/src/content/markdown.tsx';
import { repairTables } from '../../../../web/src/content/table/repair-table.ts';
import { tableCsv } from '../../../../web/src/content/table/table-csv.ts';
import { startEnglish } from '../start-english.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
afterEach(cleanup);

function draw(text: string): Element {
  return render(<Markdown text={text} streaming={false} />, { wrapper: MantineProvider }).container;
}

/** The cells of each row. */
function rows(text: string): string[][] {
  return [...draw(text).querySelectorAll('tr')].map((row) => [...row.children].map(({ textContent }) => textContent));
}

const HEAD = '| a | b |\n|---|---|\n';

describe('a pipe divides no cells', () => {
  it.each([
    ['in code', '| `(1 | group)` | x |', ['(1 | group)', 'x']],
    ['in code without spaces', '| `a||b` | `|` |', ['a||b', '|']],
    ['in code with more marks', '| ``x | ` y`` | z |', ['x | ` y', 'z']],
    ['that is escaped in code', '| `a\\|b` | `c \\| d` |', ['a|b', 'c | d']],
    ['in code at the end of a short row', '| `a | b` |', ['a | b', '']],
    ['in code of a row without outer pipes', '`a | b` | c', ['a | b', 'c']],
  ])('%s', (_where, row, cells) => {
    expect(rows(HEAD + row)[1]).toEqual(cells);
    cleanup();
    expect(rows(`- item\n\n  ${(HEAD + row).replaceAll('\n', '\n  ')}`)[1]).toEqual(cells);
    cleanup();
    expect(rows(`> ${(HEAD + row).replaceAll('\n', '\n> ')}`)[1]).toEqual(cells);
  });

  it('in a formula', async () => {
    const page = draw('| a | b |\n|---|---|\n| $|x|$ | y |\n| \\(P(a|b)\\) | z |\n\na | b\n---|---\n1 | $|x|$');
    await waitFor(() => expect(page.querySelectorAll('.katex')).toHaveLength(3));
    expect(page.querySelectorAll('td')).toHaveLength(6);
  });

  it('but separates prices and single backticks', () => {
    expect(rows(`${HEAD}| $5 | $6 |\n| \` | e.g. \`ls\` |`).slice(1)).toEqual([
      ['$5', '$6'],
      ['`', 'e.g. ls'],
    ]);
  });
});

describe('a row of more cells than the head', () => {
  it.each([
    [
      `${HEAD}| 1 | 2 | 3 | 4 |\n| x |`,
      [
        ['a', 'b', '', ''],
        ['1', '2', '3', '4'],
        ['x', '', '', ''],
      ],
    ],
    [
      'a | b\n--- | ---\n1 | 2 | 3',
      [
        ['a', 'b', ''],
        ['1', '2', '3'],
      ],
    ],
    [
      '| a | b | c |\n|---|---|\n| 1 | 2 | 3 |',
      [
        ['a', 'b', 'c'],
        ['1', '2', '3'],
      ],
    ],
    [
      '| a | b |\n|:--|---|--:|\n| 1 | 2 | 3 |',
      [
        ['a', 'b', ''],
        ['1', '2', '3'],
      ],
    ],
  ])('is shown whole: %j', (text, cells) => expect(rows(text)).toEqual(cells));

  it('is shown in one cell where it would make a huge table', () => {
    const many = Array.from({ length: 500 }, (_, index) => index);
    expect(rows(`${HEAD}| ${many.join(' | ')} |`)[1]).toEqual(['0', many.slice(1).join(' | ')]);
  });

  it('is shown whole in a long table', async () => {
    const row = `| ${'word '.repeat(20)} | \`a | b\` | more |\n`;
    const page = draw(HEAD + row.repeat(100));
    await waitFor(() => expect(page.querySelectorAll('tbody tr')).toHaveLength(100));
    for (const shown of page.querySelectorAll('tbody tr')) expect(shown.textContent).toMatch(/a \| bmore$/);
  });
});

it.each([
  HEAD,
  `${HEAD}| 1 | 2 |\n| 3 |`,
  'a | b\n---\nc | d | e',
  '```\n| a |\n|---|\n| `x|y` | z |\n```',
  '    | a |\n    |---|\n    | 1 | 2 |',
  'words | with pipes\n\n- and | more',
])('a text that Markdown reads as it is meant stays as it is: %j', (text) => expect(repairTables(text)).toBe(text));

it('marks beside punctuation are read in cells too', () => {
  const page = draw('| **“甲”**内 | b |\n|---|---|\n| **注：**丙 | ~~“旧”~~新 |');
  expect([...page.querySelectorAll('strong, del')].map(({ textContent }) => textContent)).toEqual([
    '“甲”',
    '注：',
    '“旧”',
  ]);
});

it('a copied table keeps numbers and lines, and runs nothing', () => {
  const page = draw('| a | b |\n|---|--:|\n| x<br>y | -1,250.50 |\n| +3 | =x |\n| (5.00) | -7 % |');
  const table = page.querySelector('table');
  expect(table && tableCsv(table)).toBe('a,b\r\n"x\ny","-1,250.50"\r\n+3,\'=x\r\n(5.00),-7 %\r\n');
});
