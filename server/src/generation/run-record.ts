import type { ContextRecord } from '@parley/schema/messages/messages';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';
import type { CitablePassage, Delta } from './delta.ts';

/** What a run has learned beside its reply, to be saved with it. */
export interface RunRecord {
  context: ContextRecord | null;
  /** The passages that the model got, by whose numbers it cites them. */
  passages: readonly CitablePassage[];
  thread: ProviderThread | null;
  /** When the model was asked last, in `performance.now()` time; null before that. */
  askedAt: number | null;
}

export const EMPTY_RECORD: RunRecord = { context: null, passages: [], thread: null, askedAt: null };

export function foldRecord(record: RunRecord, delta: Delta): RunRecord {
  switch (delta.type) {
    case 'context':
      return { ...record, context: delta.context, passages: delta.passages };
    case 'thread':
      return { ...record, thread: delta.thread };
    case 'asking':
    case 'asked':
      return { ...record, askedAt: performance.now() };
    default:
      return record;
  }
}
