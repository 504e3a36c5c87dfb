// Months of usage, in UTC.
import { sql, type SQL } from 'drizzle-orm';

/** As `2026-11`. */
export function isoMonth(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** Whether a day is in this month. */
export function isIn(month: string, day: SQL | { getSQL(): SQL }): SQL {
  const first = `${month}-01`;
  return sql`${day} >= ${first}::date and ${day} < ${first}::date + interval '1 month'`;
}

/** This month, and those of which something is counted, the newest first. */
export function withThisMonth(months: readonly string[], now: Date): string[] {
  return [...new Set([...months, isoMonth(now)])].toSorted().toReversed();
}
