import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { COLUMNS_MAX } from './columns.ts';
import { Id } from '../ids.ts';
import { isFlat, TOO_NESTED } from '../nesting.ts';
import { PictureInput } from '../pictures/picture.ts';
import { ResearchAsk } from './research-inputs.ts';

/** The longest question, in characters: about ten times what the largest context window of the table takes. */
export const TEXT_MAX = 2_000_000;

/** The most attachments of one question, whatever an endpoint allows. */
export const ATTACHMENTS_MAX = 100;

const Text = z.string().max(TEXT_MAX).overwrite(cleanText);
const FilledText = Text.refine((text) => text.trim() !== '', 'The text is empty');

/** By name; the endpoint's table lists which count. */
export const GivenSettings = z.record(z.string().max(64), z.unknown()).refine(isFlat, TOO_NESTED).default({});

/** Whether a tool call is carried out: once, each time without asking again, or not. */
export const Decision = z.enum(['allow', 'always', 'deny']);
export type Decision = z.infer<typeof Decision>;

const CALL_ID_MAX = 64;
/** More than the tool calls of one reply. */
const DECISIONS_MAX = 128;

/** What to do, as a union: the REST flags are translated at the edge. */
export const Target = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('send'),
      messageId: Id,
      parentMessageId: Id.nullable(),
      text: Text,
      /** Ids of the user's own files, in the order they are shown. */
      files: z.array(Id).max(ATTACHMENTS_MAX).optional(),
      /** It has waited in the queue: it goes below what was asked below its parent meanwhile. */
      hasWaited: z.boolean().optional(),
    })
    .refine(({ text, files = [] }) => text.trim() !== '' || files.length > 0, 'The text is empty'),
  /** Another reply to the same user message. */
  z.strictObject({ kind: z.literal('regenerate'), parentMessageId: Id }),
  /** More of the same reply. The web app continues only one that is not complete; clients of the REST API any. */
  z.strictObject({ kind: z.literal('continue'), messageId: Id, evenIfComplete: z.boolean().optional() }),
  /** A new sibling of an edited reply, continued from its text. */
  z.strictObject({ kind: z.literal('edit'), messageId: Id, text: FilledText }),
  /** More of the same reply, whose tool calls waited for these decisions. */
  z.strictObject({
    kind: z.literal('resume'),
    messageId: Id,
    decisions: z.record(z.string().max(CALL_ID_MAX), Decision).refine(isSmall, 'There are too many decisions'),
  }),
]);
export type Target = z.infer<typeof Target>;

function isSmall(decisions: object): boolean {
  return Object.keys(decisions).length <= DECISIONS_MAX;
}

/** What a conversation goes on with. */
const KeptModel = z.strictObject({
  endpoint: z.string().min(1).max(128),
  model: z.string().min(1).max(256).nullish(),
  settings: GivenSettings,
});

/** One ask. The client makes all ids, which makes it idempotent: the same ask again returns the first result. */
export const AskInput = z.strictObject({
  generationId: Id,
  conversationId: Id,
  replyId: Id,
  endpoint: z.string().min(1).max(128),
  model: z.string().min(1).max(256).nullish(),
  settings: GivenSettings,
  /** The folder that a new conversation begins in, if it still exists. */
  folderId: Id.nullish(),
  /** Begins a new conversation as a temporary one, which is in no folder. */
  isTemporary: z.boolean().optional(),
  /** Asks the endpoint and model above once: the conversation goes on, or begins, with these. */
  keeps: KeptModel.optional(),
  /** The same where a conversation exists: it keeps what it was asked with last. */
  keepsModel: z.boolean().optional(),
  /** The place that the new reply takes among the answers side by side; the one after the last adds a column. */
  column: z
    .int()
    .min(0)
    .max(COLUMNS_MAX - 1)
    .optional(),
  /** Asks for pictures. Models that only make pictures need none: then they are the ones of the answer before. */
  picture: PictureInput.optional(),
  /** What is asked for is a report, which is planned first and then researched in steps. */
  research: ResearchAsk.optional(),
  target: Target,
});
export type AskInput = z.infer<typeof AskInput>;
