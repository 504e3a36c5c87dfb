// Queries on the provider keys of users.
import type { Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { connections, pluginKeys } from '@parley/db/tables/tools';
import { userKeys } from '@parley/db/tables/user-keys';
import { keyNameOf } from '@parley/schema/accounts/key-name';
import type { SavedKey } from '@parley/schema/accounts/keys';
import { and, eq, gte, lte, notInArray, or, sql } from 'drizzle-orm';
import { nextHint } from '../convos/changes.ts';
import { SIDE_KINDS } from '../usage/side-calls.ts';
import { isoTime } from '../platform/iso-time.ts';

/** All stored keys, including expired ones until they are swept. */
export async function listKeys({ query }: Db, userId: string): Promise<SavedKey[]> {
  const rows = await query
    .select({ name: userKeys.name, expiresAt: userKeys.expiresAt })
    .from(userKeys)
    .where(eq(userKeys.userId, userId))
    .orderBy(userKeys.name);
  return rows.map(({ name, expiresAt }) => ({ name, expiresAt: expiresAt && isoTime(expiresAt) }));
}

/** When each stored key was used last for an answer, by its name; none that was not used since it was saved. */
export async function listKeyUses(
  { query }: Db,
  userId: string,
  pluginsUseAzure: boolean,
): Promise<Record<string, string>> {
  const isItsRun = or(
    eq(generations.endpoint, userKeys.name),
    and(eq(generations.endpoint, 'gptPlugins'), eq(userKeys.name, keyNameOf('gptPlugins', pluginsUseAzure))),
  );
  const rows = await query
    .select({ name: userKeys.name, usedAt: sql<string>`max(${generations.createdAt})` })
    .from(userKeys)
    .innerJoin(
      generations,
      and(
        eq(generations.userId, userKeys.userId),
        isItsRun,
        notInArray(generations.kind, ['speech', ...SIDE_KINDS]),
        gte(generations.createdAt, userKeys.updatedAt),
      ),
    )
    .where(eq(userKeys.userId, userId))
    .groupBy(userKeys.name);
  return Object.fromEntries(rows.map(({ name, usedAt }) => [name, isoTime(usedAt)]));
}

export async function findEncrypted({ query }: Db, userId: string, name: string) {
  const [row] = await query
    .select({
      encrypted: userKeys.encrypted,
      expiresAt: userKeys.expiresAt,
      hasExpired: sql<boolean | null>`${userKeys.expiresAt} <= now()`,
    })
    .from(userKeys)
    .where(and(eq(userKeys.userId, userId), eq(userKeys.name, name)));
  return row;
}

/** Inserts or replaces a key. */
export async function putKey({ query }: Db, userId: string, key: SavedKey & { encrypted: string }): Promise<void> {
  const { name, encrypted, expiresAt } = key;
  const values = { encrypted, expiresAt, updatedAt: sql`now()` };
  await query.transaction((tx) =>
    Promise.all([
      nextHint(tx, userId, 'keys'),
      tx
        .insert(userKeys)
        .values({ userId, name, ...values })
        .onConflictDoUpdate({ target: [userKeys.userId, userKeys.name], set: values }),
    ]),
  );
}

export async function removeKey({ query }: Db, userId: string, name: string): Promise<void> {
  const ofEndpoint = and(eq(userKeys.userId, userId), eq(userKeys.name, name));
  await query.transaction((tx) => Promise.all([nextHint(tx, userId, 'keys'), tx.delete(userKeys).where(ofEndpoint)]));
}

/** Whether there is anything that `removeAllKeys` removes. */
export async function hasKeys({ query }: Db, userId: string): Promise<boolean> {
  const counts = await Promise.all([
    query.$count(userKeys, eq(userKeys.userId, userId)),
    query.$count(pluginKeys, eq(pluginKeys.userId, userId)),
    query.$count(connections, eq(connections.userId, userId)),
  ]);
  return counts.some((count) => count > 0);
}

/** Keys of endpoints, what was saved for plugins, and the tokens of services that this person signed in to. */
export async function removeAllKeys({ query }: Db, userId: string): Promise<void> {
  await query.transaction(async (tx) => {
    await nextHint(tx, userId, 'keys');
    await tx.delete(userKeys).where(eq(userKeys.userId, userId));
    await tx.delete(pluginKeys).where(eq(pluginKeys.userId, userId));
    await tx.delete(connections).where(eq(connections.userId, userId));
  });
}

/** Erases the value of an expired key; the row with its expiry stays until it is swept. */
export async function eraseExpired({ query }: Db, userId: string, name: string): Promise<void> {
  await query
    .update(userKeys)
    .set({ encrypted: '' })
    .where(and(eq(userKeys.userId, userId), eq(userKeys.name, name), lte(userKeys.expiresAt, sql`now()`)));
}

/** Deletes the expired keys of all users. */
export async function sweepKeys({ query }: Db): Promise<void> {
  await query.delete(userKeys).where(lte(userKeys.expiresAt, sql`now()`));
}
