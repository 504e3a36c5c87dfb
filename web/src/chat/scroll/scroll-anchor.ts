// The scroll anchor: the first element that starts inside the viewport.

/** Marks a row whose message is not loaded: its content will be replaced. */
const PENDING = 'pending';

/**
 * Candidates for the scroll anchor, the best first; if one is removed, the next takes over. `edge` is the top of the
 * viewport in client coordinates.
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

/** The first element within `row` that starts below the edge, at any depth; else the row. */
function firstBelow(row: Element, edge: number): Element {
  return findBelow(row, edge) ?? row;
}

/**
 * An element that crosses the edge may contain none that starts below it, such as an image beside a text: then its
 * next sibling may.
 */
function findBelow(within: Element, edge: number): Element | undefined {
  for (const element of within.children) {
    const { height, top, bottom } = element.getBoundingClientRect();
    // Visually hidden elements have no size and an arbitrary position.
    if (height <= 1 || bottom <= edge) continue;
    const found = top >= edge ? element : findBelow(element, edge);
    if (found) return found;
  }
  return undefined;
}
