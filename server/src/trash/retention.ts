// Tests of this room: tests/integration/convos/trash.test.ts, tests/integration/convos/delete-account.test.ts.

// How long things stay that nobody touches, as the environment or administrators say. Off unless they say something.
import type { Db, Query } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { drafts, queuedAsks } from '@parley/db/tables/drafts';
import { shares } from '@parley/db/tables/shares';
import { users } from '@parley/db/tables/users';
import { RETENTION_DAYS_MAX, type RetentionRules } from '@parley/schema/convos/retention';
import { and, count, eq, gt, inArray, isNotNull, isNull, lt, notExists, or, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { binConvos } from '../convos/remove.ts';
import { isPermanent } from '../convos/rows.ts';
import { defineServerSetting } from '../config/server-setting.ts';

const Days = z.int().min(1).max(RETENTION_DAYS_MAX).nullable();

export const RETENTION = defineServerSetting<RetentionRules>({
  name: 'retention',
  schema: z.object({ chatsDays: Days, filesDays: Days, auditDays: Days }),
  env: ({ accounts }) => accounts.retention,
  source: { chatsDays: 'RETENTION_CHATS_DAYS', filesDays: 'RETENTION_FILES_DAYS', auditDays: 'RETENTION_AUDIT_DAYS' },
  default: { chatsDays: null, filesDays: null, auditDays: null },
  audit: (rules) => ({ ...rules }),
});

/** Chats that go in one transaction, as one entry of the trash. */
const CHATS_AT_ONCE = 500;
const OWNERS_AT_ONCE = 200;

/** How many chats go, of how many people. */
export async function countUntouched({ query }: Db, days: number): Promise<{ chats: number; people: number }> {
  const perPerson = query
    .select({ chats: ofPerson(query, days, count()).as('chats') })
    .from(users)
    .as('per_person');
  const [row] = await query
    .select({ chats: sql<number>`coalesce(sum(chats), 0)::int`, people: sql<number>`count(nullif(chats, 0))::int` })
    .from(perPerson);
  return row ?? { chats: 0, people: 0 };
}

/** Some people with such chats, in the order of their ids, behind `after`. */
export async function listOwners({ query }: Db, days: number, after: string | null): Promise<string[]> {
  const rows = await query
    .select({ id: users.id })
    .from(users)
    .where(and(after === null ? undefined : gt(users.id, after), isNotNull(ofPerson(query, days, convos.id))))
    .orderBy(users.id)
    .limit(OWNERS_AT_ONCE);
  return rows.map(({ id }) => id);
}

/** A value of a user's such chats, found by the index of their list: the planner joins no values of single rows. */
function ofPerson(query: Query, days: number, value: SQL | typeof convos.id): SQL<number> {
  const own = query
    .select({ value: sql`${value}` })
    .from(convos)
    .where(and(eq(convos.userId, users.id), isUntouched(query, days)))
    .limit(1);
  return sql<number>`(${own})`;
}

/** Puts a person's into the trash, in pieces, and resolves to how many: those that are untouched once it has their lock. */
export async function binUntouched(db: Db, userId: string, days: number): Promise<number> {
  const some = await binSome(db, userId, days);
  return some < CHATS_AT_ONCE ? some : some + (await binUntouched(db, userId, days));
}

async function binSome({ query }: Db, userId: string, days: number): Promise<number> {
  return query.transaction(async (tx) => {
    const some = tx
      .select({ id: convos.id })
      .from(convos)
      .where(and(eq(convos.userId, userId), isUntouched(tx, days)))
      .limit(CHATS_AT_ONCE);
    const rows = await binConvos(tx, userId, and(isUntouched(tx, days), inArray(convos.id, some)));
    return rows.length;
  });
}

/**
 * Chats of `convos` without a new message for so many days. What is pinned stays, and what has a link that works, an
 * answer or question under way, or was typed in lately; in a folder or archived makes no difference.
 */
function isUntouched(query: Query, days: number): SQL | undefined {
  const since = sql`now() - make_interval(days => ${days})`;
  const one = { one: sql`1` };
  const isOf = (table: typeof shares | typeof queuedAsks) =>
    and(eq(table.userId, convos.userId), eq(table.convoId, convos.id));
  const link = query
    .select(one)
    .from(shares)
    .where(and(isOf(shares), or(isNull(shares.expiresAt), gt(shares.expiresAt, sql`now()`))));
  const typed = query
    .select(one)
    .from(drafts)
    .where(and(eq(drafts.userId, convos.userId), sql`${drafts.key} = ${convos.id}::text`, gt(drafts.editedAt, since)));
  return and(
    isNull(convos.deletedAt),
    isPermanent(),
    // Both, so that the index of lists finds the oldest.
    sql`${convos.isArchived} in (false, true)`,
    lt(convos.updatedAt, since),
    or(isNull(convos.arrivedAt), lt(convos.arrivedAt, since)),
    eq(convos.isPinned, false),
    isNull(convos.running),
    notExists(link),
    notExists(query.select(one).from(queuedAsks).where(isOf(queuedAsks))),
    notExists(typed),
  );
}
