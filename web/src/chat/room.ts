// Everything of the chat room that outlives a screen: the exchanges under way, the drafts, the outbox. One per
// signed-in user; it is opened with the first chat on screen and closed with the last.
import type { Change, Convo } from '@parley/schema/convos';
import type { FinalEvent } from '@parley/schema/events';
import type { Reason } from '@parley/schema/reasons';
import { onChange } from '../shell/convos/changes.ts';
import { endedReplyAtom } from './announce.tsx';
import { draftsOf, type DraftBox } from './drafts/drafts.ts';
import type { Store } from './exchanges/exchange.ts';
import { createExchanges, type Exchanges } from './exchanges/exchanges.ts';
import { giveBack } from './exchanges/give-back.ts';
import type { MessageCache } from './thread/message-cache.ts';
import { createOutbox } from './exchanges/outbox.ts';
import { isShown } from './slot.ts';
import type { Wire } from './exchanges/wire.ts';

export interface Room {
  exchanges: Exchanges;
  cache: MessageCache;
  drafts: DraftBox;
  open(): void;
  close(): void;
}

export interface RoomDeps {
  userId: string;
  wire: Wire;
  store: Store;
  cache: MessageCache;
  onStopFailed(error: unknown): void;
  onReadingRefused(reason: Reason): void;
}

/** Changes of one conversation that come closer together than this are followed by one reading of its messages. */
const REFRESH_AFTER = 150;

export function createRoom({ userId, wire, store, cache, onStopFailed, onReadingRefused }: RoomDeps): Room {
  const outbox = createOutbox(userId);
  const drafts = draftsOf(userId);
  const refreshes = new Map<string, Refresh>();
  const exchanges = createExchanges({
    wire,
    store,
    outbox,
    settle: cache.settle,
    onConvo: cache.putConvo,
    refresh: cache.refresh,
    giveBack: (asking) => giveBack({ store, cache, drafts }, asking),
    onEnded,
    onStopFailed,
    onReadingRefused,
  });
  let stopListening = () => {};
  /** Of the last change that was heard of. */
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
    if (isShown(store, reply.conversationId)) store.set(endedReplyAtom, reply);
  }

  function takeChange(change: Change): void {
    const isNext = lastSeq === null || change.seq === lastSeq + 1;
    lastSeq = change.seq;
    if (change.type === 'reset') cache.refreshAll();
    if (change.type === 'convo') takeConvo(change.convo, isNext);
  }

  /**
   * Whatever happens here brings its messages along; what happened elsewhere is read. A number that was skipped was that
   * of a change which another one has overtaken, perhaps in this conversation.
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
    refreshes.set(conversationId, { timer: setTimeout(refresh, REFRESH_AFTER), isOvertaken });
  }
}

/** A reading that is due. */
interface Refresh {
  timer: ReturnType<typeof setTimeout>;
  /** It is due whatever the conversation's number says. */
  isOvertaken: boolean;
}
