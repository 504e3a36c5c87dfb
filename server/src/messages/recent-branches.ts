// The branches that questions are being written under. A budget is asked for at each pause of the typing, and what stands
// above the question is the same each time: it is read and counted once, until a message of its conversation changes.
import type { Query } from '@parley/db/client';
import { textOf } from '@parley/schema/messages';
import type { HistorySource, LineRow } from './history.ts';
import { priceOf } from './purse.ts';
import { walkUp } from './thread.ts';

export interface RecentBranches {
  /** The branch that ends in this message, as it was when the messages of its conversation were last counted as changed. */
  endingIn(userId: string, messageId: string, messagesSeq: number): HistorySource;
  close(): void;
}

/** So long after it was last asked for, a branch is forgotten. */
const KEPT_MS = 30_000;
/** Branches that are remembered at once, each as long as a model's window. */
const BRANCHES_MAX = 50;

interface Branch {
  messagesSeq: number;
  usedAt: number;
  source: HistorySource;
}

export function createRecentBranches(query: Query): RecentBranches {
  const branches = new Map<string, Branch>();
  const sweeping = setInterval(() => forgetBefore(Date.now() - KEPT_MS), KEPT_MS).unref();
  return { endingIn, close: () => clearInterval(sweeping) };

  function endingIn(userId: string, messageId: string, messagesSeq: number): HistorySource {
    const key = `${userId} ${messageId}`;
    const known = branches.get(key);
    const branch =
      known?.messagesSeq === messagesSeq
        ? known
        : { messagesSeq, usedAt: 0, source: remember(walkUp(query, userId, messageId), () => branches.delete(key)) };
    branch.usedAt = Date.now();
    // What was asked for last stands last, so that the oldest goes first.
    branches.delete(key);
    branches.set(key, branch);
    const [oldest] = branches.keys();
    if (branches.size > BRANCHES_MAX && oldest !== undefined) branches.delete(oldest);
    return branch.source;
  }

  function forgetBefore(time: number): void {
    for (const [key, { usedAt }] of branches) if (usedAt < time) branches.delete(key);
  }
}

/** Reads each row once, however often it is walked, and no further than anybody has. */
function remember(rows: AsyncIterator<LineRow, void>, onFailure: () => void): HistorySource {
  const read: Promise<IteratorResult<LineRow, void>>[] = [];
  const prices = new Map<string, Promise<number> | null>();
  return { walkUp: walk, priceOf: price };

  async function* walk(): AsyncGenerator<LineRow, void> {
    for (let place = 0; ; place++) {
      const { value } = await (read[place] ??= next());
      if (!value) return;
      yield value;
    }
  }

  async function next(): Promise<IteratorResult<LineRow, void>> {
    try {
      const { value } = await rows.next();
      if (!value) return { done: true, value: undefined };
      const { id, depth, parts, reason, isCreatedByUser, summary } = value;
      const text = textOf({ parts });
      if (!prices.has(text)) prices.set(text, null);
      return { done: false, value: { id, depth, parts, reason, isCreatedByUser, summary } };
    } catch (error) {
      onFailure();
      throw error;
    }
  }

  /** What is still being written is another text each time, and not kept. */
  function price(text: string): Promise<number> {
    const known = prices.get(text);
    if (known === undefined) return priceOf(text);
    const counting = known ?? priceOf(text);
    prices.set(text, counting);
    return counting;
  }
}
