// Questions that wait until the answer of their conversation ends.
import * as z from 'zod';
import { ATTACHMENTS_MAX, TEXT_MAX } from './ask.ts';
import { cleanText } from '../clean-text.ts';
import { DraftFile } from './drafts.ts';
import { Id } from '../ids.ts';

export interface QueuedAsk {
  /** The id that its message will have. */
  id: string;
  conversationId: string;
  text: string;
  files: DraftFile[];
}

/** Questions that may wait in one conversation. */
export const QUEUED_MAX = 20;
/** The same for all conversations of a user. */
export const ALL_QUEUED_MAX = 100;

const Text = z.string().max(TEXT_MAX).overwrite(cleanText);

export const AddQueued = z
  .strictObject({
    id: Id,
    conversationId: Id,
    text: Text,
    files: z.array(DraftFile).max(ATTACHMENTS_MAX).default([]),
  })
  .refine(({ text, files }) => text.trim() !== '' || files.length > 0, 'The text is empty');
export type AddQueued = z.infer<typeof AddQueued>;

export const EditQueued = z.strictObject({
  id: Id,
  text: Text.refine((text) => text.trim() !== '', 'The text is empty'),
});

export const QueuedRef = z.strictObject({ id: Id });

/**
 * The ids of the exchange of a queued question. They follow from its own id, so browsers that send it at the same
 * moment send one ask.
 */
export function exchangeIdsOf(id: string): { generationId: string; replyId: string } {
  return { generationId: withLast(id, 1), replyId: withLast(id, 2) };
}

/** The id with other last bits. */
function withLast(id: string, mask: number): string {
  const last = Number.parseInt(id.slice(-1), 16) ^ mask;
  return id.slice(0, -1).toLowerCase() + last.toString(16);
}
