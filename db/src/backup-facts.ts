// What a database knows of its backups: the last one that was made, the one that it was restored from, and the files
// that are being written.
import { randomUUID } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import type postgres from 'postgres';
import { directly, open, type Connection, type Query } from './client.ts';
import { metadata } from './tables/metadata.ts';

const MADE = 'backup';
const RESTORED = 'restored';
/** Before an id of its own for each, whose lock says whether its process lives. */
const UNFINISHED = 'backup_unfinished ';
const UNFINISHED_LOCK = 7_065_541;

export interface BackupMade {
  endedAt: string;
  bytes: number;
  /** Of Parley. */
  version: string;
}

export interface BackupRestored {
  at: string;
  madeAt: string;
  /** Of the Parley that made it; null for an earlier one, which did not say it. */
  version: string | null;
}

/** After it is whole. */
export async function noteBackup(connection: Connection, made: BackupMade): Promise<void> {
  const sql = open(connection, { max: 1 });
  await note(sql, MADE, made).finally(() => sql.end({ timeout: 5 }));
}

/**
 * Remembers the file that a backup is being written to, for as long as it is. `remove` gets the files of earlier ones
 * whose process or machine died. Returns what forgets the file.
 */
export async function noteUnfinished(
  connection: Connection,
  path: string,
  remove: (path: string) => Promise<void>,
): Promise<() => Promise<void>> {
  // The lock belongs to the session and ends with the process, however that dies.
  const sql = open(directly(connection), { max: 1, max_lifetime: null });
  const name = UNFINISHED + randomUUID();
  const end = () => sql.end({ timeout: 0 });
  try {
    await sql`select pg_advisory_lock(${UNFINISHED_LOCK}, hashtext(${name}))`;
    await sql`insert into facts (name, value) values (${name}, ${path})`;
    const others = await sql<{ name: string; path: string }[]>`select name, value as path from facts
      where starts_with(name, ${UNFINISHED}) and name <> ${name}`;
    for (const other of others) {
      const [lock] = await sql`select pg_try_advisory_lock(${UNFINISHED_LOCK}, hashtext(${other.name})) as taken`;
      if (!lock?.taken) continue;
      await remove(other.path);
      await sql`delete from facts where name = ${other.name}`;
    }
  } catch (error) {
    await end();
    throw error;
  }
  return async () => {
    await sql`delete from facts where name = ${name}`.finally(end);
  };
}

/** In the transaction of a restore. The backups of the server that it comes from are not those of this one. */
export async function noteRestored(tx: postgres.TransactionSql, restored: BackupRestored): Promise<void> {
  await tx`delete from facts where name = ${MADE} or starts_with(name, ${UNFINISHED})`;
  await note(tx, RESTORED, restored);
}

async function note(sql: postgres.ISql, name: string, value: BackupMade | BackupRestored): Promise<void> {
  await sql`insert into facts (name, value) values (${name}, ${JSON.stringify(value)})
    on conflict (name) do update set value = excluded.value`;
}

export async function readBackupFacts(query: Query) {
  const rows = await query
    .select()
    .from(metadata)
    .where(inArray(metadata.name, [MADE, RESTORED]));
  const read = (name: string): unknown => JSON.parse(rows.find((row) => row.name === name)?.value ?? 'null');
  return { made: read(MADE) as BackupMade | null, restored: read(RESTORED) as BackupRestored | null };
}
