// The people of a server, by the names and figures of their accounts: nothing of what they write.
import type { Db } from '@parley/db/client';
import { balances } from '@parley/db/tables/balances';
import { factors, sessions, users, wordsOfPerson } from '@parley/db/tables/users';
import type { ListPeople, PeoplePage } from '@parley/schema/accounts/people';
import { and, eq, inArray, isNotNull, max, sql, type SQL } from 'drizzle-orm';
import { isoTime } from '../../platform/iso-time.ts';

export const PAGE_SIZE = 50;
/** Rows in the order of the list that are looked through before the index of words is asked. */
const NEAR_ROWS = 1_000;
/** Accounts with a word that are put in order. */
const FOUND_MAX = 2_000;

/**
 * In the order of their addresses. A search for what many have finds a page among the next rows; what few have is found
 * by the index of words, which is slow only for the former: so neither takes long among a million accounts.
 */
export async function listPeople(db: Db, input: ListPeople, withBalances: boolean): Promise<PeoplePage> {
  const words = searchWords(input.query ?? '');
  const after = input.cursor ? sql`lower(${users.email}) > ${input.cursor}` : sql`true`;
  if (input.isWaiting) return present(db, await findWaiting(db), withBalances);
  if (!words) return present(db, await findNext(db, after, PAGE_SIZE + 1), withBalances);
  const near = await findNear(db, words, after);
  const found = near.length > PAGE_SIZE ? near : await findByWords(db, words, after);
  return present(db, found, withBalances);
}

interface Found {
  id: string;
}

async function findNext({ query }: Db, after: SQL, limit: number): Promise<Found[]> {
  return query.execute<Record<'id', string>>(
    sql`select ${users.id} from ${users} where ${after} order by lower(${users.email}) limit ${limit}`,
  );
}

async function findNear({ query }: Db, words: SQL, after: SQL): Promise<Found[]> {
  // By a column of the inner select, whose order the outer one keeps: it ends as soon as the page is full.
  const address = sql`lower(${users.email})`;
  const next = sql`select *, ${address} as address from ${users} where ${after} order by ${address} limit ${NEAR_ROWS}`;
  return query.execute<Record<'id', string>>(
    sql`select id from (${next}) users where ${wordsOfPerson(users)} @@ ${words} order by address limit ${PAGE_SIZE + 1}`,
  );
}

async function findByWords({ query }: Db, words: SQL, after: SQL): Promise<Found[]> {
  const found = sql`select * from ${users} where ${wordsOfPerson(users)} @@ ${words} limit ${FOUND_MAX}`;
  return query.execute<Record<'id', string>>(
    sql`select id from (${found}) users where ${after} order by lower(email) limit ${PAGE_SIZE + 1}`,
  );
}

async function findWaiting({ query }: Db): Promise<Found[]> {
  return query
    .select({ id: users.id })
    .from(users)
    .where(eq(users.state, 'waiting'))
    .orderBy(users.createdAt)
    .limit(PAGE_SIZE);
}

/** Every word of the query begins a word of the person; null for a query without any. */
export function searchWords(query: string): SQL | null {
  const words = query.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  return words.length === 0 ? null : sql`to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(' & ')})`;
}

async function present(db: Db, found: Found[], withBalances: boolean): Promise<PeoplePage> {
  const ids = found.slice(0, PAGE_SIZE).map(({ id }) => id);
  if (ids.length === 0) return { people: [], next: null };
  const [rows, seen, secured, credits] = await Promise.all([
    db.query.select().from(users).where(inArray(users.id, ids)),
    lastSeen(db, ids),
    withSecondFactor(db, ids),
    withBalances ? creditsOf(db, ids) : null,
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const people = ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { name, email, provider, role, state, createdAt, deletionDueAt } = row;
    return {
      id,
      name,
      email,
      provider,
      role,
      state,
      createdAt: isoTime(createdAt),
      lastSeenAt: seen.get(id)?.toISOString() ?? null,
      deletionDueAt: deletionDueAt && isoTime(deletionDueAt),
      hasSecondFactor: secured.has(id),
      ...(credits && { balance: credits.get(id) ?? 0 }),
    };
  });
  return { people, next: found.length > PAGE_SIZE ? (people.at(-1)?.email.toLowerCase() ?? null) : null };
}

async function lastSeen({ query }: Db, ids: string[]): Promise<Map<string, Date | null>> {
  const rows = await query
    .select({ userId: sessions.userId, at: max(sessions.issuedAt) })
    .from(sessions)
    .where(inArray(sessions.userId, ids))
    .groupBy(sessions.userId);
  return new Map(rows.map(({ userId, at }) => [userId, at]));
}

async function withSecondFactor({ query }: Db, ids: string[]): Promise<Set<string>> {
  const rows = await query
    .select({ userId: factors.userId })
    .from(factors)
    .where(and(inArray(factors.userId, ids), isNotNull(factors.confirmedAt)));
  return new Set(rows.map(({ userId }) => userId));
}

async function creditsOf({ query }: Db, ids: string[]): Promise<Map<string, number>> {
  const rows = await query
    .select({ userId: balances.userId, credits: balances.credits })
    .from(balances)
    .where(inArray(balances.userId, ids));
  return new Map(rows.map(({ userId, credits }) => [userId, credits]));
}
