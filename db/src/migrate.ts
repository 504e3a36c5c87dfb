import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import type { Sql } from 'postgres';
import * as z from 'zod';
import { directly, findPostgresError, open, pgCodeOf } from './client.ts';
import type { Connection } from './client.ts';

/**
 * Applies the migrations in `folder`, all or none. Safe to call from several processes at once. Throws one sentence
 * when the database belongs to a newer version or a migration fails.
 */
export async function migrate(connection: Connection, folder: string) {
  const known = readJournal(folder);
  // One connection, because the lock belongs to the session that took it.
  const sql = open(directly(connection), { max: 1 });
  try {
    if (isUpToDate(known, await listApplied(sql))) return;
    await sql`select pg_advisory_lock(${MIGRATION_LOCK_KEY})`;
    if (isUpToDate(known, await listApplied(sql))) return;
    await runMigrations(drizzle(sql), { migrationsFolder: folder });
  } catch (error) {
    throw sentenceFor(error);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Migrates an empty database as far as one was that had these migrations.
 * @throws Error with one sentence where they are not the first of those in `folder`
 */
export async function migrateTo(connection: Connection, folder: string, applied: number[]) {
  const known = readJournal(folder);
  if (applied.some((when, index) => known[index] !== when))
    throw new Error('The backup was made by a newer version of Parley: restore it with that version.');
  if (applied.length === known.length) return migrate(connection, folder);
  const older = mkdtempSync(join(tmpdir(), 'parley-migrations-'));
  try {
    cpSync(folder, older, { recursive: true });
    const journal = readJson(folder);
    const entries = journal.entries.slice(0, applied.length);
    writeFileSync(join(older, JOURNAL), JSON.stringify({ ...journal, entries }));
    await migrate(connection, older);
  } finally {
    rmSync(older, { recursive: true, force: true });
  }
}

const MIGRATION_LOCK_KEY = 7_065_540;

const JOURNAL = 'meta/_journal.json';
const Journal = z.looseObject({ entries: z.array(z.looseObject({ when: z.number() })) });

/** A migration is identified by its generation time, which drizzle also compares. */
function readJournal(folder: string) {
  return readJson(folder).entries.map((entry) => entry.when);
}

function readJson(folder: string) {
  return Journal.parse(JSON.parse(readFileSync(join(folder, JOURNAL), 'utf8')));
}

async function listApplied(sql: Sql) {
  try {
    const rows = await sql`select created_at from drizzle.__drizzle_migrations`;
    return rows.map((row) => Number(row.created_at));
  } catch (error) {
    if (pgCodeOf(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';

function isUpToDate(known: number[], applied: number[]) {
  const unknown = applied.filter((when) => !known.includes(when)).length;
  if (unknown === 0) return applied.length === known.length;
  throw new Error(
    `The database was made by a newer version of Parley (${unknown} of its migrations are unknown to this one): ` +
      'start that version, or restore a backup from before it.',
  );
}

/** Drizzle's own message would contain the whole migration. */
function sentenceFor(error: unknown) {
  const refusal = findPostgresError(error);
  return refusal ? new Error(`The database cannot be migrated: ${refusal.message}.`, { cause: error }) : error;
}
