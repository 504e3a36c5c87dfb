// Workbooks of Excel before 2007. Their binary format is read by a library, in this process only: it has no network,
// makes no code of strings, and is ended when it takes too much.
import type { WorkSheet, read as readWorkbook } from '@e965/xlsx';
import { readBytes } from '../read-bytes.ts';
import { Unreadable, type Extract } from '../source.ts';
import { createSheetWriter } from '../writers/sheet-writer.ts';

/** The whole file is in memory several times while it is read. */
const BYTES_MAX = 32 * 1024 * 1024;
/** Excel's own bounds of that time are 65,536 rows of 256 columns. */
const COLUMNS_MAX = 256;

export const extractXls: Extract = async (path, sink) => {
  const { read, utils } = await import('@e965/xlsx');
  const workbook = openWorkbook(await readBytes(path, BYTES_MAX), read);
  for (const name of workbook.SheetNames) {
    const sheet = workbook.Sheets[name];
    const area = sheet?.['!ref'];
    if (!sheet || area === undefined) continue;
    const { s: from, e: to } = utils.decode_range(area);
    const writer = createSheetWriter(name, sink);
    for (let row = from.r; row <= to.r; row++) writer.add(cellsOf(sheet, row, Math.min(to.c, COLUMNS_MAX - 1)));
    writer.finish();
  }
  return null;
};

function openWorkbook(bytes: Uint8Array, read: typeof readWorkbook) {
  try {
    // Dense: rows are lists, so that names in the file never become keys.
    return read(bytes, { type: 'array', dense: true, cellDates: true, UTC: true, cellFormula: false, cellHTML: false });
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw new Unreadable('encrypted');
    throw error;
  }
}

function cellsOf(sheet: WorkSheet, row: number, last: number): string[] {
  const cells = sheet['!data']?.[row] ?? [];
  return Array.from({ length: last + 1 }, (_, column) => textOf(cells[column]?.v));
}

function textOf(value: string | number | boolean | Date | undefined): string {
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '').replace('T', ' ').slice(0, 19);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? String(Number(value.toPrecision(15))) : (value ?? '');
}
