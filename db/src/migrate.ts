import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import type { Sql } from 'postgres';
import * as z from 'zod';
import { findPostgresError, open, pgCodeOf } from './client.ts';
import type { Connection } from './client.ts';

/**
 * Applies the migrations in `folder`, all or none. Safe to call from several processes at once. Throws one sentence
 * when the database belongs to a newer version or a migration fails.
 */
export async function migrate(connection: Connection, folder: string) {
  const known = readJournal(folder);
  // One connection, because the lock belongs to the session that took it.
  const sql = open(connection, { max: 1 });
  try {
    if (isUpToDate(known, await listApplied(sql))) return;
    await sql`select pg_advisory_lock(${MIGRATING})`;
    if (isUpToDate(known, await listApplied(sql))) return;
    await runMigrations(drizzle(sql), { migrationsFolder: folder });
  } catch (error) {
    throw sentenceFor(error);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const MIGRATING = 7_065_540;

const Journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/** A migration is identified by its generation time, which drizzle also compares. */
function readJournal(folder: string) {
  const journal = Journal.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')));
  return journal.entries.map((entry) => entry.when);
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
