// A user's named groups of conversations.
import * as z from 'zod';
import { CHOSEN_TOOLS_MAX, TOOL_KEY_MAX } from '../catalog/params.ts';
import { cleanText } from '../clean-text.ts';
import {
  FOLDER_COLORS,
  FOLDER_FILES_MAX,
  FOLDER_INSTRUCTIONS_MAX,
  FOLDER_NAME_MAX,
  FOLDER_SETS_MAX,
  type FolderColor,
} from './folder-rules.ts';
import type { AccessLevel } from './access-rules.ts';
import { MANY_MAX } from './convos.ts';
import type { StoredFile } from '../files/stored-file.ts';
import { Id } from '../ids.ts';

const Color = z.enum(FOLDER_COLORS);

export interface Folder {
  id: string;
  name: string;
  /** Null: no colour. */
  color: FolderColor | null;
  /** Sent with every question of its conversations, before their own instructions. */
  instructions: string;
  /** New chats in it begin with this preset; null: as other new chats. A preset that is gone is none. */
  presetId: string | null;
  /** Shown to the model in every chat in it: whole while they fit, else what a search finds in them. */
  fileIds: string[];
  /** Sets of its owner, whose files of the moment it has as well. Nobody else is told which. */
  setIds: string[];
  /** Keys of tools that new chats in it begin with. */
  tools: string[];
  /**
   * On a link to a folder of somebody else: the name of its owner, and what this person may do with it. Null once it is no
   * longer shared with them. A person who only uses it does not get its instructions.
   */
  sharedBy?: { name: string; level: AccessLevel } | null;
}

/** A file of a folder. A person who does not own it reads of it what answers cite. */
export type FolderFile = Pick<StoredFile, 'fileId' | 'name' | 'mime' | 'bytes' | 'document' | 'createdAt'>;

/** The most folders of a user. */
export const FOLDERS_MAX = 100;

const Name = z.string().overwrite(cleanText).trim().min(1, 'A name is required').max(FOLDER_NAME_MAX);
const Tools = z.array(z.string().overwrite(cleanText).min(1).max(TOOL_KEY_MAX)).max(CHOSEN_TOOLS_MAX);
const Instructions = z.string().overwrite(cleanText).max(FOLDER_INSTRUCTIONS_MAX);

/** Made by the client; idempotent: the same id again changes nothing. */
export const CreateFolder = z.strictObject({
  id: Id,
  name: Name,
  color: Color.nullable().default(null),
  instructions: Instructions.default(''),
  presetId: Id.nullable().default(null),
});
export type CreateFolder = z.infer<typeof CreateFolder>;

/** A folder in an export file: what is wrong with it is left out, except its id and name. */
export const ExportedFolder = z.object({
  id: z.string().min(1).max(256),
  name: Name,
  color: Color.nullable().catch(null),
  instructions: Instructions.catch(''),
});
export type ExportedFolder = z.infer<typeof ExportedFolder>;

export const UpdateFolder = z.strictObject({
  id: Id,
  name: Name.optional(),
  color: Color.nullable().optional(),
  instructions: Instructions.optional(),
  presetId: Id.nullable().optional(),
  tools: Tools.optional(),
  setIds: z.array(Id).max(FOLDER_SETS_MAX, `A project takes at most ${FOLDER_SETS_MAX} sets`).optional(),
});
export type UpdateFolder = z.infer<typeof UpdateFolder>;

/** Replaces the files of a folder. */
export const SetFolderFiles = z.strictObject({ folderId: Id, fileIds: z.array(Id).max(FOLDER_FILES_MAX) });
export type SetFolderFiles = z.infer<typeof SetFolderFiles>;

export const FolderRef = z.strictObject({ id: Id });

/** Null takes the conversations out of their folders. */
export const MoveToFolder = z.strictObject({
  conversationIds: z.array(Id).min(1).max(MANY_MAX),
  folderId: Id.nullable(),
});
export type MoveToFolder = z.infer<typeof MoveToFolder>;
