import type { Message } from '@parley/schema/messages';

/** The list with `newer` in it: each replaces the message of its id or joins at its place in the order of creation. */
export function mergeMessages(messages: readonly Message[], newer: readonly Message[]): Message[] {
  const byId = new Map(messages.map((message) => [message.messageId, message]));
  for (const message of newer) byId.set(message.messageId, message);
  return [...byId.values()].toSorted((a, b) => a.seq - b.seq);
}
