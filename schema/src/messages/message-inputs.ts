// Inputs for changes of stored messages.
import * as z from 'zod';
import { TEXT_MAX } from '../chat/ask.ts';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { CONVERSATION_ID_REQUIRED } from '../reasons.ts';

export const MessageRef = z.strictObject({ conversationId: Id, messageId: Id });
export type MessageRef = z.infer<typeof MessageRef>;

const MaybeText = z.string().max(TEXT_MAX).overwrite(cleanText);
const Text = MaybeText.refine((text) => text.trim() !== '', 'The text is empty');

/**
 * New text for a message; empty only for a question with files. Between its other parts it keeps its places
 * (`edited-parts.ts`).
 */
export const EditMessage = z.strictObject({
  conversationId: z.string(CONVERSATION_ID_REQUIRED).min(1, { error: CONVERSATION_ID_REQUIRED, abort: true }).pipe(Id),
  messageId: Id,
  text: MaybeText.trim(),
});
export type EditMessage = z.infer<typeof EditMessage>;

/** A message saved without calling a model, as API clients do. An existing message of this id gets the text. */
export const SaveMessage = z.strictObject({
  conversationId: Id,
  messageId: Id,
  parentMessageId: Id.nullable(),
  isCreatedByUser: z.boolean(),
  sender: z.string().max(256).overwrite(cleanText).nullish(),
  text: Text,
});
export type SaveMessage = z.infer<typeof SaveMessage>;

/** What the owner of a reply thinks of it; null takes it back. */
export const RateMessage = MessageRef.extend({ rating: z.union([z.literal(1), z.literal(-1)]).nullable() });
export type RateMessage = z.infer<typeof RateMessage>;
