import { useStore } from 'jotai';
import { useEffect } from 'react';
import { useChatSession } from '../chat-session-context.tsx';
import { FIRST_SLOT, useSlotIndex } from '../../slots/slot.ts';

/** Delay in milliseconds before the sync code loads: typing must work first. */
const BEGIN_AFTER = 300;

/** Syncs drafts with the user's other browsers while a chat is on screen. */
export function useDraftSync(): void {
  const { drafts } = useChatSession();
  const store = useStore();
  const isFirst = useSlotIndex() === FIRST_SLOT;
  useEffect(() => {
    if (!isFirst) return;
    const ending = new AbortController();
    // If the code fails to load, drafts stay in this browser until the next visit.
    const timer = setTimeout(() => share(ending.signal).catch(() => {}), BEGIN_AFTER);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };

    /** The sync also picks up text typed before its code has loaded. */
    async function share(signal: AbortSignal): Promise<void> {
      const [{ syncDrafts }, { draftApi }] = await Promise.all([import('./sync-drafts.ts'), import('./draft-api.ts')]);
      if (signal.aborted) return;
      const end = syncDrafts({ local: drafts.local, store, draftApi });
      signal.addEventListener('abort', end);
    }
  }, [drafts, store, isFirst]);
}
