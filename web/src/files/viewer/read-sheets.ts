import type { TextSection } from '@parley/schema/files/documents';
import { cellsOfLine } from '../text/read-cells.ts';
import type { Sheet } from './table-view.tsx';

/** The sheets of a spreadsheet, from what the server has read: a section is a stretch of the rows of one. */
export function readSheets(sections: readonly TextSection[]): Sheet[] {
  const sheets: (Sheet & { rows: string[][] })[] = [];
  for (const { heading, columns, text, from, to } of sections) {
    const rows = text === '' ? [] : text.split('\n').map(cellsOfLine);
    const last = sheets.at(-1);
    if (last && last.name === (heading ?? '')) {
      last.rows.push(...rows);
      last.passages = { from: last.passages?.from ?? from, to };
    } else {
      const names = columns === null ? [] : cellsOfLine(columns);
      sheets.push({ name: heading ?? '', columns: names, rows, passages: { from, to } });
    }
  }
  return sheets;
}
