/** The user's own messages fold beyond this many lines. */
const LINES = 20;
/** Approximate characters per line of the bubble. */
const LINE_LENGTH = 75;

/**
 * Whether a text takes more than about 20 lines. Estimated, not measured: a measurement comes after the first paint and
 * would shift the layout.
 */
export function isLong(text: string): boolean {
  if (text.length > LINES * LINE_LENGTH) return true;
  return text.split('\n').reduce((lines, line) => lines + 1 + Math.floor(line.length / LINE_LENGTH), 0) > LINES;
}
