// Tests of this room: tests/unit/schema.

/** The longest search query in UTF-16 units; longer ones are cut. */
export const QUERY_MAX = 500;

/** Cuts a search query, never inside a character. */
export function cutQuery(text: string): string {
  return text.length <= QUERY_MAX ? text : text.slice(0, QUERY_MAX).replace(/[\ud800-\udbff]$/, '');
}
