import * as z from 'zod';
import { ATTACHMENTS_MAX, TEXT_MAX } from './ask.ts';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';

/** The key of the new chat's draft. */
export const NEW_CHAT = 'new';

/** Unsent text with its files. When both are empty, it was sent or deleted. */
export interface Draft {
  /** A conversation's id or `NEW_CHAT`. */
  key: string;
  text: string;
  /** Those that are uploaded, in the order they are shown; absent when there are none. */
  files?: DraftFile[] | undefined;
  /** When the last key was pressed, by that browser's clock: the later keystroke wins. */
  editedAt: string;
  /** The number of the change that saved it; 0 for none. */
  seq: number;
}

const name = z.string().max(1_000).overwrite(cleanText);
const count = z.int().min(0).max(2_000_000_000);
const path = z.string().max(1_000);
/** As the server presented it; which files are the user's own is checked when the question is asked. */
export const DraftFile = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('image'),
    fileId: Id,
    path: path.regex(/^\/images\/(?!.*\.\.)[\w./-]+$/),
    width: count,
    height: count,
    name: name.exactOptional(),
    mime: name.exactOptional(),
    bytes: count.exactOptional(),
  }),
  z.object({
    type: z.literal('file'),
    fileId: Id,
    path: path.regex(/^\/api\/files\/download\/(?!.*\.\.)[\w./-]+$/),
    name,
    mime: name,
    bytes: count,
  }),
]);
export type DraftFile = z.infer<typeof DraftFile>;

export const SaveDraft = z.strictObject({
  key: z.union([z.literal(NEW_CHAT), Id]),
  text: z.string().max(TEXT_MAX).overwrite(cleanText),
  files: z.array(DraftFile).max(ATTACHMENTS_MAX).optional(),
  /** Of a key press, or of a change of the files. */
  editedAt: z.iso.datetime(),
  /** `seq` of the draft it was based on; 0 for none. */
  basedOn: z.int().min(0),
});
export type SaveDraft = z.infer<typeof SaveDraft>;

/** The result of saving a draft. */
export interface SavedDraft {
  /** The stored draft: the one sent, or a later one of another browser. */
  draft: Draft;
  /** The lost text if the other browser never saw it: to be offered back once. */
  lost: string | null;
}
