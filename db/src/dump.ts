// All rows of a database as streams, and back: what a backup holds. PostgreSQL's own tools do not come with the embedded
// server, and would have to be as new as a server of the operator's.
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Sql, TransactionSql } from 'postgres';
import { directly, open, type Connection } from './client.ts';
import { OLDEST_FACT } from './migrate.ts';

export interface Table {
  name: string;
  /** Those that are written; the database computes the others. */
  columns: string[];
}

/** The rows of a table as PostgreSQL's COPY writes them: text, a row per line. */
export interface DumpedTable extends Table {
  rows: number;
  /** SHA-256 of the text, in hexadecimal. */
  sha256: string;
}

export interface Sequence {
  name: string;
  /** The last number that was given out. */
  value: number;
}

export interface Dump {
  /** By the times when they were generated. */
  migrations: number[];
  tables: DumpedTable[];
  sequences: Sequence[];
}

type Chunks = AsyncIterable<Uint8Array>;

/**
 * Opens all tables as they are at one moment, while others write. `read` gives the text of one; the next is read after
 * its end. `sequences` is asked last, so that none is behind its table. An abort ends the connection, and all that waits
 * for it fails.
 */
export async function openSnapshot(connection: Connection, signal?: AbortSignal) {
  const sql = open(directly(connection), FOR_LONG);
  const close = endOnAbort(sql, signal);
  await noticeEnd(sql);
  await sql`begin isolation level repeatable read read only`;
  return {
    migrations: await listMigrations(sql),
    tables: await listTables(sql),
    async *read({ name, columns }: Table): AsyncGenerator<Uint8Array> {
      yield* await sql`copy ${sql(name)} (${sql(columns)}) to stdout`.readable();
    },
    sequences: () => sql<Sequence[]>`select sequencename as name, last_value::float8 as value from pg_sequences
      where schemaname = 'public' and last_value is not null order by 1`,
    /** A table that is not read to its end is not waited for. */
    close,
  };
}

/**
 * Otherwise a session whose process was killed keeps its snapshot and locks for as long as it waits for a lock itself. A
 * database whose system cannot do this refuses it.
 */
async function noticeEnd(sql: Sql): Promise<void> {
  await sql`set client_connection_check_interval = '1s'`.catch(() => {});
}

/** Returns what ends it without an abort. */
function endOnAbort(sql: Sql, signal?: AbortSignal): () => Promise<void> {
  const end = () => sql.end({ timeout: 0 });
  const onAbort = () => void end();
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  return async () => {
    signal?.removeEventListener('abort', onAbort);
    await end();
  };
}

/** Whether there is no row in any table but what migrations write. A database without tables is empty, too. */
export async function isEmpty(connection: Connection): Promise<boolean> {
  return withConnection(connection, async (sql) => {
    for (const { name } of await listTables(sql)) {
      const own = name === 'facts' ? sql`where name <> ${OLDEST_FACT}` : sql``;
      const [row] = await sql`select 1 from ${sql(name)} ${own} limit 1`;
      if (row) return false;
    }
    return true;
  });
}

/**
 * Fills a database that was migrated as far as the dump's and is empty, all or nothing: a process killed meanwhile
 * leaves an empty database. `read` opens the text of a table.
 * @throws Error with one sentence where the text is not what was dumped
 */
export async function load(
  connection: Connection,
  { tables, sequences }: Dump,
  { read, finish, onStep, signal }: LoadOptions,
) {
  const load = (sql: Sql) =>
    sql.begin(async (tx) => {
      // Neither needs a superuser, as switching off the checks of foreign keys would.
      const foreignKeys = await dropForeignKeys(tx);
      const triggered = await listTriggered(tx);
      for (const name of triggered) await tx`alter table ${tx(name)} disable trigger user`;
      await tx`delete from facts where name = ${OLDEST_FACT}`;
      for (const table of tables) await loadTable(tx, table, read(table.name));
      for (const { name, value } of sequences) await tx`select setval(${`public.${name}`}::regclass, ${value})`;
      for (const name of triggered) await tx`alter table ${tx(name)} enable trigger user`;
      await finish(tx);
      onStep?.('Checking how rows belong together');
      for (const statement of foreignKeys) await tx.unsafe(statement);
    });
  await withConnection(connection, load, signal);
  onStep?.('Counting what searches are planned by');
  // Otherwise the first searches are planned for empty tables. The rows are there: this is not stopped any more.
  await withConnection(connection, (sql) => sql`analyze`);
}

export interface LoadOptions {
  read(table: string): Chunks;
  finish(tx: TransactionSql): Promise<unknown>;
  /** Gets what is being done after the last table. */
  onStep?(doing: string): void;
  /** Ends the connection, so that nothing is loaded. */
  signal?: AbortSignal;
}

async function loadTable(tx: TransactionSql, { name, columns, ...expected }: DumpedTable, chunks: Chunks) {
  const counter = createCounter();
  await pipeline(counter.count(chunks), await tx`copy ${tx(name)} (${tx(columns)}) from stdin`.writable());
  const found = counter.result();
  const [row] = await tx<{ count: number }[]>`select count(*)::float8 as count from ${tx(name)}`;
  if (found.sha256 !== expected.sha256 || found.rows !== expected.rows || row?.count !== expected.rows)
    throw new Error(`The backup is damaged: the rows of ${name} are not those that were saved.`);
}

/** Returns the statements that make them again. */
async function dropForeignKeys(tx: TransactionSql): Promise<string[]> {
  const found = await tx<{ drop: string; make: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`;
  for (const { drop } of found) await tx.unsafe(drop);
  return found.map(({ make }) => make);
}

/** Tables with triggers of ours, which would write what the dump has, too. */
async function listTriggered(tx: TransactionSql): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`select distinct relname as name from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`;
  return rows.map(({ name }) => name);
}

function listTables(sql: Sql) {
  return sql<Table[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`;
}

async function listMigrations(sql: Sql): Promise<number[]> {
  const rows = await sql<
    { at: number }[]
  >`select created_at::float8 as at from drizzle.__drizzle_migrations order by 1`;
  return rows.map(({ at }) => at);
}

async function withConnection<T>(
  connection: Connection,
  work: (sql: Sql) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const sql = open(directly(connection), FOR_LONG);
  const close = endOnAbort(sql, signal);
  try {
    await noticeEnd(sql);
    return await work(sql);
  } finally {
    await close();
  }
}

/** One connection, which the driver would otherwise replace after half an hour. */
const FOR_LONG = { max: 1, max_lifetime: null };

/** Line breaks within values are written as `\n`, so each byte of that kind ends a row. */
export function createCounter() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    async *count(chunks: Chunks): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
        yield chunk;
      }
    },
    /** So far. */
    rows: () => rows,
    result: () => ({ rows, sha256: hash.digest('hex') }),
  };
}
