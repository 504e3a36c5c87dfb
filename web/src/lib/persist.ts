// What the browser keeps between visits. Storage can be full, forbidden or hold anything at all: reading never throws
// and writing never interrupts.

type Kind = 'localStorage' | 'sessionStorage';

/**
 * A stored JSON value, or `fallback` when nothing is stored or `parse` does not recognise it. Text that is not JSON is
 * handed to `parse` as it is, since some keys hold bare words.
 */
export function readStored<T>(key: string, fallback: T, parse: (stored: unknown) => T | undefined, kind?: Kind): T {
  const text = readText(key, kind);
  if (text === null) return fallback;
  return parse(fromJson(text)) ?? fallback;
}

/** Stores as JSON. False when the browser would not take it. */
export function writeStored(key: string, value: unknown, kind?: Kind): boolean {
  return writeText(key, JSON.stringify(value), kind);
}

/** The raw text under a key, null when absent or unreadable. */
export function readText(key: string, kind: Kind = 'localStorage'): string | null {
  try {
    return window[kind].getItem(key);
  } catch {
    return null;
  }
}

/** False when the browser would not take it. */
export function writeText(key: string, text: string, kind: Kind = 'localStorage'): boolean {
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
    // Where nothing can be removed, nothing could be stored either.
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
