// The common format that every import file is converted to.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { ExportedFolder } from '@parley/schema/convos/folders';
import type { Message } from '@parley/schema/messages/messages';
import type { LeftOut } from '@parley/schema/transfer/results';
import type { Settings } from '@parley/schema/catalog/params';

export interface SourceConvo {
  /** Its id in the source. */
  id: string;
  title: string | null;
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  isArchived: boolean;
  /** Absent where the format knows no pins. */
  isPinned?: boolean;
  /** Absent where it is in none, or the format knows none. */
  folder?: ExportedFolder;
  /** Unix time in milliseconds; null when the file has none. */
  createdAt: number | null;
  updatedAt: number | null;
  /** Siblings in order. */
  messages: SourceMessage[];
  /** Number of unreadable messages and parts. */
  dropped: number;
  /** Of these, whole messages; absent where nobody asks. */
  droppedMessages?: number;
  /** What of it has no place here; absent when everything has one, or the format reports none. */
  leftOut?: LeftOut;
}

type Imported = Pick<
  Message,
  | 'isCreatedByUser'
  | 'sender'
  | 'endpoint'
  | 'endpointType'
  | 'model'
  | 'parts'
  | 'finishReason'
  | 'reason'
  | 'unfinished'
  | 'isEdited'
  | 'usage'
  | 'context'
  | 'rating'
>;

export interface SourceMessage extends Imported {
  id: string;
  /** Null for a root; an id that is not in the file makes the message a root, too. */
  parentId: string | null;
  /** Tokens that the source counted. */
  tokenCount?: number | null;
  createdAt: number | null;
  updatedAt: number | null;
}

/** What a message is where its source tells nothing of it. */
export const UNTOLD = { reason: null, unfinished: false, isEdited: false, usage: null, context: null } as const;
