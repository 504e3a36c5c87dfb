// Shares drafts with the person's other browsers. What is typed is in this browser's storage first; the server gets it
// when the hands rest, and says what was typed elsewhere.
import type { Change } from '@parley/schema/convos';
import type { Draft, SaveDraft, SavedDraft } from '@parley/schema/drafts';
import type { Reason } from '@parley/schema/reasons';
import { statusOf } from '../../lib/reason-of.ts';
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
  /** The server will not keep a text: it stays in this browser alone. Told once a draft, until one of it was kept. */
  onRefused(reason: Reason): void;
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
  /** The text of each draft that the server will not keep. */
  const refused = new Map<string, string>();
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

  function isDue(key: string): boolean {
    const { isSaved, text } = read(key);
    return !isSaved && refused.get(key) !== text;
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
    for (const key of Object.keys(store.get(local.all))) void save(key);
  }

  /** One at a time for each draft; what is typed meanwhile is sent after it. */
  async function save(key: string): Promise<void> {
    clearTimeout(timers.get(key));
    if (saving.has(key) || !isDue(key)) return;
    saving.add(key);
    try {
      for (let attempt = 0; isDue(key); attempt++) {
        if (!(await trySave(key))) await pause(retryDelay(attempt), signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      saving.delete(key);
    }
  }

  /** False when nobody answered, or not to the point: later somebody may. */
  async function trySave(key: string): Promise<boolean> {
    const before = read(key);
    const { text, editedAt, seq } = before;
    const draft: SaveDraft = { key, text, editedAt, basedOn: seq };
    sent.set(key, text);
    try {
      const outcome = await wire.save(draft, signal);
      signal.throwIfAborted();
      refused.delete(key);
      write(key, saved(read(key), draft, outcome));
      return read(key) !== before;
    } catch (error) {
      signal.throwIfAborted();
      const reason = lastingRefusalOf(error);
      if (!reason) return false;
      if (!refused.has(key)) wire.onRefused(reason);
      refused.set(key, text);
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

/** Why the same text will be refused the next time, too; null where the server may only be in trouble now. */
function lastingRefusalOf(error: unknown): Reason | null {
  const reason = refusalOf(error);
  return reason && (statusOf(error) ?? 0) < 500 ? reason : null;
}
