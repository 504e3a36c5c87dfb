// Conversations that this process has just written, for the change feeds of its own browsers: a feed that has seen all
// before need not read them back, which would cost a statement at each ask, each end and each title.
import type { ConvoRow } from './present.ts';

/** Rows kept per feed. Beyond them a feed reads the database as if nothing had been offered. */
const ROWS_MAX = 16;

export interface WrittenConvos {
  /**
   * Offers a committed row; temporary conversations are in no feed. Its transaction must have taken this one change
   * number only.
   */
  offer(row: ConvoRow): void;
  /** The rows offered from now on. */
  follow(userId: string): Followed;
}

export interface Followed {
  /** The rows whose numbers directly follow this one, as far as they are known here; each once. */
  takeAfter(seq: number): ConvoRow[];
  end(): void;
}

export function createWrittenConvos(): WrittenConvos {
  const followers = new Map<string, Set<Map<number, ConvoRow>>>();
  return {
    offer(row) {
      if (row.temporaryUntil !== null) return;
      for (const rows of followers.get(row.userId) ?? []) {
        if (rows.size >= ROWS_MAX) rows.clear();
        rows.set(row.changeSeq, row);
      }
    },
    follow(userId) {
      const rows = new Map<number, ConvoRow>();
      const set = followers.get(userId) ?? new Set();
      followers.set(userId, set.add(rows));
      return {
        takeAfter(seq) {
          const taken: ConvoRow[] = [];
          for (let row = rows.get(seq + 1); row; row = rows.get(row.changeSeq + 1)) {
            rows.delete(row.changeSeq);
            taken.push(row);
          }
          return taken;
        },
        end() {
          set.delete(rows);
          if (set.size === 0) followers.delete(userId);
        },
      };
    },
  };
}
