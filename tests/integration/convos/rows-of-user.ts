// The rows of a person in all tables, found and made by what the database knows of its tables.
import type { Query } from '@parley/db/client';
import { sql, type SQL } from 'drizzle-orm';

/**
 * What outlives its user: deletions that a service outside has still to be told of, which only a trigger makes, and what
 * administrators changed.
 */
const OUTLIVING = ['rag_removals', 'audit_events'];

interface Column {
  table: string;
  name: string;
  type: string;
  /** The table whose row it names, and that row's column. */
  parent: string | null;
  parentColumn: string | null;
}

/** The number of rows that name a user in whatever column, of every table that has some. */
export async function rowsOf(query: Query, userId: string): Promise<Record<string, number>> {
  const tables = await query.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await query.execute<{ count: number }>(
      sql`select count(*)::int as count from ${sql.identifier(name)} as one where one::text like ${`%${userId}%`}`,
    );
    if (row && row.count > 0) counts[name] = row.count;
  }
  return counts;
}

/** The tables whose rows belong to a user. */
export async function listTables(query: Query): Promise<string[]> {
  const tables = await query.execute<{ name: string }>(
    sql`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'user_id' and table_name not in ${OUTLIVING} order by 1`,
  );
  return tables.map(({ name }) => name);
}

/** Inserts a row of the user into each of these tables; those whose rows name others of them come later. */
export async function insertRows(query: Query, userId: string, tables: readonly string[]): Promise<void> {
  const columns = await listColumns(query);
  // What belongs to nobody, and rows of a person name.
  await query.execute(sql`insert into groups (name) values ('Everybody') on conflict do nothing`);
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const next = [...waiting].find(
      (table) => !columns.some((one) => one.table === table && waiting.has(one.parent ?? '')),
    );
    if (next === undefined) throw new Error(`These tables name each other: ${[...waiting].join(', ')}`);
    waiting.delete(next);
    const all = columns.filter(({ table }) => table === next);
    // One that is of several foreign keys is listed for each.
    const own = [...new Map(all.map((column) => [column.name, column])).values()];
    const names = sql.join(
      own.map(({ name }) => sql.identifier(name)),
      sql`, `,
    );
    const values = sql.join(
      own.map((column) => valueOf(column, userId)),
      sql`, `,
    );
    await query.execute(sql`insert into ${sql.identifier(next)} (${names}) values (${values})`);
  }
}

/** Those that a row cannot do without, and its user. */
async function listColumns(query: Query): Promise<Column[]> {
  const rows = await query.execute<Column & Record<string, unknown>>(sql`
    select c.table_name as "table", c.column_name as name, c.udt_name as type,
      f.confrelid::regclass::text as parent, p.attname as "parentColumn"
    from information_schema.columns c
    join pg_attribute a on a.attrelid = c.table_name::regclass and a.attname = c.column_name
    left join pg_constraint f on f.contype = 'f' and f.conrelid = a.attrelid and a.attnum = any(f.conkey)
    left join pg_attribute p on p.attrelid = f.confrelid and p.attnum = f.confkey[array_position(f.conkey, a.attnum)]
    where c.table_schema = 'public' and (c.is_nullable = 'NO' or c.column_name = 'user_id') and c.column_default is null
      and c.is_generated = 'NEVER' and c.is_identity = 'NO'
    order by c.table_name, c.ordinal_position`);
  return [...rows];
}

function valueOf({ name, type, parent, parentColumn }: Column, userId: string): SQL {
  if (name === 'user_id') return sql`${userId}::uuid`;
  if (parent === 'groups') return sql`(select id from groups limit 1)`;
  if (parent && parentColumn)
    return sql`(select ${sql.identifier(parentColumn)} from ${sql.identifier(parent)} where user_id = ${userId} limit 1)`;
  switch (type) {
    case 'uuid':
      return sql`gen_random_uuid()`;
    case 'text':
      return sql`gen_random_uuid()::text`;
    case 'jsonb':
      return sql`'{}'`;
    case 'date':
    case 'timestamptz':
      return sql`now()`;
    case '_int4':
    case '_text':
      return sql`'{}'`;
    case 'bytea':
      return sql`''`;
    case 'varbit':
      return sql`B'0'`;
    default:
      return sql`'0'`;
  }
}
