// Tests of this room: tests/unit/web/plugins, tests/e2e/tools/plugin-store.test.ts.

// Which plugins the store shows, in which order, and how many on a page.
import type { Plugin } from '@parley/schema/tools/plugins';

/** The widths in CSS pixels from which the grid has more columns; the same as in the stylesheet. */
const TWO_COLUMNS_PX = 501;
const THREE_COLUMNS_PX = 640;
const FOUR_COLUMNS_PX = 1024;
/** Of a grid with one column. */
const ROWS_OF_ONE = 8;
const ROWS = 2;

/** How many plugins a page of the store has in a window of this width: two rows, or eight where it is a list. */
export function storePageSize(width: number): number {
  if (width < TWO_COLUMNS_PX) return ROWS_OF_ONE;
  if (width < THREE_COLUMNS_PX) return ROWS * 2;
  return width < FOUR_COLUMNS_PX ? ROWS * 3 : ROWS * 4;
}

/**
 * The plugins whose name contains the text, in any case: those that can be used, then those that may be, since they are
 * only the document of a service, then the others.
 */
export function findPlugins(plugins: readonly Plugin[], text: string): Plugin[] {
  const wanted = text.trim().toLocaleLowerCase();
  const found = plugins.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ unavailable, isOpenApi }: Plugin): number {
  return unavailable === null ? Number(isOpenApi) : 2;
}
