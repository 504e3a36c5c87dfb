import * as z from 'zod';
import { cleanText } from './clean-text.ts';
import type { Draft } from './drafts.ts';
import type { EndpointType } from './endpoints.ts';
import { Id } from './ids.ts';
import type { Settings } from './params.ts';
import type { UpstreamIds } from './upstream.ts';

/** A row in the sidebar. */
export interface Convo {
  conversationId: string;
  /** Null until the title is generated or given: "New Chat" is a translation, not data. */
  title: string | null;
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  /** Where the provider of its newest reply goes on from, if it keeps conversations itself. */
  upstream?: UpstreamIds;
  /** The generation that is writing in it now. */
  running: string | null;
  isPinned: boolean;
  isArchived: boolean;
  forkedFrom: Fork | null;
  /** Grows whenever its messages change: who has read them at this number has them all. */
  messagesSeq: number;
  createdAt: string;
  updatedAt: string;
}

/** The message that a conversation was begun from, and whose it was. */
export interface Fork {
  conversationId: string;
  messageId: string;
}

/** What the feed only hints at. */
export type Reread = 'presets' | 'keys';

/** What the per-user feed says. `seq` is the cursor to resume from. */
export type Change =
  | { type: 'convo'; seq: number; convo: Convo }
  /** `deletionId` is what an undo takes back, perhaps more than this one. */
  | { type: 'removed'; seq: number; conversationId: string; deletionId?: string }
  | { type: 'draft'; seq: number; draft: Draft }
  /** Something of these is not as it was: read them again. */
  | { type: Reread; seq: number }
  /** The cursor is too old to catch up from: read everything again. */
  | { type: 'reset'; seq: number };

export const TITLE_MAX = 255;

/** Not strict: infinite queries send a direction along. */
export const ConvoPage = z.object({
  /** `nextCursor` of the page before. */
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(25),
  archived: z.boolean().default(false),
});

export const RenameConvo = z.strictObject({
  conversationId: Id,
  title: z.string().overwrite(cleanText).trim().min(1, 'A title is required').max(TITLE_MAX),
});

export const ConvoRef = z.strictObject({ conversationId: Id });

/** At most this many in one go: a person selects what can be seen. */
export const MANY_MAX = 1000;
const Many = z.array(Id).min(1).max(MANY_MAX);

export const ConvoRefs = z.strictObject({ conversationIds: Many });

export const UpdateConvo = z.strictObject({
  conversationId: Id,
  isPinned: z.boolean().optional(),
  isArchived: z.boolean().optional(),
});
export type UpdateConvo = z.infer<typeof UpdateConvo>;

export const ArchiveConvos = z.strictObject({ conversationIds: Many, isArchived: z.boolean() });
export type ArchiveConvos = z.infer<typeof ArchiveConvos>;

/** A new conversation with copies of the branch that ends in a message. */
export const ForkConvo = z.strictObject({
  conversationId: Id,
  /** Absent: the end of the branch on which each message is the newest answer to the one before. */
  messageId: Id.optional(),
  /** Made by the client: the same again gives the first copy. */
  forkId: Id,
});
export type ForkConvo = z.infer<typeof ForkConvo>;
