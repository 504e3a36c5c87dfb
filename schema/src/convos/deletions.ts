import * as z from 'zod';
import { Id } from '../ids.ts';

/**
 * One or more conversations, one message (its children were reparented), a message with all its descendants, an
 * assistant with its actions and files, or a prompt or skill with its versions.
 */
export type DeletionKind = 'convos' | 'message' | 'branch' | 'assistant' | 'prompt' | 'skill';

/** An entry of the trash: one deletion, which one restore undoes. */
export interface Deletion {
  deletionId: string;
  kind: DeletionKind;
  /** The conversation, or the conversation of the messages; null when there were several, and for others. */
  conversationId: string | null;
  /** The title of a conversation or a prompt, the name of a skill, the beginning of a message, or an assistant's name, which may be empty. */
  label: string;
  /** The title of the messages' conversation; null if it has none, and for conversations. */
  title: string | null;
  /** How many of its kind. */
  count: number;
  deletedAt: string;
}

/** The result of deleting conversations. */
export interface Removed {
  /** Null when there was nothing to delete. */
  deletionId: string | null;
  deletedCount: number;
  deletedMessages: number;
}

/** The result of a restore. */
export interface Restored {
  kind: DeletionKind;
  /** At most 1000; the change feed reports all of them. */
  conversationIds: string[];
  /** How many of its kind. */
  count: number;
}

/** How long a deletion can be undone; then it is purged. */
export const TRASH_DAYS = 7;

export const DeletionRef = z.strictObject({ deletionId: Id });

/** Not strict: infinite queries also send a direction. */
export const TrashPage = z.object({
  /** `nextCursor` of the page before. */
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(25),
});
