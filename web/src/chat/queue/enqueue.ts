// The way from the message box to the queue, which loads later.
import type { Attachment } from '@parley/schema/messages/messages';

/** Takes a question that cannot be sent now. */
export type Enqueue = (text: string, files: readonly Attachment[]) => void;

/** The queue of each slot, while it is on screen. */
export const queues = new Map<number, Enqueue>();

/** True when the slot's queue has taken the question. */
export function enqueue(index: number, text: string, files: readonly Attachment[]): boolean {
  const take = queues.get(index);
  if (!take || (text.trim() === '' && files.length === 0)) return false;
  take(text.trim(), files);
  return true;
}
