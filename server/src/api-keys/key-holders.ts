// Finds whose a key is. A key that ended, a ban, a deletion that is due or another limit acts within five seconds in
// every process, as with sessions.
import type { Db } from '@parley/db/client';
import { apiKeys, users } from '@parley/db/tables/users';
import { isActive, lacksFactor, type FactorPolicy } from '@parley/db/user-rows';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { KeyHolder } from '../platform/requests/key-holder.ts';
import { hashOfKey, isWellFormed } from './key-format.ts';

/** Whether a key is for an endpoint, by its name. */
export function mayUseEndpoint({ endpoints }: Pick<KeyHolder, 'endpoints'>, name: string): boolean {
  return endpoints === null || endpoints.includes(name);
}

export interface KeyHolders {
  /** Null for what is no key, for one that has ended, and for one of a person who may not ask. */
  find(key: string): Promise<KeyHolder | null>;
  /** Looks up the keys of a user again. */
  invalidateUser(userId: string): void;
}

const CACHE_MS = 5_000;
/** Cache size; beyond it the oldest keys are looked up again. */
const CACHE_MAX = 10_000;
const USED_EVERY_MS = 60_000;

interface Known {
  until: number;
  holder: Promise<KeyHolder | null>;
}

/** `clock` gives milliseconds that only grow. */
export function createKeyHolders(
  db: Db,
  onFault: (error: unknown) => void,
  clock = () => performance.now(),
  policy: FactorPolicy = null,
): KeyHolders {
  const known = new Map<string, Known>();
  const usedAt = new Map<string, number>();
  return {
    async find(key) {
      if (!isWellFormed(key)) return null;
      const holder = await lookUp(hashOfKey(key));
      if (!holder || (holder.expiresAt !== null && holder.expiresAt <= Date.now())) return null;
      if (!holder.lacksFactor) noteUse(holder);
      return holder;
    },
    invalidateUser(userId) {
      for (const [hash, { holder }] of known)
        holder.then(
          (one) => void (one?.userId === userId && known.delete(hash)),
          () => undefined,
        );
    },
  };

  function lookUp(hash: string): Promise<KeyHolder | null> {
    const now = clock();
    const cached = known.get(hash);
    if (cached && cached.until > now) return cached.holder;
    const holder = findHolder(db, policy, hash);
    known.delete(hash);
    known.set(hash, { until: now + CACHE_MS, holder });
    // What opens nothing may open something in a moment, when a ban is over.
    holder.then(
      (one) => (one && !one.lacksFactor) || known.delete(hash),
      () => known.delete(hash),
    );
    // A Map keeps insertion order, so the first entries are the oldest.
    for (const [oldest, { until }] of known) {
      if (until > now && known.size <= CACHE_MAX) break;
      known.delete(oldest);
    }
    return holder;
  }

  /** At most once a minute, and nobody waits for it. */
  function noteUse({ userId, keyId }: KeyHolder): void {
    const now = clock();
    if (now - (usedAt.get(keyId) ?? -Infinity) < USED_EVERY_MS) return;
    if (usedAt.size >= CACHE_MAX) usedAt.clear();
    usedAt.set(keyId, now);
    const isDue = sql`coalesce(${apiKeys.lastUsedAt} < now() - make_interval(secs => ${USED_EVERY_MS / 1000}), true)`;
    db.query
      .update(apiKeys)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(apiKeys.userId, userId), eq(apiKeys.id, keyId), isDue))
      .catch(onFault);
  }
}

async function findHolder({ query }: Db, policy: FactorPolicy, hash: string): Promise<KeyHolder | null> {
  const { userId, id: keyId, scopes, endpoints, monthlyCredits, expiresAt } = apiKeys;
  const [row] = await query
    .select({ userId, keyId, scopes, endpoints, monthlyCredits, expiresAt, lacksFactor: lacksFactor(policy) })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.hash, hash), isLiveKey, isActive));
  return row ? { ...row, expiresAt: row.expiresAt === null ? null : Date.parse(row.expiresAt) } : null;
}

/** Neither revoked nor expired. */
export const isLiveKey = and(
  isNull(apiKeys.revokedAt),
  or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
);
