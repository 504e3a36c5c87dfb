import { useStore } from 'jotai';
import { useEffect } from 'react';
import { useChatSession } from '../chat-session-context.tsx';
import { FIRST_SLOT, useSlotIndex } from '../../slots/slot.ts';
import { useLaterParts } from '../use-later-parts.ts';

/** Syncs drafts with the user's other browsers while a chat is on screen; also text typed before its code has loaded. */
export function useDraftSync(): void {
  const { drafts } = useChatSession();
  const store = useStore();
  const isFirst = useSlotIndex() === FIRST_SLOT;
  const later = useLaterParts();
  useEffect(() => {
    if (isFirst && later) return later.syncDrafts({ local: drafts.local, store, draftApi: later.draftApi });
  }, [drafts, store, isFirst, later]);
}
