// Links to read-only copies of conversations.
import * as z from 'zod';
import type { EndpointType } from '../catalog/endpoints.ts';
import { Id } from '../ids.ts';
import type { Message } from '../messages/messages.ts';
import { SHARE_DAYS } from './share-days.ts';

/** What a visitor sees of a part of a message: no arguments of tools, and of their results only the files they made. */
export type SharedPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** The tool as people know it. */
  | { type: 'tool'; label: string }
  /** Without `file` only its name is shown: it was gone when the copy was made, or files were not shared yet. */
  | { type: 'file'; name: string; file?: SharedFile };

/** A file that visitors may open: an image when it has a size. */
export interface SharedFile {
  /** Its number in the copy, from 1. */
  n: number;
  mime: string;
  bytes: number;
  width?: number;
  height?: number;
}

/** A message of a shared conversation. Its ids count within the copy: they tell nothing about the original. */
export interface SharedMessage extends Pick<
  Message,
  'messageId' | 'parentMessageId' | 'seq' | 'isCreatedByUser' | 'sender' | 'endpoint' | 'endpointType' | 'model'
> {
  parts: SharedPart[];
  createdAt: string;
}

/** A copy of a conversation as it was when it was shared or last updated. */
export interface SharedThread {
  title: string | null;
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  /** In tree order: parents first. */
  messages: SharedMessage[];
}

/** A copy as the server keeps it. */
export interface SharedSnapshot extends SharedThread {
  /** The ids of the owner's files, by their numbers from 1; visitors never get them. */
  files?: string[];
}

/** A link, as its owner sees it. */
export interface Share {
  id: string;
  conversationId: string;
  title: string | null;
  /** All branches; else the one that was shown when it was made. */
  isWhole: boolean;
  showsName: boolean;
  /** How many images and files it shows. */
  files: number;
  /** ISO dates. */
  expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** What a visitor gets. */
export interface SharedPage {
  thread: SharedThread;
  /** Of the owner, if they want it shown. */
  name: string | null;
  updatedAt: string;
}

/** What a person gets who copies the conversation into their account. */
export interface CopiedShare {
  conversationId: string;
  /** The names of the files that could not be copied. */
  missing: string[];
}

/** 128 random bits. */
const SHARE_ID = /^[\w-]{22}$/;
/** A text of another form, such as a link that was cut off, is the id of no share: as unknown as one that has ended. */
const ShareId = z
  .string()
  .max(256)
  .transform((id) => (SHARE_ID.test(id) ? id : ''));
export const ShareRef = z.strictObject({ id: ShareId });

export const CreateShare = z.strictObject({
  conversationId: Id,
  /** The last message of the branch to share; null for all branches. */
  leafId: Id.nullable(),
  showsName: z.boolean().default(false),
  /** Null: it does not end by itself. */
  days: z.literal(SHARE_DAYS).nullable().default(null),
});
export type CreateShare = z.infer<typeof CreateShare>;

export const ListShares = z.strictObject({ conversationId: Id.optional() }).default({});
export type ListShares = z.infer<typeof ListShares>;
