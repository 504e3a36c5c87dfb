// The one way to a PostgreSQL server: a typed query builder, plain SQL, and notifications.
import { drizzle } from 'drizzle-orm/postgres-js';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

/** Where a database is: at an address of the operator's, or behind the private socket of the embedded server. */
export type Connection =
  { kind: 'url'; url: string } | { kind: 'socket'; folder: string; user: string; database: string };

export type Db = ReturnType<typeof connect>;

/** What a function takes that runs inside a transaction and outside alike. */
export type Query = PostgresJsDatabase;
export type Tx = Parameters<Parameters<Query['transaction']>[0]>[0];

/**
 * Opens nothing yet: sockets are made by the first queries, at most about twice `max` and one that listens.
 * `query` is drizzle; `sql` is postgres.js for what a builder says badly. They are two clients because drizzle
 * switches off the date and JSON parsing of the client it is given. In `sql`, a bigint is a number.
 * `listen` has a connection of its own, comes back by itself after a lost one, and resolves to the way to stop it.
 */
export function connect(connection: Connection, { max = 10 }: { max?: number } = {}) {
  const half = Math.ceil(max / 2);
  const single = open(connection, { max: half });
  const transactions = open(connection, { max });
  const sql = open(connection, { max: half, types: { bigint: bigintAsNumber } });
  return {
    query: build(single, transactions),
    sql,
    async listen(channel: string, onPayload: (payload: string) => void, onListening?: () => void) {
      const { unlisten } = await sql.listen(channel, onPayload, onListening);
      return unlisten;
    },
    async end() {
      await Promise.all([single, transactions, sql].map((client) => client.end({ timeout: 5 })));
    },
  };
}

/**
 * Drizzle over two pools, one for transactions and one for the rest, so that every statement can be named and is
 * parsed once a connection: a third of the database's work for an exchange. In one pool postgres.js would let a named
 * statement that awaits its description share a connection with a transaction that begins meanwhile, and then refuse
 * the transaction.
 */
function build(single: postgres.Sql, transactions: postgres.Sql): Query {
  // For what it does to the client's parsers.
  drizzle(transactions);
  const begin = transactions.begin.bind(transactions) as (
    run: (tx: postgres.TransactionSql) => unknown,
  ) => Promise<unknown>;
  return drizzle(
    Object.assign(named(single), {
      begin: (run: (tx: postgres.TransactionSql) => unknown) => begin((tx) => within(named(tx), run)).catch(rethrow),
    }),
  );
}

/**
 * Runs what is to be one transaction, and lets nothing be asked through `tx` once that has ended. Of several that are
 * waited for together one may fail while another has a statement still to come: it would be sent after the rollback,
 * and stay, or become part of the next transaction of the connection.
 */
async function within(tx: postgres.TransactionSql, run: (tx: postgres.TransactionSql) => unknown): Promise<unknown> {
  try {
    return await run(tx);
  } catch (error) {
    // Of statements sent together the first fails, and those after it because of it (25P02): whichever is awaited by the
    // shorter way is heard first. The driver puts the first in the place of such a one, if it is not wrapped.
    const failure = findPostgresError(error);
    throw failure?.code === FAILED_BEFORE ? failure : error;
  } finally {
    tx.unsafe = () => {
      throw new Error('The transaction has ended');
    };
  }
}

/** "In failed SQL transaction". */
const FAILED_BEFORE = '25P02';

/** What the driver says itself may quote values; drizzle wraps only what it has asked. */
function rethrow(error: unknown): never {
  throw error instanceof postgres.PostgresError ? new Error('Failed query', { cause: error }) : error;
}

/** Names every statement that has values; one without may be several in one. */
function named<T extends postgres.ISql>(client: T): T {
  const unsafe = client.unsafe.bind(client);
  client.unsafe = (text, values, options) => unsafe(text, values, { ...options, prepare: (values ?? []).length > 0 });
  return client;
}

/** One postgres.js pool with the settings every connection of ours has. */
export function open<T extends Record<string, postgres.PostgresType> = {}>(
  connection: Connection,
  options: postgres.Options<T>,
) {
  const shared = {
    connect_timeout: 10,
    onnotice: () => {},
    ...options,
    connection: { application_name: 'parley', TimeZone: 'UTC', ...options.connection },
  };
  switch (connection.kind) {
    case 'url':
      return postgres(connection.url, shared);
    case 'socket':
      return postgres({ ...shared, host: connection.folder, user: connection.user, database: connection.database });
    default:
      return connection satisfies never;
  }
}

/** Throws one sentence, without the password, when the database does not answer. */
export async function assertReachable(connection: Connection) {
  const sql = open(connection, { max: 1, connect_timeout: ANSWER_SECONDS });
  try {
    await Promise.race([sql`select 1`, giveUp()]);
  } catch (error) {
    throw new Error(`The database at ${addressOf(connection)} cannot be reached: ${causeOf(error)}.`, { cause: error });
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** PostgreSQL's five-character code behind an error, e.g. `23505` for a unique violation. */
export function pgCodeOf(error: unknown) {
  return findPostgresError(error)?.code;
}

/** The name of the constraint that an insert or update broke. */
export function constraintOf(error: unknown) {
  return findPostgresError(error)?.constraint_name;
}

/** Drizzle wraps what the server said in an error whose message holds the whole statement and its values. */
export function findPostgresError(error: unknown): postgres.PostgresError | undefined {
  if (error instanceof postgres.PostgresError) return error;
  return error instanceof Error && error.cause ? findPostgresError(error.cause) : undefined;
}

/** Every bigint of ours counts something, far below 2^53. */
const bigintAsNumber = { to: 20, from: [20], serialize: String, parse: Number };

const ANSWER_SECONDS = 5;

/** The driver's own limit ends with the handshake of TCP: a server may accept and stay silent for ever. */
function giveUp() {
  const sentence = `no answer within ${ANSWER_SECONDS} seconds`;
  return new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(sentence)), ANSWER_SECONDS * 1000).unref();
  });
}

function addressOf(connection: Connection) {
  if (connection.kind === 'socket') return connection.folder;
  const url = new URL(connection.url);
  return `${url.host}${url.pathname}`;
}

/** A refused connection to a name with several addresses has no message, only a code. */
function causeOf(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
