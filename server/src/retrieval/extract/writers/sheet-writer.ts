// The rows of a sheet as they come: the names of its columns stand before each part of them.
import { lineOfCells } from '../office/package.ts';
import type { Sink } from '../source.ts';

export interface SheetWriter {
  add(cells: readonly string[]): void;
  /** To be called once, after the last row. */
  finish(): void;
}

/** Characters of rows that are written at once. */
const BATCH_LENGTH = 64 * 1024;
/** How far down the names of columns may stand, below a title. */
const NAMES_WITHIN = 10;

export function createSheetWriter(name: string, sink: Sink): SheetWriter {
  /** The first row of several cells; null until it has come, empty where there is none. */
  let columns: string | null = null;
  let rows: string[] = [];
  let length = 0;
  let hasRows = false;

  function flush(): void {
    if (rows.length > 0) sink.write({ page: null, heading: name, text: rows.join('\n'), columns: columns ?? '' });
    rows = [];
    length = 0;
  }

  return {
    add(cells) {
      const line = lineOfCells(cells);
      if (line === null) return;
      if (columns === null && cells.filter((text) => text.trim() !== '').length > 1) {
        flush();
        columns = line;
        hasRows = false;
        return;
      }
      hasRows = true;
      rows.push(line);
      length += line.length;
      if (columns === null && rows.length === NAMES_WITHIN) columns = '';
      if (length >= BATCH_LENGTH) flush();
    },
    finish() {
      flush();
      if (columns && !hasRows) sink.write({ page: null, heading: name, text: columns, columns: '' });
    },
  };
}
