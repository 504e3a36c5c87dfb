// What every file is translated into before it is stored.
import type { EndpointType } from '@parley/schema/endpoints';
import type { Message } from '@parley/schema/messages';
import type { Settings } from '@parley/schema/params';

export interface SourceConvo {
  /** Its id where it comes from. */
  id: string;
  title: string | null;
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  isArchived: boolean;
  /** Milliseconds since 1970; null when the file does not say. */
  createdAt: number | null;
  updatedAt: number | null;
  /** Siblings in their order. */
  messages: SourceMessage[];
  /** Messages that could not be read. */
  dropped: number;
}

type Kept = Pick<
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
>;

export interface SourceMessage extends Kept {
  id: string;
  /** Null for the first of a thread; one that is not in the file makes it a first one too. */
  parentId: string | null;
  createdAt: number | null;
  updatedAt: number | null;
}
