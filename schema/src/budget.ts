// What of a context window a question would take, told before it is asked.
import * as z from 'zod';
import { TEXT_MAX } from './ask.ts';
import { cleanText } from './clean-text.ts';
import { Id } from './ids.ts';

/** A question that is being written: where it would stand, whom it is for, and its text. */
export const BudgetInput = z.strictObject({
  conversationId: Id,
  /** Null for the first question of a conversation, which need not exist. */
  parentMessageId: Id.nullable(),
  endpoint: z.string().min(1).max(128),
  model: z.string().min(1).max(256).nullish(),
  settings: z.record(z.string().max(64), z.unknown()).default({}),
  text: z
    .string()
    .max(TEXT_MAX)
    .overwrite(cleanText)
    .refine((text) => text.trim() !== '', 'The text is empty'),
});
export type BudgetInput = z.infer<typeof BudgetInput>;

/** All in tokens, but for the counts of messages. */
export interface Budget {
  /** The model's context window. */
  window: number;
  /** Kept free for the answer. */
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
  /** What would stand in for those; its tokens are null while it is still to be written. */
  summary: { messages: number; tokens: number | null } | null;
  /** False when the question cannot be asked at all: it does not fit even alone. */
  fits: boolean;
}
