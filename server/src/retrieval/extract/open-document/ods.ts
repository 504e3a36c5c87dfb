// Spreadsheets of LibreOffice and its like: each sheet as rows under its first one. Cells as they are shown,
// with comments, and the texts of shapes below.
import type { Extract } from '../source.ts';
import { createSheetWriter, type SheetWriter } from '../writers/sheet-writer.ts';
import { readXml } from '../xml.ts';
import { addressBehind } from '../addresses.ts';
import { createAnnotation } from './annotations.ts';
import { CONTENT, repeatCount, openPackage } from './package.ts';

const COLUMNS_MAX = 16_384;
/** Longer rows are cut: many cells may repeat one long text. */
const ROW_LENGTH = 100_000;
/** Rows with content that repeat. */
const REPEATED_MAX = 100;

interface Cell {
  /** Told instead of the text. */
  date: string | null;
  /** What is stored. */
  value: string;
  /** What is shown. */
  text: string;
  formula: string;
  comment: string;
  count: number;
}

export const extractOds: Extract = async (path, sink) => {
  const zip = await openPackage(path);
  let sheet: { name: string; writer: SheetWriter } | null = null;
  const rows = createRows();
  const annotation = createAnnotation();
  const hidden = new Set<string>();
  let style = '';
  let cell: Cell | null = null;
  /** What stands in shapes beside the cells. */
  let shape: string | null = null;
  let beside: string[] = [];
  let link: { from: number; address: string | undefined } | null = null;

  function begin(name: string, styleName: string | undefined): void {
    const shown = styleName !== undefined && hidden.has(styleName) ? `${name} (hidden)` : name;
    sheet = { name: shown, writer: createSheetWriter(shown, sink) };
    beside = [];
  }

  function finish(): void {
    sheet?.writer.finish();
    if (sheet && beside.length > 0)
      sink.write({ page: null, heading: sheet.name, text: beside.join('\n'), columns: '' });
    sheet = null;
  }

  await readXml(zip, CONTENT, {
    open(tag, attributes) {
      if (annotation.isOpen() || tag === 'annotation') annotation.open(tag);
      else if (tag === 'style') style = attributes['style:name'] ?? '';
      else if (tag === 'table-properties' && attributes['table:display'] === 'false') hidden.add(style);
      else if (tag === 'table') begin(attributes['table:name'] ?? '', attributes['table:style-name']);
      else if (tag === 'table-row') rows.begin(attributes);
      else if (tag === 'table-cell' || tag === 'covered-table-cell') cell = cellOf(attributes);
      else if (tag === 'frame' || tag === 'custom-shape') shape = '';
      else if (tag === 'p') {
        if (shape !== null && shape !== '') shape += ' ';
        else if (shape === null && cell && cell.text !== '') cell.text += ' ';
      } else if (tag === 'a' && cell) link = { from: cell.text.length, address: attributes['xlink:href'] };
    },
    close(tag) {
      if (annotation.isOpen()) {
        const comment = annotation.close(tag);
        if (comment !== null && cell) cell.comment = comment;
      } else if (tag === 'a' && cell && link) {
        cell.text += addressBehind(cell.text.slice(link.from), link.address);
        link = null;
      } else if (tag === 'frame' || tag === 'custom-shape') {
        if (shape?.trim()) beside.push(shape.trim());
        shape = null;
      } else if (tag === 'table-cell' || tag === 'covered-table-cell') {
        if (cell) rows.add(cell);
        cell = null;
      } else if (tag === 'table-row' && sheet) rows.end(sheet.writer);
      else if (tag === 'table') finish();
    },
    text(more) {
      if (annotation.isOpen()) annotation.text(more);
      else if (shape !== null) shape += more;
      else if (cell) cell.text += more;
    },
  });
  return null;
};

function cellOf(attributes: Readonly<Record<string, string>>): Cell {
  const count = repeatCount(attributes['table:number-columns-repeated'], COLUMNS_MAX);
  const formula = attributes['table:formula']?.replace(/^\w+:/, '') ?? '';
  return { ...valueOf(attributes), formula, text: '', comment: '', count };
}

/** Puts cells together to rows: many that are empty, or repeat one text, take no room. */
function createRows() {
  const cells: string[] = [];
  let row = { cells, length: 0, blanks: 0, count: 1 };
  return {
    begin(attributes: Readonly<Record<string, string>>): void {
      const count = repeatCount(attributes['table:number-rows-repeated'], REPEATED_MAX);
      row = { cells: [], length: 0, blanks: 0, count };
    },
    add({ date, value, text, formula, comment, count }: Cell): void {
      const shown = `${date ?? (text.trim() || value || formula)} ${comment}`.trim();
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
    },
    end(writer: SheetWriter): void {
      for (let n = 0; n < row.count; n++) writer.add(row.cells);
    },
  };
}

/** A date in one form whatever its format; for others, what is stored where no text shows it. */
function valueOf(attributes: Readonly<Record<string, string>>): { date: string | null; value: string } {
  switch (attributes['office:value-type']) {
    case 'date': {
      const date = attributes['office:date-value']?.replace(/T00:00:00$/, '').replace('T', ' ');
      return { date: date ?? null, value: '' };
    }
    case 'boolean':
      return { date: attributes['office:boolean-value']?.toUpperCase() ?? null, value: '' };
    default:
      return { date: null, value: attributes['office:value'] ?? '' };
  }
}
