// The text of a document as its paragraphs come: sections under their headings, tables by rows.
import { createHeadings } from '../headings.ts';
import { lineOfCells } from '../office/package.ts';
import type { Sink } from '../source.ts';

export interface DocumentWriter {
  add(paragraph: string): void;
  /** A heading begins: what comes is of another section. */
  enter(level: number, title: string): void;
  table(rows: string[]): void;
  endSection(): void;
}

/** A table that is longer is a section of its own, so that each of its chunks has its first row. */
const SHORT_TABLE_CHARS = 800;

export function createDocumentWriter(sink: Sink): DocumentWriter {
  const headings = createHeadings();
  let text: string[] = [];

  function endSection(): void {
    if (text.length > 0) sink.write({ page: null, heading: headings.path(), text: text.join('\n\n') });
    text = [];
  }

  return {
    add: (paragraph) => text.push(paragraph),
    enter(level, title) {
      endSection();
      headings.enter(level, title);
    },
    table([columns = '', ...rows]) {
      const whole = [columns, ...rows].join('\n');
      if (whole.length < SHORT_TABLE_CHARS) {
        text.push(whole);
        return;
      }
      endSection();
      sink.write({ page: null, heading: headings.path(), text: rows.join('\n'), columns });
    },
    endSection,
  };
}

export interface Tables {
  open(tag: string): void;
  close(tag: string): void;
  /** Adds text to the open cell; false outside of tables. */
  add(text: string): boolean;
}

/** A table inside a table becomes text of the outer one's cell. */
export function createTables(
  writer: Pick<DocumentWriter, 'table'>,
  tags = { table: 'tbl', row: 'tr', cell: 'tc' },
): Tables {
  /** The cells of the open rows, those of the innermost last. */
  const open: string[][] = [];
  let rows: string[] = [];

  function add(text: string): boolean {
    const cells = open.at(-1);
    if (!cells) return false;
    // What stands in a row outside its cells belongs to none.
    if (cells.length > 0) cells[cells.length - 1] += text;
    return true;
  }

  return {
    add,
    open(tag) {
      if (tag === tags.row) open.push([]);
      if (tag === tags.cell) open.at(-1)?.push('');
    },
    close(tag) {
      if (tag === tags.row) {
        const line = lineOfCells(open.pop() ?? []);
        if (line !== null && !add(`${line}\n`)) rows.push(line);
      }
      if (tag !== tags.table || open.length > 0 || rows.length === 0) return;
      writer.table(rows);
      rows = [];
    },
  };
}
