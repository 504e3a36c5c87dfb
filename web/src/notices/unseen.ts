// The answers that have ended since the page came, and that nobody has seen yet, in this page or any other.
import type { Change, Convo } from '@parley/schema/convos/convos';
import { isLookingAt } from './looking-at.ts';

export interface Unseen {
  hear(change: Change): void;
  /** The one that ended last; null where all are seen. */
  newest(): Pick<Convo, 'title'> | null;
  /** Whether its last answer was seen, or the conversation is gone. */
  wasSeen(conversationId: string): boolean;
  onChange(listener: () => void): () => void;
}

export function createUnseen(begin: number | null): Unseen {
  /** The newest last. */
  const unseen = new Map<string, Convo>();
  /** By conversation, the number up to which its messages were seen. */
  const seen = new Map<string, number>();
  const listeners = new Set<() => void>();
  let first = begin;
  return {
    hear(change) {
      first ??= change.seq - 1;
      if (change.type === 'reset') unseen.clear();
      else if (change.type === 'removed') see(change.conversationId, Infinity);
      else if (change.type !== 'convo') return;
      else if (!change.convo.isUnread) see(change.convo.conversationId, change.convo.messagesSeq);
      else if (change.convo.running !== null) return;
      else if (isLookingAt(change.convo.conversationId)) see(change.convo.conversationId, change.convo.messagesSeq);
      else keep(change.convo, first);
      for (const listener of listeners) listener();
    },
    newest: () => [...unseen.values()].at(-1) ?? null,
    wasSeen: (conversationId) => seen.has(conversationId) && !unseen.has(conversationId),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  function see(conversationId: string, messagesSeq: number): void {
    unseen.delete(conversationId);
    seen.set(conversationId, messagesSeq);
  }

  /** A conversation that its reader marks as unread is no news. */
  function keep(convo: Convo, from: number): void {
    const { conversationId, messagesSeq } = convo;
    const known = unseen.get(conversationId);
    if (!known && messagesSeq <= Math.max(from, seen.get(conversationId) ?? 0)) return;
    // One that only gets its title keeps its place.
    if (known?.messagesSeq !== messagesSeq) unseen.delete(conversationId);
    unseen.set(conversationId, convo);
    seen.delete(conversationId);
  }
}
