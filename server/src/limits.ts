// How often something may be done: counters per fixed window, in the database, for all server processes together.
import { eq, lte, or, sql } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import type { Db } from '@parley/db/client';
import { limits } from '@parley/db/tables/limits';

export interface Verdict {
  allowed: boolean;
  /** Until the window ends; at least 1. */
  retryAfterSeconds: number;
}

/** Counts one attempt under `key`, refused ones too. `now` is the database's clock unless given. */
export async function hit(db: Db, key: string, max: number, windowSeconds: number, now?: Date): Promise<Verdict> {
  const at = db.sql`coalesce(${now?.toISOString() ?? null}::timestamptz, now())`;
  const length = db.sql`make_interval(secs => ${windowSeconds})`;
  const [counted] = await db.sql<{ count: number; seconds: number }[]>`
    insert into limits (key, window_start, count, expires_at)
    select ${key}, start, 1, start + ${length}
    from date_bin(${length}, ${at}, 'epoch') as start
    on conflict (key, window_start) do update set count = limits.count + 1
    returning count, extract(epoch from expires_at - ${at})::float8 as seconds`;
  if (!counted) throw new Error('A counter was neither made nor raised');
  return { allowed: counted.count <= max, retryAfterSeconds: Math.max(1, Math.ceil(counted.seconds)) };
}

/** Forgets what was counted under `key` and under those that go on after it with a colon. */
export async function forgetHits({ query }: Db, key: string): Promise<void> {
  await query.delete(limits).where(or(eq(limits.key, key), sql`starts_with(${limits.key}, ${`${key}:`})`));
}

/** Removes the counters of windows that are over. */
export async function sweepLimits(db: Db): Promise<void> {
  await db.query.delete(limits).where(lte(limits.expiresAt, sql`now()`));
}

/**
 * What of an address to count by: an IPv6 one by its first 64 bits, which is what one customer gets, so that nobody
 * has a fresh counter for each of 2^64 addresses.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const groups = address.toByteArray().slice(0, 8);
  return `${ipaddr.fromByteArray([...groups, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}
