// What is typed and not sent, per user and conversation. It survives a reload and a look at another chat.
import { atom, type WritableAtom } from 'jotai';
import { readStored, writeStored } from '../lib/persist.ts';

/** The draft of every chat that was not sent to yet. */
export const NEW_CHAT = 'new';

/** Drafts kept per user; the one changed longest ago goes first. */
const DRAFTS = 50;
/** Milliseconds from the last key press to the write: storage is slow and drafts can be long. */
const WRITE_AFTER = 300;

/** Conversation id (or `NEW_CHAT`) to text; the empty text is absent. */
type Drafts = Readonly<Record<string, string>>;

export type DraftAtom = WritableAtom<string, [text: string], void>;

export interface DraftBox {
  draftAtom(key: string): DraftAtom;
  /** Writes what is not written yet. */
  flush(): void;
}

const boxes = new Map<string, DraftBox>();

/** The drafts of one user of this browser; the same box every time. */
export function draftsOf(userId: string): DraftBox {
  const box = boxes.get(userId) ?? createDraftBox(`drafts:${userId}`);
  boxes.set(userId, box);
  return box;
}

function createDraftBox(storageKey: string): DraftBox {
  const draftsAtom = atom<Drafts>(readStored(storageKey, {}, parseDrafts));
  const atoms = new Map<string, DraftAtom>();
  let unwritten: Drafts | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    if (unwritten) writeStored(storageKey, unwritten);
    unwritten = null;
  }

  function createDraftAtom(key: string): DraftAtom {
    return atom(
      (get) => get(draftsAtom)[key] ?? '',
      (get, set, text) => {
        unwritten = withDraft(get(draftsAtom), key, text);
        set(draftsAtom, unwritten);
        clearTimeout(timer);
        timer = setTimeout(flush, WRITE_AFTER);
      },
    );
  }

  return {
    draftAtom(key) {
      const known = atoms.get(key) ?? createDraftAtom(key);
      atoms.set(key, known);
      return known;
    },
    flush,
  };
}

/** `drafts` with one changed, which becomes the newest; without what is over the limit. */
export function withDraft(drafts: Drafts, key: string, text: string): Drafts {
  const { [key]: _before, ...others } = drafts;
  if (text === '') return others;
  return Object.fromEntries([...Object.entries(others).slice(1 - DRAFTS), [key, text]]);
}

function parseDrafts(stored: unknown): Drafts | undefined {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return undefined;
  return Object.fromEntries(Object.entries(stored).filter(([, text]) => typeof text === 'string'));
}
