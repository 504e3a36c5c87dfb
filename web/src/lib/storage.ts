// The browser's storage between visits. It can be full, forbidden or hold any value: reading never throws, and writing
// never throws either.

type Kind = 'localStorage' | 'sessionStorage';

let isWritable: (key: string) => boolean = () => true;

/** Which keys may be written from now on: an unmounting screen may write after sign-out. */
export function limitWrites(isAllowed: (key: string) => boolean): void {
  isWritable = isAllowed;
}

/**
 * A stored JSON value, or `fallback` if nothing is stored or `parse` does not recognise it. `parse` gets text that is
 * not JSON unchanged, because some keys hold bare words.
 */
export function readStored<T>(key: string, fallback: T, parse: (stored: unknown) => T | undefined, kind?: Kind): T {
  const text = readText(key, kind);
  if (text === null) return fallback;
  return parse(fromJson(text)) ?? fallback;
}

/** Stores as JSON. False if the browser refuses. */
export function writeStored(key: string, value: unknown, kind?: Kind): boolean {
  return writeText(key, JSON.stringify(value), kind);
}

/** The raw text under a key, null if absent or unreadable. */
export function readText(key: string, kind: Kind = 'localStorage'): string | null {
  try {
    return window[kind].getItem(key);
  } catch {
    return null;
  }
}

/** False if the browser refuses. */
export function writeText(key: string, text: string, kind: Kind = 'localStorage'): boolean {
  if (!isWritable(key)) return false;
  try {
    window[kind].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

export function removeStored(key: string, kind: Kind = 'localStorage'): void {
  try {
    window[kind].removeItem(key);
  } catch {
    // If nothing can be removed, nothing could be stored either.
  }
}

/** The keys that start with `prefix`. */
export function keysWith(prefix: string): string[] {
  try {
    return Object.keys(window.localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
