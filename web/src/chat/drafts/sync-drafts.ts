// Syncs drafts with the user's other browsers. Text goes into local storage first, to the server when the user pauses,
// and changes from elsewhere arrive through the change feed. Files are shared once they are uploaded.
import type { Change } from '@parley/schema/convos/convos';
import type { Draft, SaveDraft } from '@parley/schema/chat/drafts';
import type { StoredMap } from '../../lib/stored-map.ts';
import type { Store } from '../../lib/jotai-store.ts';
import type { DraftApi } from './draft-api.ts';
import { received, type LocalDraft, EMPTY_DRAFT, isBlank, saved } from './local-draft.ts';
import { isSameDraft } from '@parley/schema/chat/draft-content';
import type { Reason } from '@parley/schema/reasons';
import { errorStatus } from '../../errors/error-reason.ts';
import { errorRefusal } from '../../errors/refusal.ts';
import { pause, retryDelay } from '../../lib/retry.ts';

/** Debounce in milliseconds after the last key press. */
const SAVE_AFTER_MS = 600;

interface SyncDeps {
  local: StoredMap<LocalDraft>;
  store: Store;
  draftApi: DraftApi;
}

/** Starts the sync and returns a function that ends it. The next page load saves what is still unsaved then. */
export function syncDrafts({ local, store, draftApi }: SyncDeps): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const drafts = createLocalDrafts(local, store);
  const saver = createDraftSaver(drafts, draftApi, signal);
  let seen: Readonly<Record<string, LocalDraft>> = {};

  const endWatch = store.sub(local.all, scheduleSaves);
  const endChanges = draftApi.onChange(onChange);
  const endStarts = draftApi.onFeedStart(() => void catchUp());
  document.addEventListener('focusout', saveAll, { signal });
  window.addEventListener('blur', saveAll, { signal });
  window.addEventListener('pagehide', saveAll, { signal });
  scheduleSaves();
  void catchUp();

  return () => {
    ending.abort();
    endWatch();
    endChanges();
    endStarts();
    for (const timer of timers.values()) clearTimeout(timer);
  };

  /** Each key press restarts the delay of its draft. */
  function scheduleSaves(): void {
    const all = drafts.all();
    for (const [key, draft] of Object.entries(all)) {
      if (seen[key] === draft || draft.isSaved) continue;
      clearTimeout(timers.get(key));
      timers.set(key, setTimeout(save, SAVE_AFTER_MS, key));
    }
    seen = all;
  }

  function saveAll(): void {
    for (const key of Object.keys(drafts.all())) save(key);
  }

  function save(key: string): void {
    clearTimeout(timers.get(key));
    void saver.save(key);
  }

  function onChange(change: Change): void {
    if (change.type === 'draft') receive(change.draft);
    if (change.type === 'reset') void catchUp();
  }

  /** A list may have been read before what has arrived since. */
  function receive(draft: Draft): void {
    if (draft.seq < drafts.newest(draft.key)) return;
    drafts.write(draft.key, received(drafts.read(draft.key), draft, saver.lastSent(draft.key)));
  }

  /** A draft missing from the list was sent or deleted elsewhere, unless it has changed during the request. */
  async function catchUp(): Promise<void> {
    const before = drafts.all();
    const shared = await draftApi.list().catch(() => null);
    if (!shared || signal.aborted) return;
    shared.forEach(receive);
    const listed = new Set(shared.map(({ key }) => key));
    for (const [key, draft] of Object.entries(before)) {
      const isGone = draft.isSaved && draft.seq > 0 && !listed.has(key) && drafts.read(key) === draft;
      if (isGone) drafts.write(key, { ...draft, text: '', files: undefined });
    }
  }
}

// Saves drafts to the server, one request per draft at a time.
type LocalDrafts = ReturnType<typeof createLocalDrafts>;

/** The drafts of this browser, read and written outside React. */
function createLocalDrafts(local: StoredMap<LocalDraft>, store: Store) {
  const newest = new Map<string, number>();
  return {
    all: () => store.get(local.all),
    read: (key: string): LocalDraft => store.get(local.entry(key)) ?? EMPTY_DRAFT,
    /** The number of the newest one of the server that was seen here. One that was sent leaves nothing else behind. */
    newest: (key: string): number => newest.get(key) ?? 0,
    write(key: string, draft: LocalDraft): void {
      newest.set(key, Math.max(draft.seq, newest.get(key) ?? 0));
      store.set(local.entry(key), isBlank(draft) ? undefined : draft);
    },
  };
}

function createDraftSaver(drafts: LocalDrafts, draftApi: Pick<DraftApi, 'save' | 'onRefused'>, signal: AbortSignal) {
  /** What was sent last, by draft key. */
  const sent = new Map<string, SaveDraft>();
  /** What the server refused, by draft key. */
  const refused = new Map<string, SaveDraft>();
  const saving = new Set<string>();

  return { save, lastSent: (key: string) => sent.get(key) ?? null };

  /** Saves a changed draft, then whatever the user typed meanwhile. */
  async function save(key: string): Promise<void> {
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

  function isDue(key: string): boolean {
    const draft = drafts.read(key);
    const before = refused.get(key);
    return !draft.isSaved && !(before && isSameDraft(before, draft));
  }

  /** False when the server did not answer or the save changed nothing: a retry may succeed. */
  async function trySave(key: string): Promise<boolean> {
    const before = drafts.read(key);
    const { text, files, editedAt, seq } = before;
    const draft: SaveDraft = { key, text, ...(files && { files }), editedAt, basedOn: seq };
    sent.set(key, draft);
    try {
      const outcome = await draftApi.save(draft, signal);
      signal.throwIfAborted();
      refused.delete(key);
      drafts.write(key, saved(drafts.read(key), draft, outcome));
      return drafts.read(key) !== before;
    } catch (error) {
      signal.throwIfAborted();
      const reason = draftRefusalOf(error);
      if (!reason) return false;
      if (!refused.has(key)) draftApi.onRefused(reason);
      refused.set(key, draft);
      return true;
    }
  }
}

/** The reason of a permanent refusal; null for a server error, which may be temporary. */
function draftRefusalOf(error: unknown): Reason | null {
  const reason = errorRefusal(error);
  return reason && (errorStatus(error) ?? 0) < 500 ? reason : null;
}
