// Workbooks of Excel before 2007. Their binary format is read by a library, in this process only: it has no network,
// makes no code of strings, and is ended when it takes too much.
import type { CellObject, WorkSheet, read as readWorkbook } from '@e965/xlsx';
import { readBytes } from '../read-bytes.ts';
import { Unreadable, type Extract } from '../source.ts';
import { addressBehind } from '../addresses.ts';
import { loadFormats, type CellFormats } from '../office/cell-format.ts';
import { createSheetWriter } from '../writers/sheet-writer.ts';

/** The whole file is in memory several times while it is read. */
const BYTES_MAX = 32 * 1024 * 1024;
/** Excel's own bounds of that time are 65,536 rows of 256 columns. */
const COLUMNS_MAX = 256;

export const extractXls: Extract = async (path, sink) => {
  const { read, set_cptable: setEncodings, utils } = await import('@e965/xlsx');
  // Excel 95 and older write each text in the encoding of its country.
  setEncodings(await import('@e965/xlsx/dist/cpexcel'));
  const workbook = openWorkbook(await readBytes(path, BYTES_MAX), read);
  const formats = await loadFormats(['0'], workbook.Workbook?.WBProps?.date1904 === true);
  for (const [index, name] of workbook.SheetNames.entries()) {
    const sheet = workbook.Sheets[name];
    const area = sheet?.['!ref'];
    if (!sheet || area === undefined) continue;
    const { s: from, e: to } = utils.decode_range(area);
    const writer = createSheetWriter(workbook.Workbook?.Sheets?.[index]?.Hidden ? `${name} (hidden)` : name, sink);
    for (let row = from.r; row <= to.r; row++)
      writer.add(cellsOf(sheet, row, Math.min(to.c, COLUMNS_MAX - 1), formats));
    writer.finish();
  }
  return null;
};

function openWorkbook(bytes: Uint8Array, read: typeof readWorkbook) {
  try {
    // Dense: rows are lists, so that names in the file never become keys.
    return read(bytes, {
      type: 'array',
      dense: true,
      cellNF: true,
      cellText: false,
      cellFormula: false,
      cellHTML: false,
    });
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw new Unreadable('encrypted');
    throw error;
  }
}

function cellsOf(sheet: WorkSheet, row: number, last: number, formats: CellFormats): string[] {
  const cells = sheet['!data']?.[row] ?? [];
  return Array.from({ length: last + 1 }, (_, column) => {
    const cell = cells[column];
    if (!cell) return '';
    const shown = textOf(cell, formats);
    const comments = (cell.c ?? []).map(({ a: writer = '', t: text = '' }) => {
      const told = text.replace(/\s+/g, ' ').trim();
      return ` [${writer === '' || told.startsWith(`${writer}:`) ? told : `${writer}: ${told}`}]`;
    });
    return `${shown}${addressBehind(shown, cell.l?.Target)}${comments.join('')}`;
  });
}

function textOf({ t: type, v: value, z: code }: CellObject, formats: CellFormats): string {
  if (value instanceof Date || value === undefined || type === 'z') return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return formats.text(value, code ?? 0);
  return type === 'e' ? (ERRORS[value] ?? '#N/A') : formats.number(value, code ?? 0);
}

/** [MS-XLS] 2.5.10, by their codes. */
const ERRORS: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
};
