// The user's data in this browser, and how sign-out deletes it. Storage is cleared except for an allow list of device
// settings, so that sign-out deletes the data of new features without listing it here.
import { isObject } from '@parley/schema/json';
import { SETTING_NAMES, settingKey, SETTINGS } from '@parley/schema/settings/interface';
import { atom, getDefaultStore, type PrimitiveAtom } from 'jotai/vanilla';
import { limitWrites, readStored, writeStored } from './storage.ts';

/** What is of this device, the same for every user: a part of the settings, and the layout. */
const DEVICE = [
  'navVisible',
  'newUser',
  'side:active-panel',
  'fullPanelCollapse',
  ...SETTING_NAMES.filter((name) => 'ofDevice' in SETTINGS[name]).map(settingKey),
];

const listeners = new Set<() => void>();

/** Calls `forget` at sign-out, which resets memory; later writes are dropped. */
export function onClearPersonalData(forget: () => void): void {
  listeners.add(forget);
}

/** An atom with a user's data. After sign-out it is what `read` returns for an empty storage. */
export function personalAtom<T>(read: () => T): PrimitiveAtom<T> {
  const kept = atom(read());
  onClearPersonalData(() => getDefaultStore().set(kept, read()));
  return kept;
}

/**
 * An atom with what is being written in forms, by ids, kept under `key` when its page is left and when it reloads. Null
 * forgets a draft.
 */
export function draftsAtom<Draft>(key: string, parseDraft: (stored: unknown) => Draft | undefined) {
  type Drafts = Readonly<Record<string, Draft>>;
  const parse = (stored: unknown): Drafts | undefined => {
    if (!isObject(stored)) return undefined;
    const drafts = Object.entries(stored).flatMap(([id, value]) => {
      const draft = parseDraft(value);
      return draft ? [[id, draft] as const] : [];
    });
    return Object.fromEntries(drafts);
  };
  const readDrafts = () => readStored<Drafts>(key, {}, parse);
  const storedAtom = personalAtom(readDrafts);
  return atom(
    (get) => get(storedAtom),
    (_, set, id: string, draft: Draft | null) => {
      // Another tab may have written others.
      const { [id]: _before, ...others } = readDrafts();
      const drafts: Drafts = draft ? { ...others, [id]: draft } : others;
      set(storedAtom, drafts);
      writeStored(key, drafts);
    },
  );
}

/**
 * Deletes the user's data from memory and from all browser storage, except the keys in `kept`. Until `allowPersonalData`,
 * nothing personal is stored.
 */
export function clearPersonalData(kept: readonly string[]): void {
  limitWrites(isOfDevice);
  clear('localStorage', (key) => kept.includes(key) || isOfDevice(key));
  clear('sessionStorage', () => false);
  void forgetFiles();
  for (const forget of listeners) forget();
}

/** A user has signed in: personal data may be stored again. */
export function allowPersonalData(): void {
  limitWrites(() => true);
}

function clear(kind: 'localStorage' | 'sessionStorage', isKept: (key: string) => boolean): void {
  try {
    const storage = window[kind];
    for (const key of Object.keys(storage)) if (!isKept(key)) storage.removeItem(key);
  } catch {
    // If nothing can be removed, nothing could be stored either.
  }
}

function isOfDevice(key: string): boolean {
  return DEVICE.includes(key) || key.startsWith('react-resizable-panels:');
}

/** IndexedDB databases and caches. The app creates none today; browsers that cannot list them have none of ours. */
async function forgetFiles(): Promise<void> {
  try {
    for (const { name } of (await window.indexedDB?.databases?.()) ?? [])
      if (name) window.indexedDB.deleteDatabase(name);
    for (const name of (await window.caches?.keys()) ?? []) await window.caches.delete(name);
  } catch {
    // The page may not use them, so there are none.
  }
}
