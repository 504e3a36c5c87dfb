// The chat state that outlives a component: running exchanges, drafts, the outbox. One per signed-in user; its provider
// opens it on mount and closes it on unmount.
import type { Change, Convo } from '@parley/schema/convos/convos';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { Reason } from '@parley/schema/reasons';
import { onChange } from '../feed/change-feed.ts';
import { finishedReplyAtom } from './finished.ts';
import { draftStoreOf, type DraftStore } from './drafts/draft-store.ts';
import { createExchanges, type Exchanges } from './exchanges/exchanges.ts';
import { restoreDraft } from './exchanges/restore-draft.ts';
import type { MessageCache } from './cache/message-cache.ts';
import { createOutbox } from './exchanges/outbox.ts';
import { createStops } from './exchanges/stops.ts';
import { countAnswer } from './memory/offer-personal.ts';
import { isShown } from '../slots/slot.ts';
import type { ChatApi } from './exchanges/chat-api.ts';
import type { Store } from '../lib/jotai-store.ts';

export interface ChatSession {
  exchanges: Exchanges;
  cache: MessageCache;
  drafts: DraftStore;
  open(): void;
  close(): void;
}

export interface ChatSessionDeps {
  userId: string;
  chatApi: ChatApi;
  store: Store;
  cache: MessageCache;
  onStopFailed(error: unknown): void;
  onReadingRefused(reason: Reason): void;
}

/** Changes of one conversation within this delay cause one refetch of its messages. */
const REFRESH_DELAY_MS = 150;

export function createChatSession({
  userId,
  chatApi,
  store,
  cache,
  onStopFailed,
  onReadingRefused,
}: ChatSessionDeps): ChatSession {
  const outbox = createOutbox(userId);
  const drafts = draftStoreOf(userId);
  const refreshes = new Map<string, Refresh>();
  const exchanges = createExchanges({
    chatApi,
    store,
    outbox,
    stops: createStops(userId),
    applyFinal: cache.applyFinal,
    onConvo: cache.putConvo,
    refresh: cache.refresh,
    restoreDraft: (pendingAsk) => restoreDraft({ store, cache, drafts }, pendingAsk),
    onEnded,
    onStopFailed,
    onReadingRefused,
  });
  let stopListening = () => {};
  /** The sequence number of the last change received. */
  let lastSeq: number | null = null;

  return {
    exchanges,
    cache,
    drafts,
    open() {
      stopListening = onChange(takeChange);
      window.addEventListener('pagehide', drafts.flush);
      exchanges.restoreAll();
    },
    close() {
      stopListening();
      window.removeEventListener('pagehide', drafts.flush);
      drafts.flush();
      exchanges.close();
      for (const { timer } of refreshes.values()) clearTimeout(timer);
      refreshes.clear();
    },
  };

  function onEnded({ reply }: FinalEvent): void {
    if (!isShown(store, reply.conversationId)) return;
    store.set(finishedReplyAtom, reply);
    countAnswer(store, reply);
  }

  function takeChange(change: Change): void {
    const isNext = lastSeq === null || change.seq === lastSeq + 1;
    lastSeq = change.seq;
    if (change.type === 'reset') cache.refreshAll();
    if (change.type === 'convo') takeConvo(change.convo, isNext);
  }

  /**
   * Exchanges of this page update the cache themselves; changes from elsewhere need a refetch. A skipped sequence
   * number belongs to a change that a later one has superseded, possibly in this conversation.
   */
  function takeConvo(convo: Convo, isNext: boolean): void {
    const { conversationId } = convo;
    const pending = refreshes.get(conversationId);
    const isOvertaken = pending?.isOvertaken || (!isNext && cache.findMessages(conversationId) !== undefined);
    if (!isOvertaken && !cache.isBehind(convo)) return;
    clearTimeout(pending?.timer);
    const refresh = () => {
      refreshes.delete(conversationId);
      if (isOvertaken || cache.isBehind(convo)) cache.refresh(conversationId);
    };
    refreshes.set(conversationId, { timer: setTimeout(refresh, REFRESH_DELAY_MS), isOvertaken });
  }
}

/** A scheduled refetch. */
interface Refresh {
  timer: ReturnType<typeof setTimeout>;
  /** Refetch regardless of `messagesSeq`. */
  isOvertaken: boolean;
}
