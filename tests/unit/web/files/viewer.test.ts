import type { TextSection } from '@parley/schema/files/documents';
import { describe, expect, it } from 'vitest';
import { kindOfFile } from '../../../../web/src/files/viewer/file-kind.ts';
import { decodeText } from '../../../../web/src/files/text/decode-text.ts';
import { readSheets } from '../../../../web/src/files/viewer/read-sheets.ts';
import { rowsOfText } from '../../../../web/src/files/text/rows-of-text.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

it.each([
  ['a.pdf', 'application/pdf', 'pdf'],
  ['a.md', 'text/plain', 'markdown'],
  ['a.csv', 'text/plain', 'csv'],
  ['a', 'text/tab-separated-values', 'csv'],
  ['a.py', 'text/x-python', 'text'],
  ['a.json', 'application/json', 'text'],
  ['a.html', 'text/html', 'text'],
  ['a.xlsx', `${OFFICE}.spreadsheetml.sheet`, 'sheets'],
  ['a.docx', `${OFFICE}.wordprocessingml.document`, 'document'],
  ['a.epub', 'application/epub+zip', 'document'],
  ['a.ods', 'application/vnd.oasis.opendocument.spreadsheet', 'sheets'],
  ['a.odt', 'application/vnd.oasis.opendocument.text', 'document'],
  ['a.eml', 'message/rfc822', 'document'],
  ['a.ics', 'text/calendar', 'document'],
  ['a.vcf', 'text/vcard', 'document'],
  ['a.mbox', 'application/mbox', 'document'],
  ['a.msg', 'application/vnd.ms-outlook', 'document'],
  ['a.ipynb', 'application/x-ipynb+json', 'document'],
  ['a.mp3', 'audio/mpeg', 'media'],
  ['a.png', 'image/png', 'image'],
  ['a.zip', 'application/zip', 'other'],
])('%s of %s is shown as %s', (name, mime, kind) => {
  expect(kindOfFile({ name, mime })).toBe(kind);
});

describe('a text', () => {
  it('is divided into its lines', () => {
    const rows = rowsOfText('one\r\n\ntwo\n');
    expect(rows.texts).toEqual(['one', '', 'two']);
    expect([...rows.starts]).toEqual([0, 5, 6]);
    expect(rows.numbers).toEqual([1, 2, 3]);
  });

  it('is several rows when it is one long line, without splitting a character', () => {
    const text = `${'a'.repeat(1999)}😀${'b'.repeat(3000)}`;
    const rows = rowsOfText(text);
    expect(rows.texts.join('')).toBe(text);
    expect(rows.texts.every((row) => row.isWellFormed() && row.length <= 2000)).toBe(true);
    expect(rows.numbers).toEqual([1, null, null]);
  });

  it.each([
    ['UTF-8', [0x63, 0xc3, 0xa9], 'cé'],
    ['UTF-16', [0xff, 0xfe, 0x63, 0x00], 'c'],
    ['UTF-16, the larger half first', [0xfe, 0xff, 0x00, 0x63], 'c'],
    ['another encoding', [0x63, 0xe9], null],
  ])('in %s', (_name, bytes, text) => {
    expect(decodeText(Uint8Array.from(bytes).buffer)).toBe(text);
  });
});

describe('the sheets of a spreadsheet', () => {
  const section = (more: Partial<TextSection>): TextSection => ({
    from: 0,
    to: 0,
    page: null,
    heading: 'Ships',
    columns: 'Name | Tons',
    text: '',
    ...more,
  });

  it('are joined from their parts', () => {
    const sections = [
      section({ text: 'Aurora | 12' }),
      section({ from: 1, to: 2, text: 'Borealis | 7\nClio' }),
      section({ from: 3, to: 3, heading: 'Notes', columns: null, text: 'None' }),
    ];
    expect(readSheets(sections)).toEqual([
      {
        name: 'Ships',
        columns: ['Name', 'Tons'],
        rows: [['Aurora', '12'], ['Borealis', '7'], ['Clio']],
        passages: { from: 0, to: 2 },
      },
      { name: 'Notes', columns: [], rows: [['None']], passages: { from: 3, to: 3 } },
    ]);
  });
});
