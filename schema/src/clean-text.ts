/**
 * Cleans text for PostgreSQL: removes U+0000 and replaces lone surrogates by U+FFFD. Applied once to all text from
 * users and providers.
 */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/** `cleanText` on every string of a JSON-like value, keys included. */
export function cleanJson<T>(value: T): T;
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanJson(item)]));
}
