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

/** The first element within `row` that begins below the edge, as deep as it takes to find one. */
function firstBelow(row: Element, edge: number): Element {
  let within = row;
  for (;;) {
    const next = firstReaching(within.children, edge);
    if (!next) return within;
    if (next.getBoundingClientRect().top >= edge) return next;
    within = next;
  }
}

/** The first that ends below the edge. What is hidden from eyes has no size, and stands anywhere. */
function firstReaching(elements: HTMLCollection, edge: number): Element | undefined {
  for (const element of elements) {
    const { height, bottom } = element.getBoundingClientRect();
    if (height > 1 && bottom > edge) return element;
  }
  return undefined;
}
