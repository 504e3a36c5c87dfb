// What the people of a server use: figures alone, nothing of what they write.
import type { Db } from '@parley/db/client';
import type { Reader } from '@parley/db/standby';
import { usageDays, usageTotals } from '@parley/db/tables/balances';
import { users } from '@parley/db/tables/users';
import {
  NO_USAGE,
  USAGE_FIGURES,
  type UsageFigures,
  type UsageLine,
  type UsagePage,
  type UsageRow,
} from '@parley/schema/accounts/usage';
import type { ListUsage, UsageLines } from '@parley/schema/accounts/usage-inputs';
import { recordBy } from '@parley/schema/entries';
import { asc, desc, eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { usageSums } from '../../usage/figures.ts';
import { gatherUsage } from '../../usage/gather.ts';
import { isIn, isoMonth, withThisMonth } from '../../usage/months.ts';

const PAGE_SIZE = 50;
/** Lines of the file that are sent at once. */
const LINES = 2_000;

export async function serverUsage(db: Db, input: z.output<typeof ListUsage>, now = new Date()): Promise<UsagePage> {
  await gatherUsage(db);
  return db.read((reader) => readUsage(reader, input, now));
}

async function readUsage(reader: Reader, input: z.output<typeof ListUsage>, now: Date): Promise<UsagePage> {
  const month = input.month ?? isoMonth(now);
  const offset = input.cursor ?? 0;
  const [months, [total = NO_USAGE], found] = await Promise.all([
    reader.query.selectDistinct({ month: sql<string>`to_char(${usageTotals.day}, 'YYYY-MM')` }).from(usageTotals),
    reader.query.select(usageSums(usageTotals)).from(usageTotals).where(isIn(month, usageTotals.day)),
    rowsOf(reader, input.by, month, offset),
  ]);
  const rows = found.slice(0, PAGE_SIZE);
  const isLast = found.length <= PAGE_SIZE;
  const gone = isLast && input.by === 'person' ? await ofGoneAccounts(reader, month, total) : [];
  return {
    month,
    months: withThisMonth(
      months.map((one) => one.month),
      now,
    ),
    total,
    rows: [...rows, ...gone],
    next: isLast ? null : offset + PAGE_SIZE,
  };
}

function rowsOf(
  reader: Reader,
  by: z.output<typeof ListUsage>['by'],
  month: string,
  offset: number,
): Promise<UsageRow[]> {
  switch (by) {
    case 'person':
      return byPerson(reader, month, offset);
    case 'model':
      return byModel(reader, month, offset);
    case 'provider':
      return byProvider(reader, month, offset);
    case 'day':
      return byDay(reader, month, offset);
    default:
      return by satisfies never;
  }
}

/** The dearest first. */
const DEAREST = [desc(sql`sum(credits)`), desc(sql`sum(input) + sum(output)`), desc(sql`sum(asks)`)] as const;

async function byPerson({ query }: Reader, month: string, offset: number): Promise<UsageRow[]> {
  const rows = await query
    .select({ userId: usageDays.userId, ...usageSums(usageDays) })
    .from(usageDays)
    .where(isIn(month, usageDays.day))
    .groupBy(usageDays.userId)
    .orderBy(...DEAREST, asc(usageDays.userId))
    .limit(PAGE_SIZE + 1)
    .offset(offset);
  const ids = rows.map(({ userId }) => userId);
  const people = await query
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(sql`${users.id} = any(${sql.param(ids)}::uuid[])`);
  const byId = new Map(people.map(({ id, name, email }) => [id, { name, email }]));
  return rows.map((row) => ({ key: row.userId, ...row, person: byId.get(row.userId) ?? null }));
}

async function byModel({ query }: Reader, month: string, offset: number): Promise<UsageRow[]> {
  const { endpoint, model, kind, day } = usageTotals;
  const rows = await query
    .select({ endpoint, model, kind, ...usageSums(usageTotals), asks: sql<number>`sum(${usageTotals.asks})::float8` })
    .from(usageTotals)
    .where(isIn(month, day))
    .groupBy(endpoint, model, kind)
    .orderBy(...DEAREST, asc(endpoint), asc(model), asc(kind))
    .limit(PAGE_SIZE + 1)
    .offset(offset);
  return rows.map((row) => ({
    ...row,
    key: JSON.stringify([row.endpoint, row.model, row.kind]),
    model: row.model || null,
  }));
}

async function byProvider({ query }: Reader, month: string, offset: number): Promise<UsageRow[]> {
  const { endpoint, day } = usageTotals;
  const rows = await query
    .select({ endpoint, ...usageSums(usageTotals) })
    .from(usageTotals)
    .where(isIn(month, day))
    .groupBy(endpoint)
    .orderBy(...DEAREST, asc(endpoint))
    .limit(PAGE_SIZE + 1)
    .offset(offset);
  return rows.map((row) => ({ key: row.endpoint, ...row }));
}

async function byDay({ query }: Reader, month: string, offset: number): Promise<UsageRow[]> {
  const { day } = usageTotals;
  const rows = await query
    .select({ day, ...usageSums(usageTotals) })
    .from(usageTotals)
    .where(isIn(month, day))
    .groupBy(day)
    .orderBy(asc(day))
    .limit(PAGE_SIZE + 1)
    .offset(offset);
  return rows.map((row) => ({ key: row.day, ...row }));
}

/** What is counted of the server and of nobody who is still there. */
async function ofGoneAccounts({ query }: Reader, month: string, total: UsageFigures): Promise<UsageRow[]> {
  const [known = NO_USAGE] = await query.select(usageSums(usageDays)).from(usageDays).where(isIn(month, usageDays.day));
  const figures = recordBy(USAGE_FIGURES, (name) => total[name] - known[name]);
  return Object.values(figures).some((figure) => figure > 0) ? [{ key: 'gone', person: null, ...figures }] : [];
}

/** For a file: by day, person and model, in pages. */
export async function usageLines(db: Db, { month, cursor }: z.output<typeof UsageLines>) {
  const offset = cursor ?? 0;
  if (offset === 0) await gatherUsage(db);
  const { day, userId, endpoint, model, kind } = usageDays;
  const found = await db.read(({ query }) =>
    query
      .select({ line: usageDays, name: users.name, email: users.email })
      .from(usageDays)
      .innerJoin(users, eq(users.id, userId))
      .where(isIn(month, day))
      .orderBy(asc(day), asc(userId), asc(endpoint), asc(model), asc(kind))
      .limit(LINES)
      .offset(offset),
  );
  const lines = found.map(({ line, name, email }): UsageLine => ({
    ...line,
    model: line.model || null,
    name,
    email,
  }));
  return { lines, next: found.length < LINES ? null : offset + LINES };
}

/** What each endpoint has used this month, for the list of providers. */
export async function monthByEndpoint(db: Db, now = new Date()): Promise<Map<string, UsageFigures>> {
  await gatherUsage(db);
  const { endpoint, day } = usageTotals;
  const rows = await db.query
    .select({ endpoint, ...usageSums(usageTotals) })
    .from(usageTotals)
    .where(isIn(isoMonth(now), day))
    .groupBy(endpoint);
  return new Map(rows.map(({ endpoint: name, ...figures }) => [name, figures]));
}
