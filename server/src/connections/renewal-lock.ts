// Tokens of people for other services, actions and tool servers alike, are renewed by one process at a time: whoever uses
// a refresh token twice is taken for a thief, and the person is signed out (RFC 9700, 4.14.2).
import type { Db, Query } from '@parley/db/client';
import { connections } from '@parley/db/tables/tools';
import { and, eq, sql } from 'drizzle-orm';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import { createSemaphore } from '../platform/semaphore.ts';

export interface Connected {
  userId: string;
  /** As in `connections`. */
  service: string;
}

/** Runs `work` in a transaction, alone in all processes for this person and service. */
export type RenewalLock = <T>(of: Connected, work: (tx: Query) => Promise<T>) => Promise<T>;

/** Each renewal holds a connection to the database while it waits for a foreign server. */
const AT_ONCE = 2;

export function createRenewalLock({ query }: Db): RenewalLock {
  // Of a person one at a time, so that a slow service of theirs does not take the place of others.
  const lock = createKeyedMutex();
  const withPlace = createSemaphore(AT_ONCE);
  return async ({ userId, service }, work) => {
    const release = await lock(userId);
    try {
      return await withPlace(() =>
        query.transaction(async (tx) => {
          const key = `connection ${userId} ${service}`;
          await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
          return work(tx);
        }),
      );
    } finally {
      release();
    }
  };
}

/** The encrypted tokens as they are now. Until the end of the renewal nobody replaces them: a new sign-in comes after it. */
export async function lockTokens(tx: Query, of: Connected): Promise<string | null> {
  const [row] = await tx
    .select({ encrypted: connections.encrypted })
    .from(connections)
    .where(ofConnection(of))
    .for('update');
  return row?.encrypted ?? null;
}

export function ofConnection({ userId, service }: Connected) {
  return and(eq(connections.userId, userId), eq(connections.service, service));
}
