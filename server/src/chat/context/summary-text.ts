// The text around a summary. A summary that does not reach back to the beginning says so in its first line, which the
// model also reads.

/** Writes the message that gives a model the summary. */
export function summaryMessage(text: string): string {
  return `What was said before, in short:\n${text}`;
}

const GAP = /^\((\d{1,9}) older messages are not part of this\.\)\n/;

/** Marks a summary as missing this many messages at the beginning. */
export function withGap(text: string, missing: number): string {
  const words = text.replace(GAP, '');
  return missing === 0 ? words : `(${missing} older messages are not part of this.)\n${words}`;
}

/** Reads how many messages before it a summary does not cover. */
export function missingFrom(text: string): number {
  return Number(GAP.exec(text)?.[1] ?? 0);
}
