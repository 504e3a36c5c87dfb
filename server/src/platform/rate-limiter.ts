// Sliding-window rate limiter: at most `max` attempts in any window of a given length, counted in the database for all
// server processes.
import { eq, lte, or, sql } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import type { Db } from '@parley/db/client';
import { limits } from '@parley/db/tables/limits';

export interface RateLimitResult {
  allowed: boolean;
  /** Seconds until the next attempt is allowed; at least 1. */
  retryAfterSeconds: number;
}

/**
 * Counts one attempt under `key` if it is allowed; a refused attempt does not extend the wait. `now` is the database's
 * clock unless given.
 */
export async function consume(
  db: Db,
  key: string,
  max: number,
  windowSeconds: number,
  now?: Date,
): Promise<RateLimitResult> {
  const at = db.sql`coalesce(${now?.toISOString() ?? null}::timestamptz, now())`;
  const length = db.sql`make_interval(secs => ${windowSeconds})`;
  const recent = db.sql`array(select one from unnest(l.hits) one where one > ${at} - ${length} order by one)`;
  // Locks the row before evaluating the condition, so that simultaneous attempts see each other. The wait is computed
  // from the state before: until the oldest of the last `max` attempts leaves the window.
  const [verdict] = await db.sql<{ allowed: boolean; seconds: number | null }[]>`
    with counted as (
      insert into limits as l (key, hits, expires_at)
      select ${key}, array[${at}], ${at} + ${length} where ${max}::int > 0
      on conflict (key) do update set hits = ${recent} || excluded.hits, expires_at = excluded.expires_at
      where cardinality(${recent}) < ${max}::int
      returning key
    )
    select exists(select from counted) as allowed,
      (select extract(epoch from (${recent})[greatest(1, cardinality(${recent}) - ${max}::int + 1)] + ${length} - ${at})
        from limits l where key = ${key})::float8 as seconds`;
  if (!verdict) throw new Error('An attempt was neither allowed nor refused');
  const { allowed, seconds } = verdict;
  return { allowed, retryAfterSeconds: Math.max(1, Math.ceil(seconds ?? windowSeconds)) };
}

/** Takes the last attempt back. */
export async function giveBack({ query }: Db, key: string): Promise<void> {
  await query
    .update(limits)
    .set({ hits: sql`${limits.hits}[:cardinality(${limits.hits}) - 1]` })
    .where(eq(limits.key, key));
}

/** Deletes the counter `key` and those below it (`key:…`). */
export async function resetRateLimit({ query }: Db, key: string): Promise<void> {
  await query.delete(limits).where(or(eq(limits.key, key), sql`starts_with(${limits.key}, ${`${key}:`})`));
}

/** Deletes counters whose attempts have all left their window. */
export async function sweepRateLimits(db: Db): Promise<void> {
  await db.query.delete(limits).where(lte(limits.expiresAt, sql`now()`));
}

/**
 * The part of an IP address to count by: an IPv6 address by its /64, which is what one customer gets, so that nobody
 * has 2^64 counters.
 */
export function ipNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const groups = address.toByteArray().slice(0, 8);
  return `${ipaddr.fromByteArray([...groups, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}
