// Temporary bans of networks. They refuse only sign-in and registration, so other users in the network who have a
// session are not affected.
import type { Db } from '@parley/db/client';
import { networkBans } from '@parley/db/tables/limits';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { ipNetwork } from '../platform/rate-limiter.ts';

/**
 * Bans the network of an IP address and returns its name; null when it is spared. Spared are private networks, which
 * behind an unconfigured proxy are everybody's, and a network whose last ban ended less than one ban duration ago: so
 * users who share it are never locked out permanently.
 */
export async function banNetwork(db: Db, ip: string, durationMs: number): Promise<string | null> {
  if (!isPublic(ip)) return null;
  const length = sql`make_interval(secs => ${durationMs / 1000})`;
  const until = sql`now() + ${length}`;
  const [banned] = await db.query
    .insert(networkBans)
    .values({ network: ipNetwork(ip), until })
    .onConflictDoUpdate({
      target: networkBans.network,
      set: { until },
      setWhere: lt(networkBans.until, sql`now() - ${length}`),
    })
    .returning({ network: networkBans.network });
  return banned?.network ?? null;
}

/** @throws Refusal `banned` */
export async function assertNetworkNotBanned({ query }: Db, ip: string): Promise<void> {
  const [ban] = await query
    .select({ until: networkBans.until })
    .from(networkBans)
    .where(and(eq(networkBans.network, ipNetwork(ip)), gt(networkBans.until, sql`now()`)));
  if (ban) refuse({ type: 'banned', until: isoTime(ban.until) });
}

/** Deletes bans that no longer spare their network another one. */
export async function sweepNetworkBans({ query }: Db, durationMs: number): Promise<void> {
  const past = sql`now() - make_interval(secs => ${durationMs / 1000})`;
  await query.delete(networkBans).where(lt(networkBans.until, past));
}

function isPublic(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast';
}
