// Unsent text of one user: one draft per conversation, and the messages being edited. It survives a reload and a change
// of conversation.
import { asFields } from '@parley/schema/json';
import { atom, type WritableAtom } from 'jotai';
import { onClearPersonalData } from '../../lib/personal-data.ts';
import { createDraftAttachments, type AttachmentsAtom } from './draft-attachments.ts';
import { EMPTY_DRAFT, isBlank, typed, type LocalDraft } from './local-draft.ts';
import { createStoredMap, type EntryAtom, type StoredMap } from '../../lib/stored-map.ts';

/** Drafts kept per user; drops the least recently changed. */
const DRAFTS_MAX = 50;
const EDITS_MAX = 20;

export type DraftAtom = WritableAtom<string, [text: string], void>;

export interface DraftStore {
  /** The text of a conversation's or new chat's message box; a write counts as a key press. */
  draftAtom(key: string): DraftAtom;
  /** The files attached to the text; writing them counts as a key press. Uploads in progress stay in this browser. */
  attachmentsAtom(key: string): AttachmentsAtom;
  /** The local state of each draft, for the sync. */
  local: StoredMap<LocalDraft>;
  /** The edited text of a message; undefined while it is not edited. */
  editAtom(messageId: string): EntryAtom<string>;
  /** Writes pending changes to storage. */
  flush(): void;
}

const stores = new Map<string, DraftStore>();
onClearPersonalData(() => stores.clear());

/** The drafts of one user in this browser; always returns the same store. */
export function draftStoreOf(userId: string): DraftStore {
  const store = stores.get(userId) ?? createDraftStore(userId);
  stores.set(userId, store);
  return store;
}

/** For a page; `draftStoreOf` gives its pages the same one. */
export function createDraftStore(userId: string): DraftStore {
  const local = createStoredMap({ storageKey: `drafts:${userId}`, most: DRAFTS_MAX, parse: parseDraft });
  const edits = createStoredMap({ storageKey: `edits:${userId}`, most: EDITS_MAX, parse: parseText });
  const attachmentsAtom = createDraftAttachments(local);
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
    attachmentsAtom,
    local,
    editAtom: edits.entry,
    flush() {
      local.flush();
      edits.flush();
    },
  };
}

function parseDraft(stored: unknown): LocalDraft | undefined {
  const { text, files, editedAt, seq, isSaved, offered } = asFields(stored);
  if (typeof text !== 'string') return undefined;
  return {
    text,
    ...(Array.isArray(files) && files.length > 0 && { files: files.filter((one) => typeof one?.fileId === 'string') }),
    editedAt: Number.isNaN(Date.parse(String(editedAt))) ? EMPTY_DRAFT.editedAt : String(editedAt),
    seq: Number.isSafeInteger(seq) ? Number(seq) : 0,
    isSaved: isSaved === true,
    offered: typeof offered === 'string' ? offered : null,
  };
}

function parseText(stored: unknown): string | undefined {
  return typeof stored === 'string' ? stored : undefined;
}
