// Shares drafts with the person's other browsers. What is typed is in this browser's storage first; the server gets it
// when the hands rest, and says what was typed elsewhere.
import type { Change } from '@parley/schema/convos';
import type { Draft, SaveDraft, SavedDraft } from '@parley/schema/drafts';
import type { Store } from '../exchanges/exchange.ts';
import { EMPTY_DRAFT, heard, isBlank, saved, type LocalDraft } from './local-draft.ts';
import { pause, retryDelay } from '../exchanges/patience.ts';
import type { StoredMap } from '../thread/stored-map.ts';
import { refusalOf } from '../exchanges/wire.ts';

/** Milliseconds from the last key press to the save. */
const SAVE_AFTER = 600;

export interface DraftWire {
  save(draft: SaveDraft, signal: AbortSignal): Promise<SavedDraft>;
  /** Those with text. */
  list(): Promise<Draft[]>;
  onChange(listener: (change: Change) => void): () => void;
}

interface ShareDeps {
  local: StoredMap<LocalDraft>;
  store: Store;
  wire: DraftWire;
}

/** Begins to share. Returns what ends it; what was not saved by then is saved by the next page. */
export function shareDrafts({ local, store, wire }: ShareDeps): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The text of each draft that was sent last. */
  const sent = new Map<string, string>();
  const saving = new Set<string>();
  let seen: Readonly<Record<string, LocalDraft>> = {};

  const endWatch = store.sub(local.all, look);
  const endChanges = wire.onChange(takeChange);
  document.addEventListener('focusout', saveAll, { signal });
  window.addEventListener('blur', saveAll, { signal });
  window.addEventListener('pagehide', saveAll, { signal });
  look();
  void catchUp();

  return () => {
    ending.abort();
    endWatch();
    endChanges();
    for (const timer of timers.values()) clearTimeout(timer);
  };

  function read(key: string): LocalDraft {
    return store.get(local.entry(key)) ?? EMPTY_DRAFT;
  }

  function write(key: string, draft: LocalDraft): void {
    store.set(local.entry(key), isBlank(draft) ? undefined : draft);
  }

  /** Each key press puts the save of its draft off. */
  function look(): void {
    const drafts = store.get(local.all);
    for (const [key, draft] of Object.entries(drafts)) {
      if (seen[key] === draft || draft.isSaved) continue;
      clearTimeout(timers.get(key));
      timers.set(key, setTimeout(save, SAVE_AFTER, key));
    }
    seen = drafts;
  }

  function saveAll(): void {
    for (const [key, { isSaved }] of Object.entries(store.get(local.all))) if (!isSaved) void save(key);
  }

  /** One at a time for each draft; what is typed meanwhile is sent after it. */
  async function save(key: string): Promise<void> {
    clearTimeout(timers.get(key));
    if (saving.has(key) || read(key).isSaved) return;
    saving.add(key);
    try {
      for (let attempt = 0; !read(key).isSaved; attempt++) {
        if (!(await trySave(key))) await pause(retryDelay(attempt), signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      saving.delete(key);
    }
  }

  /** False when nobody answered, or not to the point. What the server will not keep stays in this browser alone. */
  async function trySave(key: string): Promise<boolean> {
    const before = read(key);
    const { text, editedAt, seq } = before;
    const draft: SaveDraft = { key, text, editedAt, basedOn: seq };
    sent.set(key, text);
    try {
      const outcome = await wire.save(draft, signal);
      signal.throwIfAborted();
      write(key, saved(read(key), draft, outcome));
      return read(key) !== before;
    } catch (error) {
      signal.throwIfAborted();
      if (!refusalOf(error)) return false;
      write(key, { ...read(key), isSaved: true });
      return true;
    }
  }

  function takeChange(change: Change): void {
    if (change.type === 'draft') hear(change.draft);
    if (change.type === 'reset') void catchUp();
  }

  function hear(draft: Draft): void {
    write(draft.key, heard(read(draft.key), draft, sent.get(draft.key) ?? null));
  }

  /** Those that are not listed were sent or deleted elsewhere, unless they changed while the list was on its way. */
  async function catchUp(): Promise<void> {
    const before = store.get(local.all);
    const drafts = await wire.list().catch(() => null);
    if (!drafts || signal.aborted) return;
    drafts.forEach(hear);
    const listed = new Set(drafts.map(({ key }) => key));
    for (const [key, draft] of Object.entries(before)) {
      const isGone = draft.isSaved && draft.seq > 0 && !listed.has(key) && read(key) === draft;
      if (isGone) write(key, { ...draft, text: '' });
    }
  }
}
