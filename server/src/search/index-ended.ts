// The search entries of replies and their questions, written after the end of the answer so that no reader waits for them.
import { setTimeout as sleep } from 'node:timers/promises';
import { findPgCode, type Db } from '@parley/db/client';

/** Answers that end within so many milliseconds are one statement. */
const GATHER_MS = 100;
/** About so many bytes of text in one transaction: 0.1 s of work for natural text, 1 s for text of hashes. */
const PIECE_BYTES = 64_000;
/** PostgreSQL's "deadlock_detected". */
const DEADLOCK = '40P01';

export interface EndedIndexer {
  /** An answer has ended: its entries follow soon. */
  wake(): void;
  /** Writes what is left open, also by other processes; resolves when nothing is. */
  run(): Promise<void>;
  /** What is left is for the next process, or the next start. */
  close(): Promise<void>;
}

export function createEndedIndexer({ sql }: Pick<Db, 'sql'>, onFault: (error: unknown) => void): EndedIndexer {
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isClosed = false;
  return {
    wake() {
      isWoken = true;
      running ??= sleep(GATHER_MS).then(work);
    },
    run() {
      isWoken = true;
      return (running ??= work());
    },
    async close() {
      isClosed = true;
      await running;
    },
  };

  /** One piece after the other, so that answers that run need not share the database with more than one. */
  async function work(): Promise<void> {
    try {
      while (isWoken && !isClosed) {
        isWoken = false;
        while (!isClosed && (await putSome()) > 0);
      }
    } catch (error) {
      onFault(error);
    } finally {
      running = null;
    }
  }

  /** Processes that put the words of the same people may wait for each other: PostgreSQL undoes one piece of them. */
  async function putSome(): Promise<number> {
    try {
      const [row] = await sql<{ done: number }[]>`select search_put_ended(${PIECE_BYTES}) as done`;
      return row?.done ?? 0;
    } catch (error) {
      if (findPgCode(error) !== DEADLOCK) throw error;
      return isClosed ? 0 : putSome();
    }
  }
}
