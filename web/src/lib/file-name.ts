const NAME_CHARS_MAX = 100;
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
/** Reserved device names on Windows. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A file name valid on every file system; unchanged if the text already is. `fallback` if nothing remains. */
export function validFileName(text: string, fallback: string): string {
  const name = text
    .replace(FORBIDDEN, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, NAME_CHARS_MAX)
    .toWellFormed()
    .replace(/^[ .]+|(?<![ .])[ .]+$/g, '');
  if (name === '') return fallback;
  return DEVICE.test(name) ? `${name}_` : name;
}
