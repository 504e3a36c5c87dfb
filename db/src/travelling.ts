// Rows as JSON that travels from one installation to another, by the register of schema/src/transfer/register.
import { cleanText } from '@parley/schema/clean-text';
import { Id } from '@parley/schema/ids';
import { travelling, type Travelling, type TravellingTable } from '@parley/schema/transfer/register/register';
import { getTableColumns, type Column } from 'drizzle-orm';
import * as z from 'zod';
import { allTables, type TravellingRow } from './all-tables.ts';

/** Characters of a text whose column has no reader of its own. */
const TEXT_MAX = 32_000;
/** Elements of a list whose column has no reader of its own. */
const LIST_MAX = 1000;
const INT_MAX = 2_147_483_647;
const DAY_MS = 24 * 60 * 60_000;

/** Columns of JSON need a reader, since the database does not know their shape. */
type Shapeless<Name extends TravellingTable> = {
  [Column in keyof TravellingRow<Name>]: NonNullable<TravellingRow<Name>[Column]> extends
    | string
    | number
    | boolean
    | string[]
    ? never
    : Column;
}[keyof TravellingRow<Name>];

type Readers<Name extends TravellingTable, Others extends string> = {
  [Column in Exclude<Shapeless<Name>, Others>]: z.ZodType<TravellingRow<Name>[Column]>;
} & { [Column in Exclude<keyof TravellingRow<Name>, Others>]?: z.ZodType<TravellingRow<Name>[Column]> };

/** What of a row travels, with times as ISO 8601. */
export function exportedRow<Name extends TravellingTable>(name: Name, row: TravellingRow<Name>): TravellingRow<Name> {
  // The names are those of the type, and times remain texts.
  return exportedColumns(name, row) as TravellingRow<Name>;
}

/** The same of a table that is not known where it is read. */
export function exportedColumns(
  name: TravellingTable,
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const columns: Record<string, Column> = getTableColumns(allTables[name]);
  const kept = travelling(name).map((column) => {
    const value = row[column];
    const isTime = typeof value === 'string' && isOfTime(columns[column]);
    return [column, isTime ? isoTime(value) : value];
  });
  return Object.fromEntries(kept);
}

/**
 * A function that reads the columns of a row that travel, from JSON that anybody may have written. A column without a
 * reader is read by its type in the database. What is missing or invalid is absent. `others` are columns that the caller
 * reads.
 */
export function rowReader<Name extends TravellingTable, const Others extends Travelling<Name> = never>(
  name: Name,
  readers: Readers<Name, Others>,
  others: readonly Others[] = [],
): (value: unknown) => Partial<Omit<TravellingRow<Name>, Others>> {
  const columns: Record<string, Column> = getTableColumns(allTables[name]);
  const given: Record<string, z.ZodType | undefined> = readers;
  const omitted: readonly string[] = others;
  const all = travelling(name)
    .filter((column) => !omitted.includes(column))
    .map((column): [string, z.ZodType] => [column, given[column] ?? readerOf(columns[column])]);
  return (value) => {
    const fields = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
    const read = all.flatMap(([column, reader]) => {
      const { success, data } = reader.safeParse(fields.get(column));
      return success && data !== undefined ? [[column, data]] : [];
    });
    // Each value has passed the reader of its column.
    return Object.fromEntries(read) as Partial<Omit<TravellingRow<Name>, Others>>;
  };
}

/** The value of a column for rows that say nothing of it. */
export function unsaid<Name extends TravellingTable>(name: Name, column: Travelling<Name>): unknown {
  const columns: Record<string, Column> = getTableColumns(allTables[name]);
  return columns[column]?.default ?? null;
}

function readerOf(column: Column | undefined): z.ZodType {
  if (!column) return z.never();
  const reader = typed(column);
  return column.notNull ? reader : reader.nullable();
}

function typed(column: Column): z.ZodType {
  if (isOfTime(column)) return Time;
  const [first, ...more] = column.enumValues ?? [];
  if (first !== undefined) return z.enum([first, ...more]);
  switch (column.columnType) {
    case 'PgUUID':
      return Id;
    case 'PgText':
      return Text;
    case 'PgBoolean':
      return z.boolean();
    case 'PgInteger':
    case 'PgSmallInt':
      return z.int().min(-INT_MAX).max(INT_MAX);
    case 'PgBigInt53':
      return z.int();
    case 'PgArray':
      return z.array(Text).max(LIST_MAX);
    default:
      // The types ask for a reader of its own.
      return z.never();
  }
}

const Text = z.string().max(TEXT_MAX).overwrite(cleanText);

/** Later times are errors of the file, or of the clock of its server. */
const Time = z
  .string()
  .max(64)
  .refine((time) => Date.parse(time) >= 0 && Date.parse(time) <= Date.now() + DAY_MS)
  .transform(isoTime);

function isOfTime(column: Column | undefined): boolean {
  return column?.columnType === 'PgTimestampString';
}

function isoTime(time: string): string {
  return new Date(time).toISOString();
}
