import * as z from 'zod';
import { Id } from './ids.ts';

/** One or many conversations, one message (what hung below it moved up), or a message with all below it. */
export type DeletionKind = 'convos' | 'message' | 'branch';

/** A row of the bin: what was deleted in one go and can be brought back in one. */
export interface Deletion {
  deletionId: string;
  kind: DeletionKind;
  /** The conversation, or the one the messages are of; null when it was many. */
  conversationId: string | null;
  /** A conversation's title or how a message began. */
  label: string;
  /** Of the conversation that messages are of; null where it has none, and for conversations. */
  title: string | null;
  /** How many conversations or messages. */
  count: number;
  deletedAt: string;
}

/** What a deletion of conversations took. */
export interface Removed {
  /** Null when there was nothing to delete. */
  deletionId: string | null;
  deletedCount: number;
  deletedMessages: number;
}

/** What an undo brought back. */
export interface Restored {
  kind: DeletionKind;
  /** At most 1000 of them; the change feed tells of all. */
  conversationIds: string[];
  /** How many conversations or messages. */
  count: number;
}

/** For so long a deletion can be undone; then it is really gone. */
export const BIN_DAYS = 7;

export const DeletionRef = z.strictObject({ deletionId: Id });

/** Not strict: infinite queries send a direction along. */
export const BinPage = z.object({
  /** `nextCursor` of the page before. */
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(25),
});
