import type { Change } from '@parley/schema/convos/convos';
import { useStore } from 'jotai';
import { useEffect } from 'react';
import { trpc } from '../../trpc.ts';
import { onChange, emitChange, emitFeedStart } from '../../feed/change-feed.ts';
import { followChanges } from '../../feed/follow-changes.ts';
import { useOpenId } from '../open-convo.ts';
import { useUpdateLists, useReplayDeferred } from './use-update-lists.ts';
import { useForgetConvo } from '../actions/use-forget-convo.ts';
import { useMarkRead } from '../actions/use-mark-read.ts';
import { useRefreshLists } from './use-refresh-lists.ts';
import { invalidateOffer } from './invalidate-offer.ts';
import { useRefetchOnChange } from './use-refetch-on-change.ts';
import { leaveRemovedConvo } from './leave-removed-convo.ts';

/** Milliseconds; changes closer together render as one batch: an undo may bring a thousand. */
const BATCH_MS = 20;
/** Milliseconds after which what is offered is read again when the connection comes back: a change may be missed. */
const OLD_MS = 5 * 60_000;

/** Keeps the lists and the open chat in sync with other tabs and devices. One per signed-in tab. */
export function ChangeFeed(): null {
  useFeed();
  useReplayDeferred();
  useListUpkeep();
  useRefetchOnChange();
  useLeaveRemovedConvo();
  useMarkRead();
  return null;
}

function useFeed(): void {
  const refresh = useRefreshLists();
  const utils = trpc.useUtils();
  useEffect(() => {
    const onStart = () => {
      void refresh();
      emitFeedStart();
    };
    let readAt = Date.now();
    const onResumed = () => {
      if (Date.now() - readAt < OLD_MS) return;
      readAt = Date.now();
      invalidateOffer(utils);
    };
    return followChanges({ onChange: emitChange, onStart, onResumed });
  }, [refresh, utils]);
}

function useListUpkeep(): void {
  const changeList = useUpdateLists();
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
      timer ??= setTimeout(draw, BATCH_MS);
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

/** The open convo was deleted elsewhere: it accepts no more messages. */
function useLeaveRemovedConvo(): void {
  const openId = useOpenId();
  const forget = useForgetConvo();
  const store = useStore();
  useEffect(
    () =>
      onChange((change: Change) => {
        if (change.type !== 'removed') return;
        const { conversationId } = change;
        if (conversationId !== openId) return forget(conversationId);
        leaveRemovedConvo(store, change);
        forget(conversationId);
      }),
    [openId, forget, store],
  );
}
