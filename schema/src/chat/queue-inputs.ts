import * as z from 'zod';
import { ATTACHMENTS_MAX, AskInput, TEXT_MAX } from './ask.ts';
import { cleanText } from '../clean-text.ts';
import { DraftFile } from './drafts.ts';
import { Id } from '../ids.ts';

const Text = z.string().max(TEXT_MAX).overwrite(cleanText);

/** What a question is asked with, where the server sends it. */
export const QueuedTarget = AskInput.pick({ endpoint: true, model: true, settings: true, keeps: true }).extend({
  /** Who answers it alone, as people call the model or the assistant. */
  name: z.string().max(256).overwrite(cleanText).optional(),
});
export type QueuedTarget = z.infer<typeof QueuedTarget>;

export const AddQueued = z
  .strictObject({
    id: Id,
    conversationId: Id,
    text: Text,
    files: z.array(DraftFile).max(ATTACHMENTS_MAX).default([]),
    /** What the conversation was asked with last, unless given. */
    target: QueuedTarget.optional(),
  })
  .refine(({ text, files }) => text.trim() !== '' || files.length > 0, 'The text is empty');
export type AddQueued = z.infer<typeof AddQueued>;

export const EditQueued = z.strictObject({
  id: Id,
  text: Text.refine((text) => text.trim() !== '', 'The text is empty'),
});

/** Whether the server sends nothing of a conversation by itself, because a page has a reason to wait. */
export const HoldQueued = z.strictObject({ conversationId: Id, isHeld: z.boolean() });

export const QueuedRef = z.strictObject({ id: Id });
