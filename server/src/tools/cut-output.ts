// Shortens what tools say, for models and for storage.

/** The most of a tool's output that a model gets, in characters; a tool may have a lower limit. */
export const OUTPUT_CHARS_MAX = 32 * 1024;
/** The most of a tool's log that is stored with its call, in characters. */
export const LOG_CHARS_MAX = 256 * 1024;

/** Keeps the beginning (three quarters) and the end of a long text, with the number of characters left out. */
export function cutOutput(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const first = Math.floor((maxChars * 3) / 4);
  const last = maxChars - first;
  const left = text.length - maxChars;
  const beginning = text.slice(0, first).toWellFormed();
  return `${beginning}\n[${left} characters are left out here]\n${text.slice(text.length - last).toWellFormed()}`;
}
