// Rows for every table of a schema, whatever its version: read from the database itself, since the code of an old version
// is gone.
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';

interface Column {
  name: string;
  type: string;
  isRequired: boolean;
  hasDefault: boolean;
  /** By the database alone. */
  isComputed: boolean;
}

interface ForeignKey {
  columns: string[];
  table: string;
  /** The columns there, in the same order. */
  keys: string[];
}

interface Table {
  name: string;
  columns: Column[];
  foreignKeys: ForeignKey[];
  /** The conditions of rows, as PostgreSQL writes them. */
  checks: string[];
}

type Row = Record<string, unknown>;

/** Values by `table.column`, where the schema does not tell which ones make sense. */
export type Known = Readonly<Record<string, unknown>>;

/** Writes a row into each table that has none. Throws where a row is refused. */
export async function fillTables(sql: Sql, known: Known): Promise<void> {
  const left = await readTables(sql);
  const rows = new Map<string, Row>();
  while (left.length > 0) {
    const at = left.findIndex(({ name, foreignKeys }) =>
      foreignKeys.every(({ table }) => table === name || rows.has(table)),
    );
    // Of tables that refer to each other one begins without.
    const [table] = left.splice(Math.max(at, 0), 1);
    if (table) rows.set(table.name, await fillTable(sql, table, rows, known));
  }
}

async function fillTable(sql: Sql, table: Table, rows: ReadonlyMap<string, Row>, known: Known): Promise<Row> {
  const read = async () => (await sql<Row[]>`select * from ${sql(table.name)} limit 1`)[0];
  // A trigger may have written it.
  const present = await read();
  if (present) return present;
  const row = rowFor(table, rows, known);
  try {
    // As JSON, so that one statement takes values of every type.
    await sql`insert into ${sql(table.name)} (${sql(Object.keys(row))})
      select ${sql(Object.keys(row))} from jsonb_populate_record(null::${sql(table.name)}, ${sql.json(row as never)})`;
  } catch (error) {
    throw new Error(`${table.name} takes no ${JSON.stringify(row)}: ${String(error)}`, { cause: error });
  }
  return (await read()) ?? {};
}

function rowFor(table: Table, rows: ReadonlyMap<string, Row>, known: Known): Row {
  const row: Row = {};
  for (const { name, type, isRequired, hasDefault, isComputed } of table.columns) {
    const value = known[`${table.name}.${name}`];
    if (value !== undefined) row[name] = value;
    else if (isComputed || hasDefault) continue;
    else row[name] = referred(table, name, rows) ?? allowed(table, name) ?? (isRequired ? valueOf(type) : null);
  }
  return row;
}

function referred({ foreignKeys }: Table, column: string, rows: ReadonlyMap<string, Row>): unknown {
  for (const { columns, table, keys } of foreignKeys) {
    const key = keys[columns.indexOf(column)];
    const value = key && rows.get(table)?.[key];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The first of the words that a check lists for the column. */
function allowed({ checks }: Table, column: string): string | undefined {
  const pattern = new RegExp(`\\(${column} = ANY \\(ARRAY\\['([^']*)'`);
  return checks.map((check) => pattern.exec(check)?.[1]).find((word) => word !== undefined);
}

function valueOf(type: string): unknown {
  if (type.endsWith('[]')) return [];
  if (type === 'uuid') return randomUUID();
  if (/^(?:integer|bigint|smallint|numeric|real|double precision)/.test(type)) return 1;
  if (type === 'boolean') return false;
  if (type.startsWith('timestamp') || type === 'date') return '2026-01-02T03:04:05Z';
  if (type.startsWith('json')) return {};
  if (type === 'bytea') return '\\x00';
  const bits = /^bit(?: varying)?(?:\((\d+)\))?$/.exec(type);
  return bits ? '0'.repeat(Number(bits[1] ?? 1)) : 'walrus';
}

function readTables(sql: Sql): Promise<Table[]> {
  return sql<Table[]>`
    select c.relname as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod),
          'isRequired', attnotnull, 'hasDefault', atthasdef, 'isComputed', attgenerated <> '' or attidentity <> ''))
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      (select coalesce(json_agg(json_build_object('table', confrelid::regclass::text,
          'columns', (select json_agg(attname order by place) from unnest(conkey) with ordinality as k (n, place)
            join pg_attribute on attrelid = conrelid and attnum = n),
          'keys', (select json_agg(attname order by place) from unnest(confkey) with ordinality as k (n, place)
            join pg_attribute on attrelid = confrelid and attnum = n))), '[]')
        from pg_constraint where conrelid = c.oid and contype = 'f') as "foreignKeys",
      (select coalesce(json_agg(pg_get_constraintdef(oid)), '[]')
        from pg_constraint where conrelid = c.oid and contype = 'c') as checks
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
}

/** How many rows each table has. */
export async function countRows(sql: Sql): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
  const counts = tables.map(async ({ name }) => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int from ${sql(name)}`;
    return [name, row?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
