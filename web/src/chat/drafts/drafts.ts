// What is typed and not sent, per user: one text per conversation, and the messages that are being edited. It survives a
// reload and a look at another chat.
// Of that module only the type: its rules for input would weigh on the first screen.
import type { NEW_CHAT as SharedKey } from '@parley/schema/drafts';
import { atom, type WritableAtom } from 'jotai';
import { EMPTY_DRAFT, isBlank, typed, type LocalDraft } from './local-draft.ts';
import { createStoredMap, type EntryAtom, type StoredMap } from '../thread/stored-map.ts';

/** The draft of every chat that was not sent to yet. */
export const NEW_CHAT = 'new' satisfies typeof SharedKey;

/** Kept per user; the one changed longest ago goes first. */
const DRAFTS = 50;
const EDITS = 20;

export type DraftAtom = WritableAtom<string, [text: string], void>;

export interface DraftBox {
  /** The text of a conversation's box, or of the new chat's; writing it is a keystroke. */
  draftAtom(key: string): DraftAtom;
  /** What is known of each draft, for whoever shares them with other browsers. */
  local: StoredMap<LocalDraft>;
  /** What a message is being changed to; undefined while it is not edited. */
  editAtom(messageId: string): EntryAtom<string>;
  /** Writes what is not written yet. */
  flush(): void;
}

const boxes = new Map<string, DraftBox>();

/** The drafts of one user of this browser; the same box every time. */
export function draftsOf(userId: string): DraftBox {
  const box = boxes.get(userId) ?? createDraftBox(userId);
  boxes.set(userId, box);
  return box;
}

function createDraftBox(userId: string): DraftBox {
  const local = createStoredMap({ storageKey: `drafts:${userId}`, most: DRAFTS, parse: parseDraft });
  const edits = createStoredMap({ storageKey: `edits:${userId}`, most: EDITS, parse: parseText });
  const atoms = new Map<string, DraftAtom>();

  function createDraftAtom(key: string): DraftAtom {
    const entry = local.entry(key);
    return atom(
      (get) => get(entry)?.text ?? '',
      (get, set, text) => {
        const draft = typed(get(entry) ?? EMPTY_DRAFT, text, Date.now());
        set(entry, isBlank(draft) ? undefined : draft);
      },
    );
  }

  return {
    draftAtom(key) {
      const known = atoms.get(key) ?? createDraftAtom(key);
      atoms.set(key, known);
      return known;
    },
    local,
    editAtom: edits.entry,
    flush() {
      local.flush();
      edits.flush();
    },
  };
}

function parseDraft(stored: unknown): LocalDraft | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { text, editedAt, seq, isSaved, offered } = stored as Partial<LocalDraft>;
  if (typeof text !== 'string') return undefined;
  return {
    text,
    editedAt: Number.isNaN(Date.parse(editedAt ?? '')) ? EMPTY_DRAFT.editedAt : String(editedAt),
    seq: Number.isSafeInteger(seq) ? Number(seq) : 0,
    isSaved: isSaved === true,
    offered: typeof offered === 'string' ? offered : null,
  };
}

function parseText(stored: unknown): string | undefined {
  return typeof stored === 'string' ? stored : undefined;
}
