// Carries citation marks such as `[2]` through the parser: each has its index in a tag that Markdown takes for letters,
// so that no offset of the text has to survive the parsing.

/** Private use characters, which no ordinary text contains. */
const OPENER = '\uE002';
const CLOSER = '\uE003';
const TAG = /\uE002\d+\uE003/g;
const TAGGED = /(\[\d{1,3}\uE002\d+\uE003\])/;
const MARK = /\[\d{1,3}\]/y;

/** The mark that begins at an offset in UTF-16 units, such as `[2]`; null if none does. */
export function citationMarkAt(text: string, at: number): string | null {
  MARK.lastIndex = at;
  return MARK.exec(text)?.[0] ?? null;
}

/**
 * The text with a tag in each mark that begins at one of the offsets. Offsets without a mark are skipped; a text with
 * such characters of its own stays as it is.
 */
export function tagCitationMarks(text: string, offsets: readonly number[]): string {
  if (text.includes(OPENER)) return text;
  let tagged = '';
  let from = 0;
  for (const { at, index } of offsets.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at)) {
    const mark = at >= from ? citationMarkAt(text, at) : null;
    if (mark === null) continue;
    const end = at + mark.length - 1;
    tagged += `${text.slice(from, end)}${OPENER}${index}${CLOSER}`;
    from = end;
  }
  return tagged + text.slice(from);
}

export function hasTags(text: string): boolean {
  return text.includes(OPENER);
}

/** The text as it was before it was tagged. */
export function withoutTags(text: string): string {
  return hasTags(text) ? text.replace(TAG, '') : text;
}

/** A tagged mark with its index in the list of offsets, or the text between two of them. */
export type TextPiece = { text: string; index: number | null };

export function splitTags(text: string): TextPiece[] {
  return text
    .split(TAGGED)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const index = TAGGED.test(piece) ? Number(piece.slice(piece.indexOf(OPENER) + 1, -2)) : null;
      return { text: withoutTags(piece), index };
    });
}
