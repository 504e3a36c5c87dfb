// The common format that every import file is converted to.
import type { TravellingRow } from '@parley/db/all-tables';
import { messages } from '@parley/db/tables/messages';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Column } from '@parley/schema/chat/columns';
import type { Fork } from '@parley/schema/convos/convos';
import type { ExportedFolder } from '@parley/schema/convos/folders';
import type { Message } from '@parley/schema/messages/messages';
import { travelling } from '@parley/schema/transfer/register/register';
import type { LeftOut } from '@parley/schema/transfer/results';
import type { Settings } from '@parley/schema/catalog/params';

/** Columns that have a field of their own below: formats name them differently, or they name other rows. */
export const CONVO_FIELDS = [
  'id',
  'title',
  'endpoint',
  'endpointType',
  'model',
  'settings',
  'columns',
  'isPinned',
  'isArchived',
  'folderId',
  'forkedFrom',
  'createdAt',
  'updatedAt',
] as const;
export const MESSAGE_FIELDS = [
  'id',
  'convoId',
  'parentId',
  'isCreatedByUser',
  'sender',
  'endpoint',
  'endpointType',
  'model',
  'parts',
  'finishReason',
  'reason',
  'unfinished',
  'isEdited',
  'tokenCount',
  'usage',
  'context',
  'rating',
  'createdAt',
  'updatedAt',
] as const;

/** The columns that travel and have no field of their own in a source, by the register. */
export const OTHERS_OF_MESSAGE = travelling('messages').flatMap((key) => {
  if (isField(key)) return [];
  const column = messages[key];
  return [{ key, name: column.name, type: column.getSQLType() }];
});
function isField(key: string): key is (typeof MESSAGE_FIELDS)[number] {
  return MESSAGE_FIELDS.some((name) => name === key);
}

export interface SourceConvo {
  /** Its id in the source. */
  id: string;
  title: string | null;
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  isArchived: boolean;
  /** When a temporary chat ends, in Unix milliseconds; absent for one that stays. */
  temporaryUntil?: number;
  /** Absent where the format knows no pins. */
  isPinned?: boolean;
  /** Absent where it is in none, or the format knows none. */
  folder?: ExportedFolder;
  /** With the ids of replies in the source. */
  columns?: Column[];
  /** With ids of the source. */
  forkedFrom?: Fork;
  /** All other columns that travel; absent where the format knows none. */
  others?: Partial<Omit<TravellingRow<'convos'>, (typeof CONVO_FIELDS)[number]>>;
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
  /** All other columns that travel; absent where the format knows none. */
  others?: Partial<Omit<TravellingRow<'messages'>, (typeof MESSAGE_FIELDS)[number]>>;
  createdAt: number | null;
  updatedAt: number | null;
}

/** What a message is where its source tells nothing of it. */
export const UNTOLD = { reason: null, unfinished: false, isEdited: false, usage: null, context: null } as const;
