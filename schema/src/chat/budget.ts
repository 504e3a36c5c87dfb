// The token budget of a question, previewed before it is sent.
import * as z from 'zod';
import { ATTACHMENTS_MAX, GivenSettings, TEXT_MAX } from './ask.ts';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';

/** A question being written: its position, its target, its text and its files. */
export const BudgetInput = z
  .strictObject({
    conversationId: Id,
    /** Null for the first question of a conversation, which may not exist yet. */
    parentMessageId: Id.nullable(),
    endpoint: z.string().min(1).max(128),
    model: z.string().min(1).max(256).nullish(),
    settings: GivenSettings,
    text: z.string().max(TEXT_MAX).overwrite(cleanText),
    /** Ids of the user's own files; one that is gone counts nothing. */
    files: z.array(Id).max(ATTACHMENTS_MAX).optional(),
  })
  .refine(({ text, files = [] }) => text.trim() !== '' || files.length > 0, 'The text is empty');
export type BudgetInput = z.infer<typeof BudgetInput>;

/** All values are tokens, except the counts of messages. */
export interface Budget {
  /** The model's context window. */
  window: number;
  /** Kept free for the reply. */
  reserve: number;
  /** The custom instructions. */
  instructions: number;
  /** The question itself. */
  question: number;
  /** The earlier messages that would be sent along. */
  history: number;
  /** How many messages would be sent, the question among them. */
  included: number;
  /** How many of the oldest messages would be left out. */
  omitted: number;
  /** The summary that would replace those; its tokens are null until it is written. */
  summary: { messages: number; tokens: number | null } | null;
  /** False when the question cannot be asked at all: it does not fit even alone. */
  fits: boolean;
}
