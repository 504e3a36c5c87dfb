import type { ThreadNode } from '@parley/schema/thread';

/** Siblings take each other's place, and the focus on their arrows stays: a row belongs to the message above it. */
export function rowKey({ parentMessageId }: ThreadNode): string {
  return parentMessageId ?? 'root';
}
