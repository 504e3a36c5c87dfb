// Where logs are kept for other processes, and for this one's end.
import type { Entry } from '@parley/schema/generation/events';

/** New events of one generation, neighboring text merged. Empty while it only renews its lease. */
export interface Batch {
  generationId: string;
  epoch: number;
  entries: Entry[];
  /** When its oldest entry was appended, in `performance.now()` time. */
  since?: number | undefined;
}

/** Says how the store sees a generation. `lost`: its lease expired or another process took it over. */
export type Ownership = 'ours' | 'stop' | 'lost';

export interface LogStore {
  /** Writes all batches or none, renews their leases, and returns each generation's status. */
  write(batches: Batch[]): Promise<Map<string, Ownership>>;
}
