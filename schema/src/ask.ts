import * as z from 'zod';
import { cleanText } from './clean-text.ts';
import { Id } from './ids.ts';

/** The longest question, in characters: about ten times what the largest context window of the table takes. */
export const TEXT_MAX = 2_000_000;

const Text = z
  .string()
  .max(TEXT_MAX)
  .overwrite(cleanText)
  .refine((text) => text.trim() !== '', 'The text is empty');

/** What to do, as a union: the wire's flags end at the edge. */
export const Target = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('send'), messageId: Id, parentMessageId: Id.nullable(), text: Text }),
  /** Another reply to the same user message. */
  z.strictObject({ kind: z.literal('regenerate'), parentMessageId: Id }),
  /** More of the same reply. */
  z.strictObject({ kind: z.literal('continue'), messageId: Id }),
  /** A new reply beside an edited one, going on from its text. */
  z.strictObject({ kind: z.literal('edit'), messageId: Id, text: Text }),
]);
export type Target = z.infer<typeof Target>;

/** One ask. All ids are made by the client and make it idempotent: the same again gives the first result. */
export const AskInput = z.strictObject({
  generationId: Id,
  conversationId: Id,
  replyId: Id,
  endpoint: z.string().min(1).max(128),
  model: z.string().min(1).max(256).nullish(),
  settings: z.record(z.string().max(64), z.unknown()).default({}),
  target: Target,
});
export type AskInput = z.infer<typeof AskInput>;
