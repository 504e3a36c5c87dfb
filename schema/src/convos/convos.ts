import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import type { Draft } from '../chat/drafts.ts';
import type { EndpointType } from '../catalog/endpoints.ts';
import type { Column } from '../chat/columns.ts';
import { Id } from '../ids.ts';
import type { Settings } from '../catalog/params.ts';
import type { ThreadIds } from '../chat/provider-thread.ts';

/** A row in the sidebar. */
export interface Convo {
  conversationId: string;
  /** Null until it has a title: "New Chat" is a translation, not data. */
  title: string | null;
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  /** The provider's thread ids after its newest reply, if it keeps conversations itself. */
  threadIds?: ThreadIds;
  /** The generation that is writing in it now. */
  running: string | null;
  /** How many replies to a question to several models are still being written; absent for any other. */
  runsLeft?: number;
  /** Whom the next question is asked, side by side; absent: one model. */
  columns?: Column[];
  isPinned: boolean;
  /** Its place among the pinned ones, from 1; absent until its user has arranged them. */
  pinPosition?: number;
  isArchived: boolean;
  /** A reply has ended here that its user has not looked at. */
  isUnread: boolean;
  /** Null: in no folder. */
  folderId: string | null;
  /** Only temporary chats have it: when the chat is purged. They are in no list and no search. */
  temporaryUntil?: string;
  forkedFrom: Fork | null;
  /** Grows with every change of its messages: a client that has loaded them at this number is up to date. */
  messagesSeq: number;
  createdAt: string;
  updatedAt: string;
}

/** The message that a conversation was forked from, and its user. */
export interface Fork {
  conversationId: string;
  messageId: string;
}

/**
 * Kinds of data that the feed only announces, for clients to reload. `endpoints` are everybody's: other ones are offered,
 * and the change has the number of the one before.
 */
export type Reread = 'presets' | 'keys' | 'assistants' | 'settings' | 'folders' | 'queue' | 'schedules' | 'endpoints';

/** An event of the per-user change feed. `seq` is the cursor to resume from. */
export type Change =
  | { type: 'convo'; seq: number; convo: Convo }
  /** `deletionId` names the deletion to undo, which may include more than this conversation. */
  | { type: 'removed'; seq: number; conversationId: string; deletionId?: string }
  | { type: 'draft'; seq: number; draft: Draft }
  /** Data of this kind has changed: reload it. */
  | { type: Reread; seq: number }
  /** The cursor is too old to resume from: reload everything. */
  | { type: 'reset'; seq: number };

export const TITLE_MAX = 255;

/** Not strict: infinite queries also send a direction. */
export const ConvoPage = z.object({
  /** `nextCursor` of the page before. */
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(25),
  archived: z.boolean().default(false),
  /** Null: those in no folder; absent: those in folders as well. */
  folderId: Id.nullish(),
});

export const RenameConvo = z.strictObject({
  conversationId: Id,
  title: z.string().overwrite(cleanText).trim().min(1, 'A title is required').max(TITLE_MAX),
});

export const ConvoRef = z.strictObject({ conversationId: Id });

/** The most items of one bulk action: users select what they can see. */
export const MANY_MAX = 1000;
const Many = z.array(Id).min(1).max(MANY_MAX);

export const ConvoRefs = z.strictObject({ conversationIds: Many });

export const UpdateConvo = z.strictObject({
  conversationId: Id,
  isPinned: z.boolean().optional(),
  isArchived: z.boolean().optional(),
  isUnread: z.boolean().optional(),
});
export type UpdateConvo = z.infer<typeof UpdateConvo>;

/** The person has seen the messages up to the change `messagesSeq`. */
export const MarkRead = z.strictObject({ conversationId: Id, messagesSeq: z.int().min(0) });
export type MarkRead = z.infer<typeof MarkRead>;

/** The pinned conversations in the order that their user gives them. */
export const ArrangePins = z.strictObject({ conversationIds: Many });

export const ArchiveConvos = z.strictObject({ conversationIds: Many, isArchived: z.boolean() });
export type ArchiveConvos = z.infer<typeof ArchiveConvos>;

/** A new conversation with copies of the branch that ends in a message. */
export const ForkConvo = z.strictObject({
  conversationId: Id,
  /** Absent: the newest leaf. */
  messageId: Id.optional(),
  /** Made by the client; idempotent: the same id again returns the first copy. */
  forkId: Id,
});
export type ForkConvo = z.infer<typeof ForkConvo>;
