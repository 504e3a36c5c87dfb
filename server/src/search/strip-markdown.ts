// Markdown without its signs, for the snippets of search results.

/** In order; a label or an address longer than these limits stays as it is. */
const SIGNS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/!?\[([^[\]\n]{0,200})\]\([^()\s]{0,400}\)/g, '$1'],
  // The ends of a link that goes on outside of this piece.
  [/!?\[(?=[^[\]\n]{0,200}$)/g, ''],
  [/\]\([^()\s]{1,400}\)/g, ''],
  [/```[\w+-]{0,20}\n?/g, ''],
  [/`/g, ''],
  [/(?<=\S)[*~]{1,3}|[*~]{1,3}(?=\S)/g, ''],
  [/^ {0,3}(?:#{1,6}|>) /gm, ''],
  // The box of a task.
  [/(?:(?<!\S)[-*+] |^)\[[ xX]\] /gm, ''],
  // Below a table's head, however long; a piece may begin or end within it.
  [/^(?=[|: \t]{0,20}-)(?=[-: \t]{0,200}\|)[|:\- \t]+$/gm, ''],
  [/:?-{3,20}:?/g, ''],
  [/ ?\| ?/g, ' '],
];

/**
 * The words of a piece of markdown, which may begin and end anywhere. Signs that stand alone, such as in `2 * 3`, stay.
 */
export function stripMarkdown(markdown: string): string {
  return SIGNS.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), markdown);
}
