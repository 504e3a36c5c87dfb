import type { Change } from '@parley/schema/convos/convos';
import { useStore } from 'jotai';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { trpc, api } from '../../trpc.ts';
import { onChange, emitChange, emitFeedStart } from '../../feed/change-feed.ts';
import { useOpenId, useOpenConvo } from '../open-convo.ts';
import { useUpdateLists, useReplayDeferred } from './use-update-lists.ts';
import { useForgetConvo } from '../actions/use-forget-convo.ts';
import { useRefreshLists } from './use-refresh-lists.ts';
import { invalidateOffer } from './invalidate-offer.ts';
import { useRefetchOnChange } from './use-refetch-on-change.ts';
import { leaveRemovedConvo } from './leave-removed-convo.ts';
import type { Unsubscribable } from '@trpc/server/observable';

/** Milliseconds before the first retry of a feed that ended; doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;

const LONGEST_WAIT_MS = 30_000;

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

interface Follower {
  onChange: (change: Change) => void;
  /** A new feed without history has begun: data that was read before may predate its first change. */
  onStart: () => void;
  /** It goes on after a gap: what everybody has, and is no change of this person, may be another by now. */
  onResumed: () => void;
}

/**
 * Follows the feed until the returned function is called. A dropped socket resumes by itself after the last received
 * change; if the server ends or rejects the feed (a restart, an expired token), it subscribes again from there.
 */
function followChanges({ onChange, onStart, onResumed }: Follower): () => void {
  let lastEventId: string | undefined;
  let wait = FIRST_WAIT_MS;
  let subscription: Unsubscribable | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  subscribe();

  function subscribe(): void {
    subscription = api.convos.changes.subscribe(
      { lastEventId },
      {
        onStarted() {
          wait = FIRST_WAIT_MS;
          if (lastEventId !== undefined) onResumed();
        },
        onData(entry) {
          const isFirst = lastEventId === undefined;
          lastEventId = entry.id;
          // Not when the subscription has started: the server has read where the feed begins once it says so.
          if (isFirst && entry.data.type === 'reset') onStart();
          else onChange(entry.data);
        },
        onError: again,
        onComplete: again,
      },
    );
  }

  function again() {
    clearTimeout(timer);
    timer = setTimeout(subscribe, wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  return () => {
    clearTimeout(timer);
    subscription?.unsubscribe();
  };
}

/** Marks the open conversation as read while it is visible, once for each change of its messages. */
function useMarkRead(): void {
  const convo = useOpenConvo();
  const isVisible = useSyncExternalStore(watchVisibility, () => document.visibilityState === 'visible');
  const { mutate } = trpc.convos.markRead.useMutation();
  // A conversation that its reader marks as unread stays so while it is open.
  const seen = useRef('');
  const { conversationId, messagesSeq, isUnread } = convo ?? {};

  useEffect(() => {
    if (conversationId === undefined || messagesSeq === undefined) {
      // Left: opening it again reads it.
      seen.current = '';
      return;
    }
    if (!isVisible) return;
    const now = `${conversationId} ${messagesSeq}`;
    if (isUnread && seen.current !== now) mutate({ conversationId, messagesSeq });
    seen.current = now;
  }, [conversationId, messagesSeq, isUnread, isVisible, mutate]);
}

function watchVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
