// What a person may ask of a message that is there.
import * as z from 'zod';
import { TEXT_MAX } from './ask.ts';
import { cleanText } from './clean-text.ts';
import { Id } from './ids.ts';

export const MessageRef = z.strictObject({ conversationId: Id, messageId: Id });
export type MessageRef = z.infer<typeof MessageRef>;

const Text = z
  .string()
  .max(TEXT_MAX)
  .overwrite(cleanText)
  .refine((text) => text.trim() !== '', 'The text is empty');

/** Another text for a message. Of an answer with several text parts the first takes it and the others go. */
export const EditMessage = z.strictObject({ conversationId: Id, messageId: Id, text: Text.trim() });
export type EditMessage = z.infer<typeof EditMessage>;

/** A message that nobody was asked for, as programs write it. One of this id that is there gets the text. */
export const SaveMessage = z.strictObject({
  conversationId: Id,
  messageId: Id,
  parentMessageId: Id.nullable(),
  isCreatedByUser: z.boolean(),
  sender: z.string().max(256).overwrite(cleanText).nullish(),
  text: Text,
});
export type SaveMessage = z.infer<typeof SaveMessage>;
