// The way from the message box to the queue, which loads later.
import type { Attachment } from '@parley/schema/messages/messages';
import type { Mention } from '../drafts/mention.ts';

/** Takes a question that cannot be sent now. */
export type Enqueue = (text: string, files: readonly Attachment[], mention?: Mention) => void;

/** The queue of each slot, while it is on screen. */
const queues = new Map<number, Enqueue>();
/** What each slot does once its queue is on screen. */
const waiting = new Map<number, () => void>();

/** The returned function removes the queue. */
export function openQueue(index: number, take: Enqueue): () => void {
  queues.set(index, take);
  waiting.get(index)?.();
  waiting.delete(index);
  return () => void queues.delete(index);
}

export function isQueueOpen(index: number): boolean {
  return queues.has(index);
}

/** Calls back when the slot's queue comes on screen; a later call replaces an earlier one. */
export function whenQueueOpens(index: number, run: () => void): void {
  waiting.set(index, run);
}

/** True when the slot's queue has taken the question. */
export function enqueue(index: number, text: string, files: readonly Attachment[], mention?: Mention): boolean {
  const take = queues.get(index);
  if (!take || (text.trim() === '' && files.length === 0)) return false;
  take(text.trim(), files, mention);
  return true;
}
