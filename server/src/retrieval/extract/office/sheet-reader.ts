// The rows of a sheet of Excel, and what its printed pages show above and below them.
import { addressBehind } from '../addresses.ts';
import type { Sink } from '../source.ts';
import { createSheetWriter } from '../writers/sheet-writer.ts';
import type { XmlReader } from '../xml.ts';
import type { CellFormats, FormatCode } from './cell-format.ts';

/** Excel's own limits of a cell and of the columns. */
export const CELL_LENGTH = 32_767;
const COLUMNS_MAX = 16_384;
/** Longer rows are cut. Many cells that share one long string would otherwise make a small file endless. */
const ROW_LENGTH = 100_000;

/** What the sheets of a file share. */
export interface Workbook {
  strings: readonly string[];
  /** By the numbers of styles. */
  codes: readonly FormatCode[];
  formats: CellFormats;
}

/** What belongs to cells and stands elsewhere in the file, by their addresses. */
export interface CellNotes {
  comments: ReadonlyMap<string, string>;
  links: ReadonlyMap<string, string>;
}

interface Cell {
  address: string;
  type: string;
  style: number;
  value: string;
  formula: string;
  hasValue: boolean;
}

const HEADER = /^(odd|even|first)(Header|Footer)$/;

/** `finish` returns the lines that stand outside the cells. */
export function createSheetReader(
  name: string,
  workbook: Workbook,
  notes: CellNotes,
  sink: Sink,
): { reader: XmlReader; finish(): string[] } {
  const writer = createSheetWriter(name, sink);
  const headers = new Set<string>();
  const told = new Set<string>();
  let cells: string[] = [];
  let rowLength = 0;
  let cell: Cell | null = null;
  let part: 'value' | 'formula' | 'header' | null = null;
  let header = '';

  function endCell(ended: Cell): void {
    const text = withNotes(ended, readCell(ended, workbook).slice(0, CELL_LENGTH), notes);
    if (notes.comments.has(ended.address)) told.add(ended.address);
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
        cell = { address: r, type: t, style: Number(s), value: '', formula: '', hasValue: false };
        const column = columnOf(r) ?? cells.length;
        while (cells.length <= column) cells.push('');
      }
      if (cell && (tag === 'v' || tag === 't')) {
        part = 'value';
        cell.hasValue = true;
      }
      if (cell && tag === 'f') part = 'formula';
      if (HEADER.test(tag)) [part, header] = ['header', ''];
    },
    close(tag) {
      if (part === 'header' && header.trim() !== '') headers.add(textOfHeader(header));
      part = null;
      if (tag === 'c' && cell) {
        endCell(cell);
        cell = null;
      }
      if (tag === 'row') writer.add(cells);
    },
    text(more) {
      if (part === 'header' && header.length < CELL_LENGTH) header += more;
      else if (part === 'value' && cell && cell.value.length < CELL_LENGTH) cell.value += more;
      else if (part === 'formula' && cell && cell.formula.length < CELL_LENGTH) cell.formula += more;
    },
  };
  return {
    reader,
    finish() {
      writer.finish();
      const others = [...notes.comments].filter(([address]) => !told.has(address));
      const comments = others.map(([address, comment]) => `${address}: [${comment}]`);
      return [...comments, ...[...headers].filter((text) => text !== '')];
    },
  };
}

function withNotes({ address, formula }: Cell, shown: string, { comments, links }: CellNotes): string {
  const linked = links.get(address) ?? /^HYPERLINK\("([^"]+)"/i.exec(formula)?.[1];
  const comment = comments.get(address);
  return `${shown}${addressBehind(shown, linked)}${comment === undefined ? '' : ` [${comment}]`}`.trim();
}

/** The number of a column, from 0, by the address of a cell: 2 for 'C7'. */
function columnOf(address: string): number | null {
  let column = 0;
  for (const [letter] of address.matchAll(/[A-Z]/g)) column = column * 26 + letter.charCodeAt(0) - 64;
  return column >= 1 && column <= COLUMNS_MAX ? column - 1 : null;
}

/** A formula whose value no program has stored is told as it is written. */
function readCell({ type, style, value, formula, hasValue }: Cell, { strings, codes, formats }: Workbook): string {
  if (!hasValue) return formula.trim() === '' ? '' : `=${formula.trim()}`;
  const code = codes[style] ?? 0;
  if (type === 's') return formats.text(strings[Number(value)] ?? '', code);
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'str' || type === 'inlineStr') return formats.text(value, code);
  if (type !== 'n' || value.trim() === '') return value;
  const number = Number(value);
  return Number.isFinite(number) ? formats.number(number, code) : value;
}

/** Fonts, sizes, colours and looks; and what differs on each page or day. */
const HEADER_LOOKS = /&(?:"[^"]*"|K[\dA-F]{6}|K\d\d[+-]\d{3}|\d{1,3}|[BIUESXYPNDTFAZGOH])/gi;

/** The texts on the left, in the middle and on the right, in one line. */
function textOfHeader(header: string): string {
  const parts = header.split(/(?<!&)&[LCR]/);
  const texts = parts.map((part) =>
    part.replaceAll('&&', '\0').replace(HEADER_LOOKS, '').replaceAll('\0', '&').replace(/\s+/g, ' ').trim(),
  );
  return texts.filter((text) => /[\p{L}\p{N}]/u.test(text)).join(' | ');
}
