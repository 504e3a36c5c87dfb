const LONGEST = 100;
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
/** Names that are devices on Windows. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name that every file system takes; the text itself where it is one. `fallback` for a text with nothing in it. */
export function fileNameOf(text: string, fallback: string): string {
  const name = text
    .replace(FORBIDDEN, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/^[ .]+|[ .]+$/g, '');
  if (name === '') return fallback;
  return DEVICE.test(name) ? `${name}_` : name;
}
