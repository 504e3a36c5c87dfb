// Stored conversations in the query cache, their only place in the browser.
import type { ThreadNode } from '@parley/schema/messages/thread';
import type { QueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { api, trpc } from '../../trpc.ts';
import { findScrollPosition } from '../scroll/scroll-positions.ts';
import { startThread, withBodies, type StoredThread } from './stored-thread.ts';
import { findLinkedMessage } from '../thread/linked-message.ts';

export function threadKey(conversationId: string) {
  return getQueryKey(trpc.messages.open, { conversationId }, 'query');
}

export function findThread(client: QueryClient, conversationId: string): StoredThread | undefined {
  return client.getQueryData<StoredThread>(threadKey(conversationId));
}

/** Does nothing when the conversation is not cached. */
export function updateThread(
  client: QueryClient,
  conversationId: string,
  change: (thread: StoredThread) => StoredThread,
): void {
  client.setQueryData<StoredThread>(threadKey(conversationId), (thread) => thread && change(thread));
}

/** The query of a conversation. Reuses cached bodies that have not changed. */
export function threadQuery(client: QueryClient, conversationId: string) {
  return {
    queryKey: threadKey(conversationId),
    async queryFn({ signal }: { signal: AbortSignal }): Promise<StoredThread> {
      const messageId = findLinkedMessage() ?? findScrollPosition(conversationId)?.messageId;
      const start = await api.messages.open.query({ conversationId, ...(messageId && { messageId }) }, { signal });
      return startThread(start, findThread(client, conversationId));
    },
    // Comparing two threads of thousands of messages would cost more than rendering again.
    structuralSharing: false,
  };
}

/** Loads bodies of a cached conversation and returns the loaded ids. Rejects with the request's error. */
export async function loadBodies(
  client: QueryClient,
  conversationId: string,
  wanted: readonly ThreadNode[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const messageIds = wanted.map(({ messageId }) => messageId);
  const bodies = await api.messages.bodies.query({ conversationId, messageIds }, { signal });
  signal.throwIfAborted();
  updateThread(client, conversationId, (thread) => withBodies(thread, bodies));
  return new Set(bodies.map(({ messageId }) => messageId));
}
