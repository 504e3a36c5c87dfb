import type { Change } from '@parley/schema/convos';
import { useStore } from 'jotai';
import { useEffect } from 'react';
import { trpc } from '../../trpc.ts';
import { onChange, tellChange } from './changes.ts';
import { followChanges } from './follow-changes.ts';
import { useOpenId } from './open-convo.ts';
import { useChangeList, useReplayHeld } from './use-change-list.ts';
import { useForgetConvo } from './use-forget-convo.ts';
import { useNewChat } from '../use-new-chat.ts';
import { useRefreshLists } from './use-refresh-lists.ts';
import { useReread } from './use-reread.ts';

/** Changes that come closer together than this, in milliseconds, are drawn at once: an undo may bring a thousand. */
const GATHER = 20;

/** Keeps the lists and the open chat true to what happens in other tabs and devices. One per signed-in tab. */
export function useChanges(): void {
  useFeed();
  useReplayHeld();
  useListUpkeep();
  useReread();
  useLeaveRemoved();
}

function useFeed(): void {
  const refresh = useRefreshLists();
  useEffect(() => followChanges({ tell: tellChange, onFresh: refresh }), [refresh]);
}

function useListUpkeep(): void {
  const changeList = useChangeList();
  const refresh = useRefreshLists();
  const utils = trpc.useUtils();
  useEffect(() => {
    let gathered: Change[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChange((change) => {
      if (change.type === 'reset') {
        void refresh();
        void utils.convos.byId.invalidate();
        return;
      }
      gathered.push(change);
      timer ??= setTimeout(draw, GATHER);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };

    function draw(): void {
      timer = undefined;
      changeList(gathered);
      gathered = [];
    }
  }, [changeList, refresh, utils]);
}

/** Someone deleted the convo that is open here: nothing can be sent to it any more. */
function useLeaveRemoved(): void {
  const newChat = useNewChat();
  const openId = useOpenId();
  const forget = useForgetConvo();
  const store = useStore();
  useEffect(
    () =>
      onChange((change: Change) => {
        if (change.type !== 'removed') return;
        const { conversationId } = change;
        if (conversationId !== openId) return forget(conversationId);
        void import('./leave-removed.ts')
          .then(({ leaveRemoved }) => leaveRemoved(store, change), newChat)
          .then(() => forget(conversationId));
      }),
    [openId, newChat, forget, store],
  );
}
