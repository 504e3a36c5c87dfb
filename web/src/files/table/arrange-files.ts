// Filter, order and pages of the table of files.
import type { StoredFile } from '@parley/schema/files/stored-file';

export const PAGE_SIZE = 10;

/** In their order. */
export const FILE_COLUMNS = ['name', 'date', 'storage', 'context', 'size'] as const;
export type FileColumn = (typeof FILE_COLUMNS)[number];

export interface FileOrder {
  column: FileColumn;
  isDescending: boolean;
}

/** Newest first. */
export const FIRST_ORDER: FileOrder = { column: 'date', isDescending: true };

/** A press on a column's head: the same column turns round, another begins as its kind is read best. */
export function reordered(order: FileOrder, column: FileColumn): FileOrder {
  if (order.column === column) return { column, isDescending: !order.isDescending };
  return { column, isDescending: column === 'date' || column === 'size' };
}

/** The files whose name contains the text, in order. */
export function arrangeFiles(files: readonly StoredFile[], text: string, order: FileOrder, locale: string) {
  const wanted = text.trim().toLocaleLowerCase(locale);
  const found = files.filter(({ name }) => name.toLocaleLowerCase(locale).includes(wanted));
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const compare: Record<FileColumn, (a: StoredFile, b: StoredFile) => number> = {
    name: (a, b) => collator.compare(a.name, b.name),
    date: (a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt),
    storage: (a, b) => a.source.localeCompare(b.source),
    context: (a, b) => a.context.localeCompare(b.context),
    size: (a, b) => a.bytes - b.bytes,
  };
  const sign = order.isDescending ? -1 : 1;
  return found.toSorted((a, b) => sign * compare[order.column](a, b));
}
