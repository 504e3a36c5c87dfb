/** A text as a Markdown quote. */
export function asQuote(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').trim().split('\n');
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line.trimEnd()}`)).join('\n');
}

/** A draft with a quote below what is typed, and room for what one says to it. */
export function withQuote(draft: string, text: string): string {
  const before = draft.trimEnd();
  return `${before === '' ? '' : `${before}\n\n`}${asQuote(text)}\n\n`;
}
