/** The user's own messages fold beyond this many lines. */
const LINES_MAX = 20;
/** Approximate characters per line of the bubble. */
const LINE_CHARS = 75;

/**
 * Whether a text takes more than about 20 lines. Estimated, not measured: a measurement comes after the first paint and
 * would shift the layout.
 */
export function isLong(text: string): boolean {
  if (text.length > LINES_MAX * LINE_CHARS) return true;
  return text.split('\n').reduce((lines, line) => lines + 1 + Math.floor(line.length / LINE_CHARS), 0) > LINES_MAX;
}
