// Everything of the chat room that outlives a screen: the exchanges under way, the drafts, the outbox. One per
// signed-in user; it is opened with the first chat on screen and closed with the last.
import type { Change, Convo } from '@parley/schema/convos';
import type { FinalEvent } from '@parley/schema/events';
import { endpointTypeOf } from '../endpoints/choose.ts';
import { onChange } from '../shell/changes.ts';
import { endedReplyAtom } from './announce.tsx';
import { draftsOf, NEW_CHAT, type DraftBox } from './drafts.ts';
import { findRunning, type Store } from './exchange.ts';
import { createExchanges, type Exchanges } from './exchanges.ts';
import type { MessageCache } from './message-cache.ts';
import { createOutbox } from './outbox.ts';
import { restoreAsking, type Asking } from './send.ts';
import { isShown, unsettleSlots } from './slot.ts';
import type { Wire } from './wire.ts';

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
  onStopFailed(): void;
}

/** Changes of one conversation that come closer together than this are followed by one reading of its messages. */
const REFRESH_AFTER = 150;

export function createRoom({ userId, wire, store, cache, onStopFailed }: RoomDeps): Room {
  const outbox = createOutbox(userId);
  const drafts = draftsOf(userId);
  const refreshes = new Map<string, ReturnType<typeof setTimeout>>();
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
  });
  let stopListening = () => {};

  return {
    exchanges,
    cache,
    drafts,
    open() {
      stopListening = onChange(takeChange);
      window.addEventListener('pagehide', drafts.flush);
      for (const { ask, refused } of outbox.list()) {
        const stored = cache.findMessages(ask.conversationId) ?? [];
        exchanges.restore(restoreAsking(ask, endpointTypeOf(ask.endpoint, undefined), stored), refused);
      }
    },
    close() {
      stopListening();
      window.removeEventListener('pagehide', drafts.flush);
      drafts.flush();
      exchanges.close();
      for (const timer of refreshes.values()) clearTimeout(timer);
      refreshes.clear();
    },
  };

  function onEnded({ reply }: FinalEvent): void {
    if (isShown(store, reply.conversationId)) store.set(endedReplyAtom, reply);
  }

  function takeChange(change: Change): void {
    if (change.type === 'reset') cache.refreshAll();
    if (change.type === 'convo') takeConvo(change.convo);
  }

  /** Whatever happens here brings its messages along; what happened elsewhere is read. */
  function takeConvo(convo: Convo): void {
    const { conversationId } = convo;
    if (findRunning(store, conversationId) || !cache.isBehind(convo)) return;
    clearTimeout(refreshes.get(conversationId));
    const refresh = () => {
      refreshes.delete(conversationId);
      cache.refresh(conversationId);
    };
    refreshes.set(conversationId, setTimeout(refresh, REFRESH_AFTER));
  }
}

interface Boxes {
  store: Store;
  cache: MessageCache;
  drafts: DraftBox;
}

/**
 * Puts the text of an ask that was not taken back into the box it came from. When that was a new chat, its slot is a
 * new chat again. False when another text stands there.
 */
function giveBack({ store, cache, drafts }: Boxes, { ask }: Asking): boolean {
  if (ask.target.kind !== 'send') return true;
  const { conversationId, target } = ask;
  const isFirst = target.parentMessageId === null && !cache.findMessages(conversationId)?.length;
  const draft = drafts.draftAtom(isFirst ? NEW_CHAT : conversationId);
  if (store.get(drafts.draftAtom(conversationId)) !== '' || store.get(draft) !== '') return false;
  store.set(draft, target.text);
  if (isFirst) {
    unsettleSlots(store, conversationId);
    cache.forget(conversationId);
  }
  return true;
}
