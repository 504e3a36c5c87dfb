// What a database knows of its backups: the last one that was made, and the one that it was restored from.
import { inArray } from 'drizzle-orm';
import type postgres from 'postgres';
import { open, type Connection, type Query } from './client.ts';
import { metadata } from './tables/metadata.ts';

const MADE = 'backup';
const RESTORED = 'restored';

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

/** In the transaction of a restore. The backups of the server that it comes from are not those of this one. */
export async function noteRestored(tx: postgres.TransactionSql, restored: BackupRestored): Promise<void> {
  await tx`delete from facts where name = ${MADE}`;
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
