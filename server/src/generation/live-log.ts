// The events of one generation of this process, and how many of them the store has.
import type { Entry } from '@parley/schema/generation/events';

/** Is the `seq` of every `final`: nothing comes after it. */
export const END = 2_147_483_647;

export interface LiveLog {
  userId: string;
  entries: Entry[];
  ended: boolean;
  /** Called at the next append or end. Each removes itself. */
  waiters: Set<() => void>;
}

export type OnOwnership = (ownership: 'stop' | 'lost') => void;

export interface RunningLog extends LiveLog {
  epoch: number;
  seq: number;
  /** Entries up to this seq are in the store. */
  writtenSeq: number;
  /** The number of those entries. */
  writtenCount: number;
  /** The number of compacted entries. */
  compactedCount: number;
  isFrozen: boolean;
  /** When the oldest entry that is in no batch yet was appended. */
  appendedAt: number | undefined;
  /** When the oldest entry of a batch that is not in the store yet was appended. */
  batchedAt: number | undefined;
  onOwnership: OnOwnership;
}
