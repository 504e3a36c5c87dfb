// Tests of this room: tests/integration/abuse.

// Limits on asks: per IP address, per user, and concurrent. A limit that is off costs no database query. All server
// processes share the counters.
import type { Db, Query, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import type { Client } from '../platform/requests/client.ts';
import type { Config } from '../config/config.ts';
import type { DeepReadonly } from '../config/freeze.ts';
import type { OptionalLimit } from '../config/parts/limits.ts';
import { consume, ipNetwork } from '../platform/rate-limiter.ts';
import { isKnownAsk } from './is-known-ask.ts';
import { throwViolation } from './violation-error.ts';
import { createKeyedMutex } from '../platform/semaphore.ts';

export interface Asker {
  userId: string;
  /** Null for a call from inside the server. */
  client: Client | null;
}

export interface AskLimits {
  /** Null where all clients are allowed. @throws ViolationError `non_browser` for a client that is no browser */
  assertClient: ((client: Client | null) => void) | null;
  /** Null where no limit is on. */
  counted: CountedAsks | null;
  /**
   * Inside the transaction, which locks the user's row: only there the number of runs is exact, to which `count` come. Null without a limit.
   * @throws ViolationError `concurrent`
   */
  assertConcurrency: ((tx: Tx, userId: string, count?: number) => Promise<void>) | null;
}

export interface CountedAsks {
  /**
   * Serialises calls of the same ask in this process, so that it is counted once. The returned function releases the
   * lock.
   */
  enter(userId: string, generationId: string): Promise<() => void>;
  /**
   * Before the transaction: counts the ask as a message, or as `count` of them, unless it has begun before, and refuses early what the
   * transaction would refuse.
   * @throws ViolationError `concurrent` or `message_limit`
   */
  countMessage(asker: Asker, generationId: string, count?: number): Promise<void>;
}

export function createAskLimits(db: Db, { limits, bans }: Pick<Config, 'limits' | 'bans'>): AskLimits {
  const { messagesPerIp, messagesPerUser, concurrentMessages } = limits;
  const isAnyOn = [messagesPerIp, messagesPerUser, concurrentMessages].some(({ enabled }) => enabled);
  const lock = createKeyedMutex();
  return {
    assertClient: bans.scores.nonBrowser === undefined ? null : assertClient,
    counted: isAnyOn ? { enter, countMessage } : null,
    assertConcurrency: concurrentMessages.enabled ? assertConcurrency : null,
  };

  function assertClient(client: Client | null): void {
    if (client && !isBrowser(client)) throwViolation({ type: 'non_browser' });
  }

  function enter(userId: string, generationId: string): Promise<() => void> {
    return lock(`${userId} ${generationId}`);
  }

  async function countMessage(asker: Asker, generationId: string, count = 1): Promise<void> {
    if (!(await isKnownAsk(db.query, asker.userId, generationId))) await consumeAll(asker, count);
  }

  /** The order of the checks is part of the API (docs/rest-compat.md, Streaming: ask, edit, abort). */
  async function consumeAll({ userId, client }: Asker, count: number): Promise<void> {
    await assertConcurrency(db.query, userId, count);
    for (let counted = 0; counted < count; counted++) {
      if (client) await consumeMessage(messagesPerIp, 'ip', ipNetwork(client.ip));
      await consumeMessage(messagesPerUser, 'user', userId);
    }
  }

  async function consumeMessage(limit: DeepReadonly<OptionalLimit>, limiter: 'ip' | 'user', of: string): Promise<void> {
    if (!limit.enabled) return;
    const { max, windowInMinutes } = limit;
    const { allowed, retryAfterSeconds } = await consume(db, `message:${limiter}:${of}`, max, windowInMinutes * 60);
    if (!allowed) throwViolation({ type: 'message_limit', max, windowInMinutes, limiter, retryAfterSeconds });
  }

  async function assertConcurrency(query: Query | Tx, userId: string, count = 1): Promise<void> {
    if (!concurrentMessages.enabled) return;
    const { max } = concurrentMessages;
    const running = and(
      eq(generations.userId, userId),
      isNull(generations.endedAt),
      // A sentence that is read aloud must not take the place of an answer.
      ne(generations.kind, 'speech'),
      gt(generations.leaseUntil, sql`now()`),
    );
    if ((await query.$count(generations, running)) + count > max) throwViolation({ type: 'concurrent', limit: max });
  }
}

/** Every browser's User-Agent names Mozilla or Opera; tools do so only to imitate one. */
function isBrowser({ userAgent }: Client): boolean {
  return /^(Mozilla|Opera)\//.test(userAgent ?? '');
}
