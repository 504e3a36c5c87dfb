// Saves drafts to the server, one request per draft at a time.
import { isSameDraft } from '@parley/schema/chat/draft-content';
import type { SaveDraft } from '@parley/schema/chat/drafts';
import type { Reason } from '@parley/schema/reasons';
import { errorStatus } from '../../errors/error-reason.ts';
import { errorRefusal } from '../../errors/refusal.ts';
import { pause, retryDelay } from '../../lib/retry.ts';
import type { StoredMap } from '../../lib/stored-map.ts';
import type { Store } from '../../lib/jotai-store.ts';
import { EMPTY_DRAFT, isBlank, saved, type LocalDraft } from './local-draft.ts';
import type { DraftApi } from './draft-api.ts';

export type LocalDrafts = ReturnType<typeof createLocalDrafts>;

/** The drafts of this browser, read and written outside React. */
export function createLocalDrafts(local: StoredMap<LocalDraft>, store: Store) {
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

export function createDraftSaver(
  drafts: LocalDrafts,
  draftApi: Pick<DraftApi, 'save' | 'onRefused'>,
  signal: AbortSignal,
) {
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
