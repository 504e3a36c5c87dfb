// Syncs drafts with the user's other browsers. Text goes into local storage first, to the server when the user pauses,
// and changes from elsewhere arrive through the change feed. Files are shared once they are uploaded.
import type { Change } from '@parley/schema/convos/convos';
import type { Draft } from '@parley/schema/chat/drafts';
import type { StoredMap } from '../../lib/stored-map.ts';
import type { Store } from '../../lib/jotai-store.ts';
import type { DraftApi } from './draft-api.ts';
import { createDraftSaver, createLocalDrafts } from './draft-saver.ts';
import { received, type LocalDraft } from './local-draft.ts';

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
