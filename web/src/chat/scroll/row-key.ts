import type { ThreadNode } from '@parley/schema/messages/thread';

/**
 * Keys a row by the parent of its message, so that a switch between siblings keeps the row and the focus on its arrows.
 */
export function rowKey({ parentMessageId }: ThreadNode): string {
  return parentMessageId ?? 'root';
}
