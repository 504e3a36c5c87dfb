// Where the notices stand: over nothing that is typed in or pressed, as far as the page has such a place.

export interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Pixels that a notice keeps from what it must not cover, and from the edges of the screen. */
const GAP = 8;

/**
 * The top of the notices, which are `width` wide in the middle of the screen: below the header, else at the upper edge,
 * else next to the dialog or the composer, else at the lower edge; where they cover the least if they must cover
 * something. `screen` is what the keyboard of a phone leaves.
 */
export function placeToasts(
  { width, height }: { width: number; height: number },
  screen: Box,
  header: number,
  busy: readonly Box[],
  besides: readonly Box[],
): number {
  const middle = (screen.left + screen.right) / 2;
  const [left, right] = [middle - width / 2, middle + width / 2];
  const lowest = screen.bottom - GAP - height;
  const tops = [
    header + GAP,
    screen.top + GAP,
    ...besides.flatMap((box) => [box.top - GAP - height, box.bottom + GAP]),
  ];
  const onScreen = [...tops.filter((top) => top >= screen.top && top <= lowest), lowest];
  let best = { top: onScreen[0] ?? lowest, covered: Infinity };
  for (const top of onScreen) {
    const covered = busy.reduce((sum, box) => sum + overlap({ top, bottom: top + height, left, right }, box), 0);
    if (covered < best.covered) best = { top, covered };
  }
  return best.top;
}

/** In square pixels. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}
