// Spreadsheets of LibreOffice and its like: each sheet as rows under its first one. Values as they are stored.
import type { Extract } from '../source.ts';
import { createSheetWriter, type SheetWriter } from '../writers/sheet-writer.ts';
import { readXml } from '../xml.ts';
import { CONTENT, repeatCount, openPackage } from './package.ts';

const COLUMNS_MAX = 16_384;
/** Longer rows are cut: many cells may repeat one long text. */
const ROW_LENGTH = 100_000;
/** Rows with content that repeat. */
const REPEATED_MAX = 100;

interface Cell {
  value: string | null;
  text: string;
  count: number;
}

export const extractOds: Extract = async (path, sink) => {
  const zip = await openPackage(path);
  let sheet: SheetWriter | null = null;
  let row = { cells: [] as string[], length: 0, blanks: 0, count: 1 };
  let cell: Cell | null = null;
  let skipping = 0;

  function endCell({ value, text, count }: Cell): void {
    const shown = value ?? text.trim();
    // Only what stands before another cell takes room.
    if (shown === '') {
      row.blanks = Math.min(row.blanks + count, COLUMNS_MAX);
      return;
    }
    while (row.blanks > 0 && row.cells.length < COLUMNS_MAX) {
      row.cells.push('');
      row.blanks--;
    }
    for (let n = 0; n < count && row.length + shown.length <= ROW_LENGTH; n++) {
      row.cells.push(shown);
      row.length += shown.length;
    }
  }

  await readXml(zip, CONTENT, {
    open(tag, attributes) {
      if (skipping > 0 || tag === 'annotation') skipping++;
      else if (tag === 'table') sheet = createSheetWriter(attributes['table:name'] ?? '', sink);
      else if (tag === 'table-row') {
        const count = repeatCount(attributes['table:number-rows-repeated'], REPEATED_MAX);
        row = { cells: [], length: 0, blanks: 0, count };
      } else if (tag === 'table-cell' || tag === 'covered-table-cell') {
        const count = repeatCount(attributes['table:number-columns-repeated'], COLUMNS_MAX);
        cell = { value: valueOf(attributes), text: '', count };
      } else if (tag === 'p' && cell && cell.text !== '') cell.text += ' ';
    },
    close(tag) {
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (tag === 'table-cell' || tag === 'covered-table-cell') {
        if (cell) endCell(cell);
        cell = null;
      }
      if (tag === 'table-row') for (let n = 0; n < row.count; n++) sheet?.add(row.cells);
      if (tag === 'table') sheet?.finish();
    },
    text(more) {
      if (cell && skipping === 0) cell.text += more;
    },
  });
  return null;
};

/** What is stored beside the shown text; null where that text is the value. */
function valueOf(attributes: Readonly<Record<string, string>>): string | null {
  switch (attributes['office:value-type']) {
    case 'float':
    case 'currency':
    case 'percentage':
      return attributes['office:value'] ?? null;
    case 'date':
      return attributes['office:date-value']?.replace(/T00:00:00$/, '').replace('T', ' ') ?? null;
    case 'boolean':
      return attributes['office:boolean-value']?.toUpperCase() ?? null;
    default:
      return null;
  }
}
