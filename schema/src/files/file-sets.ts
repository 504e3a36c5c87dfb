// Named sets of a user's files.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { SET_FILES_MAX, SET_NAME_MAX } from './set-rules.ts';

export interface FileSet {
  id: string;
  name: string;
  /** Oldest first. A deleted file is in no set. */
  fileIds: string[];
}

/** The most sets of a user. */
export const FILE_SETS_MAX = 100;

export const SetName = z.string().overwrite(cleanText).trim().min(1, 'A name is required').max(SET_NAME_MAX);

/** Adds a set, or changes the one with this id; `fileIds` are then all that it has. */
export const SaveFileSet = z.strictObject({ id: Id, name: SetName, fileIds: z.array(Id).max(SET_FILES_MAX) });
export type SaveFileSet = z.infer<typeof SaveFileSet>;

export const FileSetRef = z.strictObject({ id: Id });
