// Caches the branches that users are typing under. The client asks for the budget at each pause in typing, and the
// history above the question is the same each time: it is read and counted once, until a message of the conversation
// changes.
import type { Query } from '@parley/db/client';
import { messageText } from '@parley/schema/messages/messages';
import { messageTokens, type HistorySource, type LineRow } from './history.ts';
import { walkUp } from '../../messages/thread.ts';

export interface RecentBranches {
  /** Gives the branch that ends in this message, as of this `messagesSeq` of its conversation. */
  endingIn(userId: string, messageId: string, messagesSeq: number): HistorySource;
  close(): void;
}

/** Sets how long a branch stays cached after its last use, in milliseconds. */
const KEPT_MS = 30_000;
/** Limits how many branches are cached, each at most as long as a context window. */
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
    // Reinserted last, so that the least recently used goes first.
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

/** Gives the branch above a message to a caller that walks it more than once. */
export function branchAbove(query: Query, userId: string, parentMessageId: string): HistorySource {
  return remember(walkUp(query, userId, parentMessageId), () => {});
}

/** The branch above a first question. */
export const nothingAbove: HistorySource = { walkUp: async function* () {}, countTokens: messageTokens };

/** Reads each row once, however often it is walked, and only as far as some caller has read. */
function remember(rows: AsyncIterator<LineRow, void>, onFailure: () => void): HistorySource {
  const read: Promise<IteratorResult<LineRow, void>>[] = [];
  const prices = new Map<string, Promise<number> | null>();
  return { walkUp: walk, countTokens: price };

  async function* walk(): AsyncGenerator<LineRow, void> {
    for (let index = 0; ; index++) {
      const { value } = await (read[index] ??= next());
      if (!value) return;
      yield value;
    }
  }

  async function next(): Promise<IteratorResult<LineRow, void>> {
    try {
      const { value } = await rows.next();
      if (!value) return { done: true, value: undefined };
      const { id, depth, parts, reason, isCreatedByUser, summary } = value;
      const text = messageText({ parts });
      if (!prices.has(text)) prices.set(text, null);
      return { done: false, value: { id, depth, parts, reason, isCreatedByUser, summary } };
    } catch (error) {
      onFailure();
      throw error;
    }
  }

  /** A partial text changes each time and is not cached. */
  function price(text: string): Promise<number> {
    const known = prices.get(text);
    if (known === undefined) return messageTokens(text);
    const counting = known ?? messageTokens(text);
    prices.set(text, counting);
    return counting;
  }
}
