// Networks that nobody may come in from for a while. Their neighbours who are signed in notice nothing: only signing in
// and registering are refused, never what a good session asks.
import type { Db } from '@parley/db/client';
import { networkBans } from '@parley/db/tables/violations';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import { refuse } from '../errors.ts';
import { networkOf } from '../limits.ts';

/**
 * Bans the network of an address, and gives its name; null when it is spared. Spared is a network that no internet knows:
 * behind a proxy that the server was not told of, it is everybody's. And one whose last ban has not been over for as
 * long as it lasted: whoever shares a network with an offender is never locked out for good.
 */
export async function banNetwork(db: Db, ip: string, durationMs: number): Promise<string | null> {
  if (!isPublic(ip)) return null;
  const length = sql`make_interval(secs => ${durationMs / 1000})`;
  const until = sql`now() + ${length}`;
  const [banned] = await db.query
    .insert(networkBans)
    .values({ network: networkOf(ip), until })
    .onConflictDoUpdate({
      target: networkBans.network,
      set: { until },
      setWhere: lt(networkBans.until, sql`now() - ${length}`),
    })
    .returning({ network: networkBans.network });
  return banned?.network ?? null;
}

/** @throws Refusal `banned` */
export async function assertNetworkWelcome({ query }: Db, ip: string): Promise<void> {
  const [ban] = await query
    .select({ until: networkBans.until })
    .from(networkBans)
    .where(and(eq(networkBans.network, networkOf(ip)), gt(networkBans.until, sql`now()`)));
  if (ban) refuse({ type: 'banned', until: new Date(ban.until).toISOString() });
}

/** Forgets the bans that no longer spare their network another one. */
export async function sweepNetworkBans({ query }: Db, durationMs: number): Promise<void> {
  const past = sql`now() - make_interval(secs => ${durationMs / 1000})`;
  await query.delete(networkBans).where(lt(networkBans.until, past));
}

function isPublic(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast';
}
