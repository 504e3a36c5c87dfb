import type { ThreadNode } from '@parley/schema/messages/thread';

/** How often a message has what is searched for; those without are left out. In the order of the nodes. */
export interface FoundIn {
  messageId: string;
  count: number;
}

/** The place at a position among all places. */
export function placeAt(messages: readonly FoundIn[], position: number): { messageId: string; at: number } | null {
  let before = 0;
  for (const { messageId, count } of messages) {
    if (position < before + count) return { messageId, at: position - before };
    before += count;
  }
  return null;
}

/** The first place in a message, or in one after it among the nodes. */
export function positionFrom(
  messages: readonly FoundIn[],
  nodes: readonly Pick<ThreadNode, 'messageId'>[],
  from: string | null,
): number {
  const indexOf = new Map(nodes.map(({ messageId }, index) => [messageId, index]));
  const first = indexOf.get(from ?? '') ?? 0;
  let position = 0;
  for (const { messageId, count } of messages) {
    if ((indexOf.get(messageId) ?? 0) >= first) return position;
    position += count;
  }
  return 0;
}
