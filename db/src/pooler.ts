// Finds out at the start what a pooler before the database keeps, e.g. PgBouncer in transaction mode, which gives each
// transaction of a connection to whichever session is free.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ISql, Sql } from 'postgres';
import { describeAddress, directly, open, findPgCode, type UrlConnection } from './client.ts';

/** Transactions on two connections in turn; one round suffices unless other clients take the sessions meanwhile. */
const ROUNDS = 5;
/** A pooler with one session makes the second connection wait for the first, in milliseconds. */
const HOLD_MS = 200;
/** In milliseconds. */
const HEAR_MAX_MS = 5000;
/** The session lacks the statement, has another of its name, or has refused one of these in this transaction. */
const NAME_ERRORS = ['26000', '42P05', '25P02'];

/** What the operator says about named statements: `auto` tries them. */
export type PrepareMode = 'auto' | 'on' | 'off';

/**
 * Whether statements can be named there: tried through two connections, which in transaction mode get each other's
 * sessions.
 * @throws Error with one sentence where a notification is not heard, transactions are refused, or `on` cannot hold
 */
export async function probePooler(connection: UrlConnection, mode: PrepareMode): Promise<boolean> {
  await assertHearing(connection);
  if (mode === 'off') return false;
  const keepsNames = await keepsNamedStatements(connection);
  if (mode === 'on' && !keepsNames)
    throw new Error(
      `The pooler at ${describeAddress(connection)} loses named statements: set DATABASE_PREPARE=off, or use a pooler that ` +
        'keeps them (PgBouncer 1.21 or newer with max_prepared_statements).',
    );
  return keepsNames;
}

/** Listens where the server will, and notifies where it will. */
async function assertHearing(connection: UrlConnection): Promise<void> {
  const listening = open(directly(connection), { max: 1 });
  const telling = open({ ...connection, prepare: false }, { max: 1 });
  const channel = `parley_probe_${randomUUID().replaceAll('-', '')}`;
  try {
    let onHeard = (_heard: true) => {};
    const heard = new Promise<true>((resolve) => (onHeard = resolve));
    await listening.listen(channel, () => onHeard(true));
    await telling
      .begin((tx) => tx`select pg_notify(${channel}, '')`)
      .catch((error: unknown) => {
        throw new Error(`Transactions fail at ${describeAddress(connection)}: ${messageOf(error)}.`, { cause: error });
      });
    if (await Promise.race([heard, sleep(HEAR_MAX_MS, false, { ref: false })])) return;
  } finally {
    await endAll([listening, telling]);
  }
  throw new Error(
    connection.directUrl === undefined
      ? `Notifications do not arrive through ${describeAddress(connection)}: set DATABASE_DIRECT_URL to the database itself, past the pooler.`
      : `What is notified through ${describeAddress(connection)} is not heard at ${describeAddress(directly(connection))}: ` +
          'DATABASE_URL and DATABASE_DIRECT_URL must lead to one database, and the latter past any pooler.',
  );
}

async function keepsNamedStatements(connection: UrlConnection): Promise<boolean> {
  const openOne = () => open({ ...connection, prepare: true }, { max: 1, fetch_types: false });
  const [one, other] = [openOne(), openOne()];
  try {
    const seenByOne = new Set<number>();
    const seenByOther = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      seenByOne.add(await sessionOf(one));
      await other.begin(async (tx) => {
        seenByOther.add(await sessionOf(tx));
        await Promise.race([sessionOf(one).then((pid) => seenByOne.add(pid)), sleep(HOLD_MS)]);
      });
    }
    const isShared = [...seenByOne].some((pid) => seenByOther.has(pid));
    // Names that were found in another session are kept; where there is one session only, nothing is proven.
    return !seenByOne.has(LOST) && (seenByOne.size > 1 || !isShared);
  } catch (error) {
    if (NAME_ERRORS.includes(findPgCode(error) ?? '')) return false;
    throw error;
  } finally {
    await endAll([one, other]);
  }
}

/** Stands for the session of a statement whose name was lost. */
const LOST = 0;

/**
 * By a statement with a value, which the driver names. Where the name is lost the driver names it again, serializes the
 * value a second time and so sends `true` as `f` (postgres 3.4.9): the row is missing then, without an error.
 */
async function sessionOf(sql: ISql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid where ${true}`;
  return row?.pid ?? LOST;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function endAll(clients: readonly Sql[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
}
