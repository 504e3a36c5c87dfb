/** Lines beyond which a person's own message is folded. */
const LINES = 20;
/** About as many characters as fit on a line of the bubble. */
const LINE_LENGTH = 75;

/** Whether a text takes more than about 20 lines. Counted, not measured: what is measured moves after it is seen. */
export function isLong(text: string): boolean {
  if (text.length > LINES * LINE_LENGTH) return true;
  return text.split('\n').reduce((lines, line) => lines + 1 + Math.floor(line.length / LINE_LENGTH), 0) > LINES;
}
