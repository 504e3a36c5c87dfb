import { describe, expect, it } from 'vitest';
import { findText, FOUND_MAX, rowRanges } from '../../../../web/src/files/text/find-text.ts';
import { cellsOfLine, parseCsv } from '../../../../web/src/files/text/read-cells.ts';

describe('a search in rows', () => {
  const find = (wanted: string, rows: string[][]) => findText(wanted, rows.length, (row) => rows[row] ?? []);

  it('counts over the pieces of a row and finds nothing across them', () => {
    expect(
      find('AN', [
        ['Anna', 'Jan'],
        ['a', 'n'],
      ]),
    ).toEqual([
      { row: 0, from: 0, to: 2 },
      { row: 0, from: 5, to: 7 },
    ]);
  });

  it('keeps the places where lower case is longer', () => {
    expect(find('x', [['İx']])).toEqual([{ row: 0, from: 1, to: 2 }]);
  });

  it('finds nothing for nothing, and ends', () => {
    expect(find(' ', [['a b']])).toEqual([]);
    expect(find('a', [['a'.repeat(FOUND_MAX + 5)]])).toHaveLength(FOUND_MAX);
  });

  it('a stretch of a text is divided by its rows', () => {
    const rows = ['first', '', 'second'];
    expect(rowRanges({ from: 2, to: 9 }, [0, 6, 7], (row) => rows[row]?.length ?? 0)).toEqual([
      { row: 0, from: 2, to: 5 },
      { row: 2, from: 0, to: 2 },
    ]);
  });
});

describe('the cells of a table', () => {
  it.each([
    [
      'commas',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quotes with commas, line breaks and quotes',
      'a,b\r\n"x, ""y""\nz",2',
      [
        ['a', 'b'],
        ['x, "y"\nz', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b\n"1,5";2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      'a quote that nobody closes',
      'a,b\n1,"x',
      [
        ['a', 'b'],
        ['1', 'x'],
      ],
    ],
    ['an empty file', '\ufeff\n', []],
  ])('with %s', (_how, text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });

  it('of a line of the index', () => {
    expect(cellsOfLine('a |  | c')).toEqual(['a', '', 'c']);
  });
});
