// Questions that wait until the reply of their conversation ends.
import type { DraftFile } from './drafts.ts';

export interface QueuedAsk {
  /** The id that its message will have. */
  id: string;
  conversationId: string;
  text: string;
  files: DraftFile[];
  /** Who answers this question alone; absent where the conversation's model does. */
  once?: AnswererOnce;
}

export interface AnswererOnce {
  endpoint: string;
  model: string | null;
  settings: Record<string, unknown>;
  /** Of the model or the assistant. */
  name: string;
}

/** Questions that may wait in one conversation. */
export const QUEUED_MAX = 20;
/** The same for all conversations of a user. */
export const ALL_QUEUED_MAX = 100;

/**
 * The ids of the exchange of a queued question. They follow from its own id, so browsers that send it at the same
 * moment send one ask.
 */
export function exchangeIdsOf(id: string): { generationId: string; replyId: string } {
  return { generationId: withLast(id, 1), replyId: withLast(id, 2) };
}

/** The same where it follows several replies side by side: all ids of the column at `place`, of four at most. */
export function columnIds(id: string, place: number): { messageId: string; generationId: string; replyId: string } {
  const [messageId, generationId, replyId] = [0, 1, 2].map((mask) => withLast(id, place * 3 + mask));
  return { messageId: messageId ?? id, generationId: generationId ?? id, replyId: replyId ?? id };
}

/** The id with other last bits. */
function withLast(id: string, mask: number): string {
  const last = Number.parseInt(id.slice(-1), 16) ^ mask;
  return id.slice(0, -1).toLowerCase() + last.toString(16);
}
