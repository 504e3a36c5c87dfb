// Tests of this room: tests/unit/convos, tests/integration/convos.

// The numbers of the per-user change feed. Each conversation and draft carries the change counter of its last change,
// and the user's row carries those of presets and keys.
import { notifyAtCommit, type Tx } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import type { Reread } from '@parley/schema/convos/convos';
import type { StoredSettings } from '@parley/schema/settings/interface';
import { eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';

/** The topics of changes begin with it. */
export const CHANGE = 'change:';

/** The topic that tells that something of the user has changed. A single statement tells it once it has ended. */
export function changeTopic(userId: string): string {
  return `${CHANGE}${userId}`;
}

/**
 * Returns the next number of the user's change counter, to be written on the changed row. Locks the user's row until
 * the transaction ends, so numbers become visible in order; call it first in the transaction, so that all transactions
 * of a user take their locks in one order. Subscribers are notified after the commit. `count` takes several numbers and
 * returns the last.
 */
export function nextChange(tx: Tx, userId: string, count = 1): Promise<number> {
  return takeNumber(tx, userId, { changeSeq: sql`${users.changeSeq} + ${count}` });
}

/**
 * Does the same for a user who asks.
 * @throws Refusal `banned`, or `unauthorized` when the account is not active or to be deleted: the request may be older
 * than that
 */
export async function nextChangeOfAsker(
  tx: Tx,
  userId: string,
  skills: SQL | null = null,
): Promise<{ seq: number; asker: Asker }> {
  const row = await takeNumbers(tx, userId, { changeSeq: sql`${users.changeSeq} + 1` }, skills);
  if (row.bannedUntil !== null) refuse({ type: 'banned', until: isoTime(row.bannedUntil) });
  if (row.isLeaving) refuse({ type: 'unauthorized' });
  return { seq: row.seq, asker: row.asker };
}

/** What the account of a person who asks wants of every answer, as it was when they asked. */
export type Asker = Pick<StoredSettings, 'personal' | 'memory'> & {
  /** The rows of the skills that are on, as `usableRows` reads them; absent where nobody has asked for them. */
  skills?: unknown;
};

/** Reads it from a row of `users`, in a statement that has the row anyway. */
export const ASKER = sql<Asker>`jsonb_strip_nulls(jsonb_build_object(
  'personal', users.settings -> 'personal', 'memory', users.settings -> 'memory'))`;

/** The same with rows of skills, which cost no statement of their own then. */
export function askerWith(skills: SQL | null): SQL<Asker> {
  return skills === null ? ASKER : sql<Asker>`${ASKER} || jsonb_build_object('skills', ${skills})`;
}

/** Whether the row of a user is that of one who may ask. */
export { isActive as mayAsk } from '@parley/db/user-rows';

/** The same for kinds of data that subscribers simply reload. */
export function nextHint(tx: Tx, userId: string, what: keyof typeof HINTS): Promise<number> {
  const next = sql`${users.changeSeq} + 1`;
  return takeNumber(tx, userId, { changeSeq: next, [HINTS[what]]: next });
}

/**
 * The same for several users, whose rows it locks in one order. Call it first in the transaction, in place of the other.
 * Users who are gone are skipped.
 */
export async function nextHints(tx: Tx, userIds: Iterable<string>, what: keyof typeof HINTS): Promise<void> {
  const ids = [...new Set(userIds)];
  for (const id of ids) notifyAtCommit(tx, changeTopic(id));
  const next = sql`${users.changeSeq} + 1`;
  const locked = sql`${users.id} in (
    select id from users where id = any(${sql.param(ids)}::uuid[]) order by id for no key update)`;
  await tx
    .update(users)
    .set({ changeSeq: next, [HINTS[what]]: next })
    .where(locked);
}

/** Assistants have their numbers on their own rows. */
const HINTS = {
  presets: 'presetsSeq',
  keys: 'keysSeq',
  settings: 'settingsSeq',
  folders: 'foldersSeq',
  queue: 'queueSeq',
  schedules: 'schedulesSeq',
} as const satisfies Partial<Record<Reread, string>>;

async function takeNumber(tx: Tx, userId: string, numbers: PgUpdateSetSource<typeof users>): Promise<number> {
  return (await takeNumbers(tx, userId, numbers)).seq;
}

async function takeNumbers(
  tx: Tx,
  userId: string,
  numbers: PgUpdateSetSource<typeof users>,
  skills: SQL | null = null,
) {
  notifyAtCommit(tx, changeTopic(userId));
  const [row] = await tx
    .update(users)
    .set(numbers)
    .where(eq(users.id, userId))
    .returning({
      seq: users.changeSeq,
      bannedUntil: sql<string | null>`case when ${users.bannedUntil} > now() then ${users.bannedUntil} end`,
      isLeaving: sql<boolean>`${users.deletionDueAt} is not null or ${users.state} <> 'active'`,
      asker: askerWith(skills),
    });
  return row ?? refuse({ type: 'not_found', what: 'user' });
}

export type JsonRow = Record<string, unknown>;

/** Converts a JSON row to what the query builder would return. */
export function parseRow<Row>(table: PgTable, row: JsonRow): Row {
  const values: JsonRow = {};
  for (const [key, column] of columns.get(table) ?? columnsOf(table)) values[key] = row[column];
  return values as Row;
}

const columns = new WeakMap<PgTable, [key: string, column: string][]>();

function columnsOf(table: PgTable): [key: string, column: string][] {
  const found = Object.entries(getTableColumns(table)).map(([key, { name }]): [string, string] => [key, name]);
  columns.set(table, found);
  return found;
}
