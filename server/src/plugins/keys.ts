// The values that people save for plugins: encrypted for their user and field. Several plugins may name the same field.
import type { Db, Tx } from '@parley/db/client';
import { pluginKeys } from '@parley/db/tables/tools';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Encryption } from '../keys/encryption.ts';

/** The fields for which this person has saved a value. */
export async function listSavedFields({ query }: Db, userId: string): Promise<Set<string>> {
  const rows = await query.select({ field: pluginKeys.field }).from(pluginKeys).where(eq(pluginKeys.userId, userId));
  return new Set(rows.map(({ field }) => field));
}

/** The values of these fields, and of no others; one that cannot be decrypted counts as not saved. */
export async function readPluginValues(
  { query }: Db,
  encryption: Encryption,
  userId: string,
  fields: readonly string[],
): Promise<Map<string, string>> {
  if (fields.length === 0) return new Map();
  const rows = await query
    .select({ field: pluginKeys.field, encrypted: pluginKeys.encrypted })
    .from(pluginKeys)
    .where(and(eq(pluginKeys.userId, userId), isOneOfFields(fields)));
  const opened = rows.map(
    ({ field, encrypted }) => [field, encryption.decrypt(encrypted, { userId, name: nameOf(field) })] as const,
  );
  return new Map(opened.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Inserts or replaces values by field. */
export async function savePluginValues(
  tx: Tx,
  encryption: Encryption,
  userId: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = Object.entries(values).map(([field, value]) => ({
    userId,
    field,
    encrypted: encryption.encrypt(value, { userId, name: nameOf(field) }),
  }));
  if (rows.length === 0) return;
  await tx
    .insert(pluginKeys)
    .values(rows)
    .onConflictDoUpdate({
      target: [pluginKeys.userId, pluginKeys.field],
      set: { encrypted: sql`excluded.sealed`, updatedAt: sql`now()` },
    });
}

export async function removePluginValues(tx: Tx, userId: string, fields: readonly string[]): Promise<void> {
  if (fields.length === 0) return;
  await tx.delete(pluginKeys).where(and(eq(pluginKeys.userId, userId), isOneOfFields(fields)));
}

/** What a value is encrypted for. */
function nameOf(field: string): string {
  return `plugin:${field}`;
}

/** Matches against one array value: the text of a statement must not depend on their number. */
function isOneOfFields(fields: readonly string[]): SQL {
  return sql`${pluginKeys.field} = any(${sql.param(fields)}::text[])`;
}
