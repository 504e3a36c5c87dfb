// What a person may ask of a message that is there.
import * as z from 'zod';
import { TEXT_MAX } from './ask.ts';
import { cleanText } from './clean-text.ts';
import { Id } from './ids.ts';

export const MessageRef = z.strictObject({ conversationId: Id, messageId: Id });

/** Another text for a message. Of an answer with several text parts the first takes it and the others go. */
export const EditMessage = z.strictObject({
  conversationId: Id,
  messageId: Id,
  text: z
    .string()
    .max(TEXT_MAX)
    .overwrite(cleanText)
    .refine((text) => text.trim() !== '', 'The text is empty'),
});
