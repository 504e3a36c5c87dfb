import * as z from 'zod';
import { TEXT_MAX } from './ask.ts';
import { cleanText } from './clean-text.ts';
import { Id } from './ids.ts';

/** The draft of the chat that was not sent to yet. */
export const NEW_CHAT = 'new';

/** What is typed and not sent. The empty text says that it was sent or deleted. */
export interface Draft {
  /** A conversation's id or `NEW_CHAT`. */
  key: string;
  text: string;
  /** When the last key was pressed, by the clock of that browser: the later keystroke wins. */
  editedAt: string;
  /** The change that brought it; 0 when there is none. */
  seq: number;
}

export const SaveDraft = z.strictObject({
  key: z.union([z.literal(NEW_CHAT), Id]),
  text: z.string().max(TEXT_MAX).overwrite(cleanText),
  editedAt: z.iso.datetime(),
  /** `seq` of the draft that this one was typed over; 0 for none. */
  basedOn: z.int().min(0),
});
export type SaveDraft = z.infer<typeof SaveDraft>;

/** What became of a draft. */
export interface SavedDraft {
  /** What is kept now: the one that was sent, or a later one of another browser. */
  draft: Draft;
  /** The text that lost and was never seen by whoever typed the other: to be offered back once. */
  lost: string | null;
}
