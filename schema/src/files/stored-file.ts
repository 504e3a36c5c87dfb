// Files that a user uploaded or a tool made, as the browser and the presenters use them.
import type { DocumentStatus } from './documents.ts';

/** What a file is for. The words are those of existing clients. */
export const FILE_CONTEXTS = [
  'avatar',
  'unknown',
  'assistants',
  'image_generation',
  'assistants_output',
  'message_attachment',
] as const;
export type FileContext = (typeof FILE_CONTEXTS)[number];

/** The stores of files, each of which `fileStrategy` may name. */
export const STORE_SOURCES = ['local', 's3', 'firebase', 'openai'] as const;
export type StoreSource = (typeof STORE_SOURCES)[number];

/** Where the bytes of a file are. `vectordb` is a file whose text an outside service indexes. */
export type FileSource = StoreSource | 'vectordb';

export interface StoredFile {
  fileId: string;
  /** The id the client gave the upload. */
  temporaryId: string | null;
  name: string;
  /** The type its bytes show, such as `image/png`; never only what the client claims. */
  mime: string;
  bytes: number;
  /** Of an image, in pixels, as it is shown. */
  width: number | null;
  height: number | null;
  context: FileContext;
  source: FileSource;
  /** Its address on this server: `/images/…` for an image, `/api/files/download/…` otherwise. */
  path: string;
  /** How many messages, assistants or profiles use it. */
  uses: number;
  /** What is known of its text; null for images and other files that have none. */
  document: DocumentStatus | null;
  createdAt: string;
  updatedAt: string;
  /** When it is deleted unless it is used before; null once it is used. */
  expiresAt: string | null;
}

/** How much of their room a user's files take, and how the passages of long ones are found. */
export interface FileUsage {
  bytes: number;
  quotaBytes: number;
  /** False where no model embeds their text: then by their words alone. */
  isFoundByMeaning: boolean;
}

/** A message that uses a file. */
export interface MessageUse {
  conversationId: string;
  title: string | null;
  messageId: string;
}

/** Where a file is used. */
export interface FileUses {
  /** Newest first. */
  messages: MessageUse[];
  /** What else, by name. */
  others: { kind: 'folder' | 'assistant' | 'set'; id: string; name: string }[];
}

/** How many different ones use any of some files. */
export interface UseCounts {
  chats: number;
  folders: number;
  assistants: number;
  sets: number;
  skills: number;
}
