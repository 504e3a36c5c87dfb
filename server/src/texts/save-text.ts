// Changing texts: each save that changes what a version keeps is a version.
import type { Db, Tx } from '@parley/db/client';
import { deletions } from '@parley/db/tables/deletions';
import { withUserLock } from '@parley/db/user-rows';
import { and, eq, lte, or, sql } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { assertRoom, isVersionOfText, keptTexts, type TextKind } from './texts.ts';

/** Its columns, as a schema has read them. */
type Saved = { id: string } & Readonly<Record<string, unknown>>;

/**
 * Of two browsers that save one text the later wins, and both texts are versions.
 * @throws Refusal `conflict` for a name that is taken and when there are too many
 */
export function saveText({ query }: Db, kind: TextKind, userId: string, saved: Saved): Promise<void> {
  return withUserLock(query, userId, async (tx) => {
    await putText(tx, kind, userId, saved);
  });
}

/** The caller holds the lock of the user. @throws Refusal `conflict` */
export async function putText(tx: Tx, kind: TextKind, userId: string, { id, ...fields }: Saved): Promise<void> {
  const { table, name, versions } = kind;
  const called = String(fields[name.key]);
  const isCalledSo = and(keptTexts(kind, userId), eq(name.column, called));
  const same = await tx
    .select({ id: table.id, deletionId: table.deletionId })
    .from(table)
    .where(or(isCalledSo, and(eq(table.userId, userId), eq(table.id, id))));
  if (same.some((row) => row.id !== id)) refuse({ type: 'conflict', text: kind.taken(called) });
  const differs = Object.entries(versions.of).map(([key, column]) => sql`${column} is distinct from ${fields[key]}`);
  const version = sql`${table.version} + case when ${or(...differs)} then 1 else 0 end`;
  const set = { ...fields, deletedAt: null, deletionId: null, updatedAt: sql`now()`, version };
  const [row] = await tx
    .insert(table)
    .values({ ...fields, userId, id })
    .onConflictDoUpdate({ target: [table.userId, table.id], set })
    .returning({ n: table.version });
  await assertRoom(tx, kind, userId);
  // Saved after it was deleted elsewhere, it is not in the trash any more.
  for (const { deletionId } of same)
    if (deletionId) await tx.delete(deletions).where(and(eq(deletions.userId, userId), eq(deletions.id, deletionId)));
  if (!row) return;
  await addVersions(tx, kind, userId, id, [{ ...textIn(kind, fields), n: row.n }]);
  const isOld = lte(versions.table.n, row.n - versions.max);
  await tx.delete(versions.table).where(and(isVersionOfText(kind, userId, id), isOld));
}

/** Those that are there stay as they are. */
export async function addVersions(
  tx: Tx,
  { versions: { table, ref } }: TextKind,
  userId: string,
  id: string,
  added: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const rows = added.map((version) => ({ ...version, userId, [ref.key]: id }));
  await tx.insert(table).values(rows).onConflictDoNothing();
}

/** What a version keeps. */
export function textIn({ versions }: TextKind, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(versions.of).map((key) => [key, fields[key]]));
}
