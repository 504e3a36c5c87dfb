// A small map in an atom and in the browser's storage.
import { isObject } from '@parley/schema/json';
import { atom, getDefaultStore, type Atom, type WritableAtom } from 'jotai';
import { onClearPersonalData } from './personal-data.ts';
import { readStored, writeStored } from './storage.ts';

/** Milliseconds from the last change to the write: storage is slow and texts can be long. */
const WRITE_AFTER_MS = 300;

type Entries<T> = Readonly<Record<string, T>>;

export type EntryAtom<T> = WritableAtom<T | undefined, [value: T | undefined], void>;

export interface StoredMap<T> {
  all: Atom<Entries<T>>;
  /** One entry; writing undefined removes it. The same atom for the same key. */
  entry(key: string): EntryAtom<T>;
  /** Writes pending changes now. */
  flush(): void;
}

interface MapOptions<T> {
  storageKey: string;
  /** The maximum number of entries; the least recently changed goes first. */
  most: number;
  /** Validates a stored value; undefined if invalid. */
  parse: (stored: unknown) => T | undefined;
}

export function createStoredMap<T>({ storageKey, most, parse }: MapOptions<T>): StoredMap<T> {
  const read = () => readStored<Entries<T>>(storageKey, {}, (stored) => parseEntries(stored, parse));
  const entries = atom(read());
  const atoms = new Map<string, EntryAtom<T>>();
  const unwritten = new Map<string, T | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  onClearPersonalData(() => {
    clearTimeout(timer);
    unwritten.clear();
    getDefaultStore().set(entries, {});
  });

  /** Writes only the entries changed here: another tab may have written its own. */
  function flush(): void {
    clearTimeout(timer);
    if (unwritten.size === 0) return;
    let stored = read();
    for (const [key, value] of unwritten) stored = withEntry(stored, key, value, most);
    writeStored(storageKey, stored);
    unwritten.clear();
  }

  function createEntry(key: string): EntryAtom<T> {
    return atom(
      (get) => get(entries)[key],
      (get, set, value) => {
        if (get(entries)[key] === value) return;
        set(entries, withEntry(get(entries), key, value, most));
        unwritten.set(key, value);
        clearTimeout(timer);
        timer = setTimeout(flush, WRITE_AFTER_MS);
      },
    );
  }

  return {
    all: entries,
    entry(key) {
      const known = atoms.get(key) ?? createEntry(key);
      atoms.set(key, known);
      return known;
    },
    flush,
  };
}

/** `entries` with one changed, now the newest; drops entries over the limit. */
export function withEntry<T>(entries: Entries<T>, key: string, value: T | undefined, most: number): Entries<T> {
  const { [key]: _before, ...others } = entries;
  if (value === undefined) return others;
  return Object.fromEntries([...Object.entries(others).slice(1 - most), [key, value]]);
}

function parseEntries<T>(stored: unknown, parse: (value: unknown) => T | undefined): Entries<T> | undefined {
  if (!isObject(stored)) return undefined;
  const known = Object.entries(stored).map(([key, value]) => [key, parse(value)] as const);
  return Object.fromEntries(known.filter((entry): entry is [string, T] => entry[1] !== undefined));
}
