// What a reader looks at: the first thing that begins in the view.

/** Marks a row whose content is not here yet: it will change as a whole. */
const PENDING = 'pending';

/**
 * Elements to hold on to, the best first: one that goes away is replaced by the next. `edge` is the view's upper edge in
 * pixels of the page.
 */
export function findAnchor(content: Element, edge: number): Element[] {
  const rows = [...content.children].filter((child) => child instanceof HTMLElement && child.dataset.row !== undefined);
  const at = rows.findIndex((row) => row.getBoundingClientRect().bottom > edge);
  const row = rows[at];
  if (!row) return [];
  const next = rows[at + 1] ?? row;
  if (row.getBoundingClientRect().top >= edge) return [row];
  return row instanceof HTMLElement && row.dataset.row === PENDING ? [next, row] : [firstBelow(row, edge), next, row];
}

/** The first element within `row` that begins below the edge, as deep as it takes to find one; else the row. */
function firstBelow(row: Element, edge: number): Element {
  return findBelow(row, edge) ?? row;
}

/** What reaches below the edge may hold nothing that begins there, such as a picture beside a text: its neighbour may. */
function findBelow(within: Element, edge: number): Element | undefined {
  for (const element of within.children) {
    const { height, top, bottom } = element.getBoundingClientRect();
    // What is hidden from eyes has no size, and stands anywhere.
    if (height <= 1 || bottom <= edge) continue;
    const found = top >= edge ? element : findBelow(element, edge);
    if (found) return found;
  }
  return undefined;
}
