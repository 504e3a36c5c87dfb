// How much one may ask: by address, by user, and at the same time. Nothing is asked of the database for a limit that is
// off. All server processes count together.
import type { Db, Query, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Client } from '../client.ts';
import type { Config } from '../config.ts';
import type { DeepReadonly } from '../config/freeze.ts';
import type { OptionalLimit } from '../config/limits.ts';
import { hit, networkOf } from '../limits.ts';
import { hasBegun } from '../messages/begun.ts';
import { offend } from '../violations/offence.ts';
import { createTurns } from './turns.ts';

export interface Asker {
  userId: string;
  /** Null for a call from inside the server. */
  client: Client | null;
}

export interface AskLimits {
  /**
   * Asks, if there is room for one more. The same ask again is no new message: it waits for the first one and is neither
   * counted nor refused.
   * @throws Offence `non_browser`, `concurrent` or `message_limit`
   */
  within<T>(asker: Asker, generationId: string, ask: () => Promise<T>): Promise<T>;
  /** The same for the number of runs, in the transaction that begins one: it holds its user's row, so that it is exact. */
  assertRoom(tx: Tx, userId: string): Promise<void>;
}

export function createAskLimits(db: Db, { limits, bans }: Pick<Config, 'limits' | 'bans'>): AskLimits {
  const { messagesPerIp, messagesPerUser, concurrentMessages } = limits;
  const isAnyOn = [messagesPerIp, messagesPerUser, concurrentMessages].some(({ enabled }) => enabled);
  const inTurn = createTurns();
  return { within, assertRoom };

  async function within<T>(asker: Asker, generationId: string, ask: () => Promise<T>): Promise<T> {
    if (bans.scores.nonBrowser !== undefined && asker.client && !isBrowser(asker.client))
      offend({ type: 'non_browser' });
    if (!isAnyOn) return ask();
    return inTurn(`${asker.userId} ${generationId}`, async () => {
      if (!(await hasBegun(db.query, asker.userId, generationId))) await countOne(asker);
      return ask();
    });
  }

  /** In the order in which clients know these checks (B.2 of the REST facts). */
  async function countOne({ userId, client }: Asker): Promise<void> {
    await assertRoom(db.query, userId);
    if (client) await countMessage(messagesPerIp, 'ip', networkOf(client.ip));
    await countMessage(messagesPerUser, 'user', userId);
  }

  async function countMessage(limit: DeepReadonly<OptionalLimit>, limiter: 'ip' | 'user', of: string): Promise<void> {
    if (!limit.enabled) return;
    const { max, windowInMinutes } = limit;
    const { allowed, retryAfterSeconds } = await hit(db, `message:${limiter}:${of}`, max, windowInMinutes * 60);
    if (!allowed) offend({ type: 'message_limit', max, windowInMinutes, limiter, retryAfterSeconds });
  }

  async function assertRoom(query: Query | Tx, userId: string): Promise<void> {
    if (!concurrentMessages.enabled) return;
    const { max } = concurrentMessages;
    const running = and(
      eq(generations.userId, userId),
      isNull(generations.endedAt),
      gt(generations.leaseUntil, sql`now()`),
    );
    if ((await query.$count(generations, running)) >= max) offend({ type: 'concurrent', limit: max });
  }
}

/** Every browser says it is Mozilla, or was Opera; tools do not unless they want to be taken for one. */
function isBrowser({ userAgent }: Client): boolean {
  return /^(Mozilla|Opera)\//.test(userAgent ?? '');
}
