import { setTimeout as sleep } from 'node:timers/promises';
import { VERSION } from '@parley/schema/catalog/startup';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import type { Sql } from 'postgres';
import { directly, findPostgresError, open, findPgCode } from './client.ts';
import type { Connection } from './client.ts';
import { isOlder, findOldestVersion } from './versions.ts';

/**
 * Applies the migrations in `folder`, all or none, and resolves to how many there were to apply. Safe to call from several
 * processes at once. A database that a newer version has migrated is left as it is where that one lets `version` go on.
 * @throws Error with one sentence where it does not, or a migration fails
 */
export function migrate(connection: Connection, folder: string, version = VERSION): Promise<number> {
  return applyAll(connection, readMigrationFiles({ migrationsFolder: folder }), version);
}

/**
 * Migrates an empty database as far as one was that had these migrations.
 * @throws Error with one sentence where they are not the first of those in `folder`, or the database has others
 */
export async function migrateTo(connection: Connection, folder: string, applied: number[]): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: folder });
  if (applied.some((when, index) => known[index]?.folderMillis !== when))
    throw new Error('The backup was made by a newer version of Parley: restore it with that version.');
  await applyAll(connection, known.slice(0, applied.length), null);
}

/** `version` is null where no version may go on that lacks a migration. */
async function applyAll(connection: Connection, known: MigrationMeta[], version: string | null): Promise<number> {
  // One connection, because the lock belongs to the session that took it.
  const sql = open(directly(connection), { max: 1 });
  try {
    if ((await findMissing(sql, known, version)).length === 0) return 0;
    await sql`select pg_advisory_lock(${MIGRATION_LOCK_KEY})`;
    const missing = await findMissing(sql, known, version);
    while (missing.length > 0 && !(await tryAll(sql, missing, findOldestVersion(known)))) await sleep(RETRY_MS);
    return missing.length;
  } catch (error) {
    throw sentenceFor(error);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Resolves to false where a lock did not come in time. A statement that waits for the lock of a table holds up every one that comes
 * later, and a backup that reads it may take hours.
 */
async function tryAll(sql: Sql, migrations: MigrationMeta[], oldest: string | null): Promise<boolean> {
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = ${LOCK_MS}`);
      await tx.unsafe(TABLE_OF_MIGRATIONS);
      for (const { sql: statements, hash, folderMillis } of migrations) {
        for (const statement of statements) await tx.unsafe(statement);
        await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
      }
      if (oldest === null) return;
      await tx`insert into facts (name, value) values (${OLDEST_FACT}, ${oldest})
        on conflict (name) do update set value = excluded.value`;
    });
    return true;
  } catch (error) {
    if (findPgCode(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const MIGRATION_LOCK_KEY = 7_065_540;
/** How long all others may wait for a table behind a migration that waits for it, in milliseconds. */
const LOCK_MS = 2000;
const RETRY_MS = 1000;
/** The name of the fact that says which version is the oldest that may run on this database. */
export const OLDEST_FACT = 'oldest';

/** As drizzle makes it. */
const TABLE_OF_MIGRATIONS = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;

/**
 * The known migrations that the database lacks. One is identified by its generation time.
 * @throws Error with one sentence where `version` may not run on it
 */
async function findMissing(sql: Sql, known: MigrationMeta[], version: string | null): Promise<MigrationMeta[]> {
  const rows = await orNone(sql`select created_at from drizzle.__drizzle_migrations`);
  const applied = new Set(rows.map((row) => Number(row.created_at)));
  const missing = known.filter(({ folderMillis }) => !applied.has(folderMillis));
  const unknown = applied.size - (known.length - missing.length);
  if (unknown === 0) return missing;
  const [fact] = await orNone(sql<{ value: string }[]>`select value from facts where name = ${OLDEST_FACT}`);
  if (version === null || !fact || missing.length > 0)
    throw new Error(
      `The database was made by a newer version of Parley (${unknown} of its migrations are unknown to this one): ` +
        'start that version, or restore a backup from before it.',
    );
  if (!isOlder(version, fact.value)) return [];
  throw new Error(
    `The database needs Parley ${fact.value} or newer, and this is ${version}: ` +
      'start such a version, or restore a backup from before it.',
  );
}

/** The rows, or none where there is no such table. */
async function orNone<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  try {
    return await rows;
  } catch (error) {
    if (findPgCode(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';
const LOCK_NOT_AVAILABLE = '55P03';

/** Drizzle's own message would contain the whole migration. */
function sentenceFor(error: unknown) {
  const refusal = findPostgresError(error);
  return refusal ? new Error(`The database cannot be migrated: ${refusal.message}.`, { cause: error }) : error;
}
