// Tests of this room: tests/unit/api-keys, tests/integration/v1.

// Keys of people for programs: made, listed, revoked. A key's value leaves the server once, when it is made.
import type { Db, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { apiKeys } from '@parley/db/tables/users';
import { withUserLock } from '@parley/db/user-rows';
import { API_KEY_DAYS, API_KEYS_MAX, type ApiKeyInfo } from '@parley/schema/accounts/api-key-rules';
import type { CreateApiKey } from '@parley/schema/accounts/api-keys';
import { and, desc, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm';
import { MONTH_START } from '../billing/key-spending.ts';
import { isoTime } from '../platform/iso-time.ts';
import { refuse } from '../platform/errors.ts';
import { makeKey } from './key-format.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Makes a key and returns it; nobody can read it again.
 * @throws Refusal `conflict` when there are as many as one person may have, `invalid_input` for an end in the past
 */
export async function createApiKey(
  { query }: Db,
  userId: string,
  { expiresAt = in90Days(), ...input }: CreateApiKey,
): Promise<{ id: string; key: string }> {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
    refuse({ type: 'invalid_input', text: 'The key must expire in the future' });
  const { key, hash, shown } = makeKey();
  return withUserLock(query, userId, async (tx) => {
    if ((await tx.$count(apiKeys, ownKeys(userId))) >= API_KEYS_MAX)
      refuse({ type: 'conflict', text: `There are ${API_KEYS_MAX} keys already: revoke one of them first` });
    const [row] = await tx
      .insert(apiKeys)
      .values({ ...input, expiresAt, userId, hash, shown })
      .returning({ id: apiKeys.id });
    return { id: row?.id ?? '', key };
  });
}

/** Those that are not revoked, the newest first. */
export async function listApiKeys({ query }: Db, userId: string): Promise<ApiKeyInfo[]> {
  const { userId: _user, hash: _hash, revokedAt: _revoked, ...columns } = getTableColumns(apiKeys);
  const spent = sql<number>`coalesce((select sum(g.credits) from ${generations} g
    where g.api_key_id = api_keys.id and g.created_at >= ${MONTH_START}), 0)::float8`;
  const rows = await query
    .select({ ...columns, spentCredits: spent })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.createdAt));
  return rows.map((row) => ({
    ...row,
    expiresAt: row.expiresAt && isoTime(row.expiresAt),
    lastUsedAt: row.lastUsedAt && isoTime(row.lastUsedAt),
    createdAt: isoTime(row.createdAt),
  }));
}

/** Ends a key in all processes, and its calls that run; answers in conversations go on. One that is gone or another's is no error. */
export async function revokeApiKey({ query }: Db, userId: string, id: string): Promise<boolean> {
  return query.transaction(async (tx) => (await revoke(tx, userId, id)) > 0);
}

/** Ends all keys of a user, in the transaction that ends their sessions. */
export async function revokeApiKeys(tx: Tx, userId: string): Promise<void> {
  await revoke(tx, userId);
}

async function revoke(tx: Tx, userId: string, id?: string): Promise<number> {
  const ended = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(
      and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt), id === undefined ? undefined : eq(apiKeys.id, id)),
    )
    .returning({ id: apiKeys.id });
  if (ended.length === 0) return 0;
  for (const { id: apiKeyId } of ended)
    await tx
      .update(generations)
      .set({ stopRequested: true })
      .where(and(eq(generations.apiKeyId, apiKeyId), eq(generations.kind, 'api'), isNull(generations.endedAt)));
  await tx.execute(sql`select pg_notify('parley', ${`key-ended:${userId}`}::text)`);
  return ended.length;
}

/** Of a person, neither revoked nor expired. */
function ownKeys(userId: string) {
  return and(
    eq(apiKeys.userId, userId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
  );
}

function in90Days(): string {
  return new Date(Date.now() + API_KEY_DAYS * DAY_MS).toISOString();
}
