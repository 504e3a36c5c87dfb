import { useStore } from 'jotai';
import { useEffect } from 'react';
import { useRoom } from '../room-context.tsx';
import { FIRST_SLOT, useSlotIndex } from '../slot.ts';

/** Milliseconds from a chat on screen to the fetching of what shares its drafts: first one has to be able to type. */
const BEGIN_AFTER = 300;

/** Shares the user's drafts with their other browsers for as long as a chat is on screen. */
export function useSharedDrafts(): void {
  const { drafts } = useRoom();
  const store = useStore();
  const isFirst = useSlotIndex() === FIRST_SLOT;
  useEffect(() => {
    if (!isFirst) return;
    const ending = new AbortController();
    // Where the code cannot be fetched, drafts stay in this browser until the next visit.
    const timer = setTimeout(() => share(ending.signal).catch(() => {}), BEGIN_AFTER);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };

    /** What was typed until it has come is found by it. */
    async function share(signal: AbortSignal): Promise<void> {
      const [{ shareDrafts }, { draftWire: wire }] = await Promise.all([
        import('./share-drafts.ts'),
        import('./draft-wire.ts'),
      ]);
      if (signal.aborted) return;
      const end = shareDrafts({ local: drafts.local, store, wire });
      signal.addEventListener('abort', end);
    }
  }, [drafts, store, isFirst]);
}
