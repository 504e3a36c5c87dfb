// Searches the messages of a chat, in slices that let the page act in between.
import type { Message } from '@parley/schema/messages/messages';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Chat } from '../chat/use-chat.ts';
import { api } from '../trpc.ts';
import type { FoundIn } from './found-places.ts';
import { searchedMessage, type SearchedMessage } from './words-of-message.ts';

export interface FoundPlaces {
  needle: string;
  messages: readonly FoundIn[];
  isSearching: boolean;
}

export const NOTHING_FOUND: FoundPlaces = { needle: '', messages: [], isSearching: false };

const NONE: readonly FoundIn[] = [];

/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 8;
/** Messages in one request, as many as the server takes. */
const READ_AT_ONCE = 100;

interface Known {
  version: number;
  isUnfolded: boolean;
  message: Message | null;
  searched: SearchedMessage;
}

/** Where the messages of `nodes` have `needle`. `unfolded` are those whose reasoning is open. */
export function useFound(
  { slot: { conversationId }, findMessage }: Pick<Chat, 'slot' | 'findMessage'>,
  nodes: readonly ThreadNode[],
  needle: string,
  unfolded: ReadonlySet<string>,
): FoundPlaces {
  const [found, setFound] = useState(NOTHING_FOUND);
  const known = useRef(new Map<string, Known>());
  const find = useEffectEvent(findMessage);

  const read = useEffectEvent((node: ThreadNode): SearchedMessage | undefined => {
    const before = known.current.get(node.messageId);
    const isUnfolded = unfolded.has(node.messageId);
    const message = find(node.messageId) ?? (before?.version === node.version ? before.message : null);
    if (before && before.message === message && before.isUnfolded === isUnfolded) return before.searched;
    if (!message) return undefined;
    const searched = searchedMessage(message, isUnfolded);
    known.current.set(node.messageId, { version: node.version, isUnfolded, message, searched });
    return searched;
  });

  const searchNow = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    const counts = new Map<string, number>();
    const work = { conversationId, needle, known: known.current, counts, signal };
    const slice = inSlices(signal, () => report(true));
    const missing: ThreadNode[] = [];
    for (const node of nodes) {
      await slice(() => {
        const searched = read(node);
        if (searched) counts.set(node.messageId, searched.count(needle));
        else missing.push(node);
      });
      if (signal.aborted) return;
    }
    report(missing.length > 0);
    await searchMissing(missing, work, slice, () => report(missing.length > 0));

    function report(isSearching: boolean): void {
      if (signal.aborted) return;
      const messages = nodes.flatMap(({ messageId }) => {
        const count = counts.get(messageId) ?? 0;
        return count > 0 ? [{ messageId, count }] : [];
      });
      // The same search after a change shows what it knew until it knows better.
      setFound((before) => {
        const isKnown = before.needle === needle && !before.isSearching;
        return isSearching && isKnown ? before : { needle, messages, isSearching };
      });
    }
  });

  useEffect(() => {
    if (needle === '') return;
    const leaving = new AbortController();
    const { signal } = leaving;
    searchNow(signal).catch(() => {
      // Without a network, what is here has been searched.
      if (!signal.aborted) setFound((before) => ({ ...before, isSearching: false }));
    });
    return () => leaving.abort();
  }, [conversationId, nodes, needle, unfolded]);

  if (needle === '') return NOTHING_FOUND;
  return found.needle === needle ? found : { needle, messages: NONE, isSearching: true };
}

interface Work {
  conversationId: string;
  needle: string;
  known: Map<string, Known>;
  counts: Map<string, number>;
  signal: AbortSignal;
}

/** Reads the messages that are not here, and takes them out of `missing`. */
async function searchMissing(
  missing: ThreadNode[],
  { conversationId, needle, known, counts, signal }: Work,
  slice: (work: () => void) => Promise<void>,
  onProgress: () => void,
): Promise<void> {
  while (missing.length > 0 && !signal.aborted) {
    const wanted = missing.splice(0, READ_AT_ONCE);
    const messageIds = wanted.map(({ messageId }) => messageId);
    const bodies = await api.messages.bodies.query({ conversationId, messageIds }, { signal });
    const byId = new Map(bodies.map((body) => [body.messageId, body]));
    for (const { messageId, version } of wanted) {
      const message = byId.get(messageId);
      if (!message) continue;
      const searched = searchedMessage(message, false);
      known.set(messageId, { version, isUnfolded: false, message, searched });
      await slice(() => void counts.set(messageId, searched.count(needle)));
    }
    // What was too much for one answer is asked for again; what is gone is not.
    if (bodies.length > 0) missing.unshift(...wanted.filter(({ messageId }) => !byId.has(messageId)));
    onProgress();
  }
}

/** Does work until a slice is over, and then lets the page act. */
function inSlices(signal: AbortSignal, onSlice: () => void) {
  let until = performance.now() + SLICE_MS;
  return async (work: () => void): Promise<void> => {
    work();
    if (performance.now() < until || signal.aborted) return;
    onSlice();
    await new Promise((resolve) => setTimeout(resolve, 0));
    until = performance.now() + SLICE_MS;
  };
}
