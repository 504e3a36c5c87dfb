// Stored conversations in the query cache, which is the only place where they live in the browser.
import type { ThreadNode } from '@parley/schema/thread';
import type { QueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { api, trpc } from '../../trpc.ts';
import { findPlace } from './places.ts';
import { startThread, withBodies, type StoredThread } from './stored-thread.ts';
import { findTarget } from '../exchanges/target.ts';

export function threadKey(conversationId: string) {
  return getQueryKey(trpc.messages.open, { conversationId }, 'query');
}

export function findThread(client: QueryClient, conversationId: string): StoredThread | undefined {
  return client.getQueryData<StoredThread>(threadKey(conversationId));
}

/** Does nothing when the conversation is not here. */
export function changeThread(
  client: QueryClient,
  conversationId: string,
  change: (thread: StoredThread) => StoredThread,
): void {
  client.setQueryData<StoredThread>(threadKey(conversationId), (thread) => thread && change(thread));
}

/** How a conversation is read. What is known of it and has not changed is not read again. */
export function threadQuery(client: QueryClient, conversationId: string) {
  return {
    queryKey: threadKey(conversationId),
    async queryFn({ signal }: { signal: AbortSignal }): Promise<StoredThread> {
      const messageId = findTarget() ?? findPlace(conversationId)?.messageId;
      const start = await api.messages.open.query({ conversationId, ...(messageId && { messageId }) }, { signal });
      return startThread(start, findThread(client, conversationId));
    },
    // Comparing a thread of thousands with its successor would cost more than drawing it again.
    structuralSharing: false,
  };
}

/** Reads messages of a conversation that is here and gives the ids of those that came. Throws what the wire throws. */
export async function readBodies(
  client: QueryClient,
  conversationId: string,
  wanted: readonly ThreadNode[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const messageIds = wanted.map(({ messageId }) => messageId);
  const bodies = await api.messages.bodies.query({ conversationId, messageIds }, { signal });
  signal.throwIfAborted();
  changeThread(client, conversationId, (thread) => withBodies(thread, bodies));
  return new Set(bodies.map(({ messageId }) => messageId));
}
