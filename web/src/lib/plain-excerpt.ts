/** Characters read at most: marks cost time, and only the beginning is said. */
const READ_MAX = 4_000;

/** Markdown and its text, in the order of reading. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  // Fences, lines across, and the lines below a table's head.
  [/^ {0,3}(?:```|~~~).*/gm, ''],
  [/^ {0,3}(?:[-*_] *){3,}$/gm, ''],
  [/^[|:\- ]+$/gm, ''],
  // What begins a line: quotes, lists, tasks, headings.
  [/^(?: *> ?)+/gm, ''],
  [/^ *(?:[-*+]|\d{1,9}[.)]) +(?:\[[ xX]\] +)?/gm, ''],
  [/^ {0,3}#{1,6} +/gm, ''],
  [/ #{1,6}$/gm, ''],
  // Pictures and links say their text, footnotes nothing.
  [/\[\^[^\]\s]{1,100}\]:?/g, ''],
  [/!?\[([^\][]{0,300})\]\([^()]{0,500}(?:\([^()]{0,200}\)[^()]{0,200})?\)/g, '$1'],
  [/!?\[([^\][]{1,300})\]\[[^\][]{0,100}\]/g, '$1'],
  [/<(https?:\/\/[^>\s]+)>/g, '$1'],
  // Cells of a table.
  [/^ *\||\| *$/gm, ''],
  [/ ?\| ?/g, ', '],
  // Marks around words.
  [/(\*{1,3}|~~|`+|\$\$)(?=\S)([^\n]*?\S)\1/g, '$2'],
  [/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^\n]*?\S)\1(?![\p{L}\p{N}_])/gu, '$2'],
  [/(\*{1,3}|`+)(?=\S)([^\n]*?\S)\1/g, '$2'],
  [/\\([!-/:-@[-`{-~])/g, '$1'],
  [/\s+/g, ' '],
];

/** The beginning of a Markdown text in words, without the marks: as it is read aloud or shown in one line. */
export function plainExcerpt(markdown: string, most: number): string {
  const text = MARKS.reduce((words, [mark, said]) => words.replace(mark, said), markdown.slice(0, READ_MAX));
  return text.trim().slice(0, most).toWellFormed();
}
