/** So long a search may be, in UTF-16 units: what is longer is cut, as nobody types it. */
export const QUERY_MAX = 500;

/** A search as far as it counts, never ending in half a character. */
export function cutQuery(text: string): string {
  return text.length <= QUERY_MAX ? text : text.slice(0, QUERY_MAX).replace(/[\ud800-\udbff]$/, '');
}
