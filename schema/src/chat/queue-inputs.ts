import * as z from 'zod';
import { ATTACHMENTS_MAX, TEXT_MAX } from './ask.ts';
import { cleanText } from '../clean-text.ts';
import { DraftFile } from './drafts.ts';
import { Id } from '../ids.ts';

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
