// Spreadsheets: each sheet as rows under its first one. Values as they are stored, dates as dates.
import { mainPart, readRelations } from './office.ts';
import type { Extract, Sink } from './source.ts';
import { createSheetWriter } from './writers/sheet-writer.ts';
import { readXml, type XmlReader } from './xml.ts';
import { openZip, type Zip } from '../../platform/zip/read-zip.ts';

/** Excel's own limits of a cell and of the columns. */
const CELL_LENGTH = 32_767;
const COLUMNS_MAX = 16_384;
/** Longer rows are cut. Many cells that share one long string would otherwise make a small file endless. */
const ROW_LENGTH = 100_000;

interface Workbook {
  sheets: { name: string; part: string }[];
  /** Whether days are counted from 1904. */
  isFrom1904: boolean;
  strings: string[];
  /** Whether a style, by its number, shows numbers as dates. */
  isDate: boolean[];
}

export const extractXlsx: Extract = async (path, sink) => {
  const zip = await openZip(path);
  const workbook = await readWorkbook(zip, await mainPart(zip, 'xl/workbook.xml'));
  for (const { name, part } of workbook.sheets) {
    if (!zip.has(part)) continue;
    const { reader, finish } = createSheetReader(name, workbook, sink);
    await readXml(zip, part, reader);
    finish();
  }
  return null;
};

async function readWorkbook(zip: Zip, main: string): Promise<Workbook> {
  const relations = await readRelations(zip, main);
  const sheets: Workbook['sheets'] = [];
  let isFrom1904 = false;
  await readXml(zip, main, {
    open(tag, attributes) {
      if (tag === 'workbookPr') isFrom1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (tag !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      const relation = relations.get(id ?? '');
      if (relation?.type === 'worksheet') sheets.push({ name: attributes.name ?? '', part: relation.target });
    },
  });
  const partOf = (kind: string) => [...relations.values()].find(({ type }) => type === kind)?.target;
  return {
    sheets,
    isFrom1904,
    strings: await readStrings(zip, partOf('sharedStrings')),
    isDate: await readDateStyles(zip, partOf('styles')),
  };
}

/** The texts that cells share, without how they are pronounced. */
async function readStrings(zip: Zip, part: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined || !zip.has(part)) return strings;
  let text = '';
  let inText = false;
  let inPronunciation = false;
  await readXml(zip, part, {
    open(tag) {
      if (tag === 'si') text = '';
      if (tag === 't') inText = true;
      if (tag === 'rPh') inPronunciation = true;
    },
    close(tag) {
      if (tag === 'si') strings.push(text);
      if (tag === 't') inText = false;
      if (tag === 'rPh') inPronunciation = false;
    },
    text(more) {
      if (inText && !inPronunciation && text.length < CELL_LENGTH) text += more;
    },
  });
  return strings;
}

async function readDateStyles(zip: Zip, part: string | undefined): Promise<boolean[]> {
  const isDate: boolean[] = [];
  if (part === undefined || !zip.has(part)) return isDate;
  const own = new Map<string, boolean>();
  let inCellStyles = false;
  await readXml(zip, part, {
    open(tag, { numFmtId = '', formatCode = '' }) {
      if (tag === 'numFmt') own.set(numFmtId, showsDate(formatCode));
      if (tag === 'cellXfs') inCellStyles = true;
      if (tag === 'xf' && inCellStyles) isDate.push(own.get(numFmtId) ?? isDateFormat(Number(numFmtId)));
    },
    close(tag) {
      if (tag === 'cellXfs') inCellStyles = false;
    },
  });
  return isDate;
}

/** The built-in formats of dates and times, East Asian ones included. */
function isDateFormat(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** Whether a format has letters of dates outside its quotes, colours and escapes. */
function showsDate(format: string): boolean {
  let closing = '';
  for (let at = 0; at < format.length; at++) {
    const sign = format[at] ?? '';
    if (closing !== '') closing = sign === closing ? '' : closing;
    else if (sign === '"') closing = '"';
    else if (sign === '[') closing = ']';
    else if (sign === '\\') at++;
    else if (/[ymdhs]/i.test(sign)) return true;
  }
  return false;
}

function createSheetReader(name: string, workbook: Workbook, sink: Sink): { reader: XmlReader; finish(): void } {
  const { add, finish } = createSheetWriter(name, sink);
  let cells: string[] = [];
  let rowLength = 0;
  let cell = { type: '', style: 0, value: '' };
  let inValue = false;

  function endCell(): void {
    const text = readCell(cell, workbook).slice(0, CELL_LENGTH);
    if (rowLength + text.length > ROW_LENGTH) return;
    rowLength += text.length;
    cells[cells.length - 1] = text;
  }

  const reader: XmlReader = {
    open(tag, { r = '', t = 'n', s = '0' }) {
      if (tag === 'row') {
        cells = [];
        rowLength = 0;
      }
      if (tag === 'c') {
        cell = { type: t, style: Number(s), value: '' };
        const column = columnOf(r) ?? cells.length;
        while (cells.length <= column) cells.push('');
      }
      if (tag === 'v' || tag === 't') inValue = true;
    },
    close(tag) {
      if (tag === 'v' || tag === 't') inValue = false;
      if (tag === 'c') endCell();
      if (tag === 'row') add(cells);
    },
    text(more) {
      if (inValue && cell.value.length < CELL_LENGTH) cell.value += more;
    },
  };
  return { reader, finish };
}

/** The number of a column, from 0, by the address of a cell: 2 for 'C7'. */
function columnOf(address: string): number | null {
  let column = 0;
  for (const [letter] of address.matchAll(/[A-Z]/g)) column = column * 26 + letter.charCodeAt(0) - 64;
  return column >= 1 && column <= COLUMNS_MAX ? column - 1 : null;
}

function readCell({ type, style, value }: { type: string; style: number; value: string }, workbook: Workbook): string {
  if (type === 's') return workbook.strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n' || value === '') return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (workbook.isDate[style]) return dateOf(number, workbook.isFrom1904) ?? value;
  // Fifteen digits are what Excel keeps; the rest is how binary numbers are written.
  return String(Number(number.toPrecision(15)));
}

const DAY_MS = 86_400_000;
/** Day 60 is the 29th of February 1900, which never was; what comes before it is a day off, in Excel too. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** '2024-03-05', with the time where there is one, the time alone for a part of a day. Null outside Excel's dates. */
function dateOf(days: number, isFrom1904: boolean): string | null {
  if (days < 0 || days >= 2_958_466) return null;
  const at = (isFrom1904 ? EPOCH_1904 : EPOCH_1900) + Math.round((days * DAY_MS) / 1000) * 1000;
  const [date = '', time = ''] = new Date(at).toISOString().replace('.000Z', '').split('T');
  if (days < 1) return time;
  return time === '00:00:00' ? date : `${date} ${time}`;
}
