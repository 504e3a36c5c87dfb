// The words around a summary. One that could not reach back to the beginning says so in its first line, which the model
// reads like the rest of it.

/** What a model is told of what it is not shown. */
export function summaryMessage(text: string): string {
  return `What was said before, in short:\n${text}`;
}

const GAP = /^\((\d{1,9}) older messages are not part of this\.\)\n/;

/** A summary from the beginning of which so many messages are missing. */
export function withGap(text: string, missing: number): string {
  const words = text.replace(GAP, '');
  return missing === 0 ? words : `(${missing} older messages are not part of this.)\n${words}`;
}

/** How many messages before it a summary does not know. */
export function missingFrom(text: string): number {
  return Number(GAP.exec(text)?.[1] ?? 0);
}
