// Opens PostgreSQL connections: a typed query builder, plain SQL, and notifications.
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { createNotifications, type TopicListener } from './notifications.ts';
import { findPostgresError } from './postgres-error.ts';
import { createStandby, type Read, type Reader } from './standby.ts';
import { createTransactions, repeatUndone } from './transactions.ts';

export { findPostgresError, findPgCode } from './postgres-error.ts';
export { repeatUndone } from './transactions.ts';

/** The database's address: the operator's, or the private socket of the embedded server. */
export type Connection = UrlConnection | { kind: 'socket'; folder: string; user: string; database: string };

export interface UrlConnection {
  kind: 'url';
  /** Of the database, or of a pooler before it. */
  url: string;
  /** Of the database itself, for what needs a session of its own: notifications, locks of a session, migrations. */
  directUrl?: string | undefined;
  /** Of a hot standby of the database. */
  readUrl?: string | undefined;
  /** Whether statements are named. A pooler may give a connection's next transaction to a session without its names. */
  prepare?: boolean;
}

export type Db = ReturnType<typeof connect>;

/** For functions that run inside or outside a transaction. */
export type Query = PostgresJsDatabase;
export type Tx = Parameters<Parameters<Query['transaction']>[0]>[0];

/**
 * A transaction of `query` that PostgreSQL undoes for the sake of others runs again: what it does outside of the database
 * has to bear that, or be announced by `repeatNoMore`.
 *
 * Lazy: queries open the connections, at most three times `max` and one, and one for notifications. `query`
 * is drizzle; `sql` is postgres.js for what the builder cannot express well. They are two clients because drizzle
 * switches off the date and JSON parsing of its client. In `sql`, a bigint is a number. `locking` is for single
 * statements that may wait for a lock: each has a connection to itself, so that no other statement waits behind it.
 * `listen` has its own connection, reconnects by itself, and resolves to a function that stops it. `tell` notifies the
 * listeners of all processes of a committed change; within a transaction use `notifyAtCommit`. `direct` is `sql` past the
 * pooler, where there is one. `read` runs what may be some seconds old at the standby, where there is one. `onSlow` is
 * told the statements that take long, `onStandbyLeft` why the standby is used no more.
 */
export function connect(connection: Connection, { max = 10, onSlow, onStandbyLeft }: ConnectOptions = {}) {
  const namesStatements = connection.kind === 'socket' || connection.prepare !== false;
  // PgBouncer 1.18 mixes up or loses the replies to statements that are sent before an earlier one has ended, outside
  // of a transaction.
  const shared = { max: Math.ceil(max / 2), ...(!namesStatements && withoutPipelining) };
  const single = open(connection, shared);
  const transactions = createTransactions((onclose) => open(connection, { max, onclose, ...plannedOnce(connection) }));
  const locking = open(connection, { max, ...plannedOnce(connection), ...withoutPipelining });
  const sql = open(connection, { ...shared, ...plannedOnce(connection), types: { bigint: bigintAsNumber } });
  const direct = isPooled(connection) ? open(directly(connection), { max: 1 }) : sql;
  const prepared = <T extends postgres.ISql>(client: T) => {
    const timed = onSlow ? timeStatements(client, onSlow) : client;
    return namesStatements ? named(timed) : timed;
  };
  const { tell, listen, lookForOthers, flush } = createNotifications(sql, direct);
  const query = notifyingAtCommit(build(single, transactions, prepared), tell);
  const reads = openReads({ query }, connection, { max: shared.max, onSlow, onStandbyLeft });
  return {
    query,
    read: reads.read,
    locking: drizzle(prepared(locking)),
    sql: onSlow ? timeTemplates(sql, onSlow) : sql,
    direct,
    tell,
    listen: (listener: TopicListener) => listen(listener),
    /** Looks whether other processes listen to this database, and resolves to whether one does. */
    lookForOthers,
    async end() {
      await flush();
      await reads.end();
      await Promise.all(
        [...new Set([single, transactions.pool, locking, sql, direct])].map((client) => client.end({ timeout: 3 })),
      );
    },
  };
}

interface ConnectOptions {
  max?: number;
  onSlow?: OnSlow | undefined;
  onStandbyLeft?: ((reason: string) => void) | undefined;
}

/**
 * At the standby, where there is one. Its statements have no names, since its address may be a pooler's, and none waits
 * behind another one.
 */
function openReads(primary: Reader, connection: Connection, { max = 1, onSlow, onStandbyLeft }: ConnectOptions) {
  const read: Read = (run) => run(primary);
  if (connection.kind === 'socket' || connection.readUrl === undefined) return { read, end: async () => {} };
  const address = { kind: 'url', url: connection.readUrl, prepare: false } as const;
  const openClients = () => {
    const reading = open(address, { max, ...withoutPipelining });
    const measuring = open(address, { max: 1, fetch_types: false });
    return {
      reader: { query: drizzle(onSlow ? timeStatements(reading, onSlow) : reading) },
      measurer: drizzle(measuring),
      end: () => Promise.all([reading, measuring].map((client) => client.end({ timeout: 0 }))),
    };
  };
  return createStandby(primary, openClients, onStandbyLeft);
}

/**
 * Drizzle over two pools, one for transactions and one for the rest, so that every statement can be named and is parsed
 * once per connection: this saves a third of the database's work for an exchange. In a single pool postgres.js would
 * let a named statement that awaits its description share a connection with a transaction that begins meanwhile, and
 * then refuse the transaction.
 */
function build(
  single: postgres.Sql,
  { pool, begin }: ReturnType<typeof createTransactions>,
  prepared: <T extends postgres.ISql>(client: T) => T,
): Query {
  // For its side effects on the client's parsers.
  drizzle(pool);
  return drizzle(
    Object.assign(prepared(single), {
      begin: (run: (tx: postgres.TransactionSql) => unknown) => begin((tx) => within(prepared(tx), run)).catch(rethrow),
    }),
  );
}

/** A transaction, or one more try of it. */
interface Attempt {
  /** Told at its commit. */
  topics: Set<string>;
  mayRepeat: boolean;
}

const attempts = new WeakMap<Tx, Attempt>();

/** Tells a topic to the listeners of all processes when this transaction has committed; once, however often it is called. */
export function notifyAtCommit(tx: Tx, topic: string): void {
  attemptOf(tx).topics.add(topic);
}

/** From here on the transaction does what must not happen twice, outside of the database. */
export function repeatNoMore(tx: Tx): void {
  attemptOf(tx).mayRepeat = false;
}

function attemptOf(tx: Tx): Attempt {
  const attempt = attempts.get(tx);
  if (!attempt) throw new Error('Only a transaction of `query` is known here');
  return attempt;
}

function notifyingAtCommit(query: Query, tell: (topic: string) => void): Query {
  const begin = query.transaction.bind(query);
  const transaction: Query['transaction'] = async (run, config) => {
    let attempt: Attempt = { topics: new Set(), mayRepeat: true };
    const tryOnce = () => {
      const current: Attempt = { topics: new Set(), mayRepeat: true };
      attempt = current;
      return begin((tx) => run(partOf(tx, current)), config);
    };
    const result = await repeatUndone(tryOnce, () => attempt.mayRepeat);
    for (const topic of attempt.topics) tell(topic);
    return result;
  };
  return Object.assign(query, { transaction });
}

/** The transaction and those inside of it are one attempt. */
function partOf(tx: Tx, attempt: Attempt): Tx {
  attempts.set(tx, attempt);
  const begin = tx.transaction.bind(tx);
  const transaction = <T>(run: (inner: Tx) => Promise<T>) => begin((inner) => run(partOf(inner, attempt)));
  return Object.assign(tx, { transaction });
}

/**
 * Runs a transaction and rejects queries on `tx` once it has ended. Of several concurrent queries one may fail while
 * another has a statement still to send: it would run after the rollback and persist, or become part of the
 * connection's next transaction.
 */
async function within(tx: postgres.TransactionSql, run: (tx: postgres.TransactionSql) => unknown): Promise<unknown> {
  try {
    return await run(tx);
  } catch (error) {
    // When one of several pipelined statements fails, the later ones fail with 25P02, and one of those errors may
    // arrive first. The driver substitutes the original error unless it is wrapped.
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

/** The driver's own errors may quote values; drizzle wraps only those of its own queries. */
function rethrow(error: unknown): never {
  throw error instanceof postgres.PostgresError ? new Error('Failed query', { cause: error }) : error;
}

/** Names every statement with values; one without may contain several statements. */
function named<T extends postgres.ISql>(client: T): T {
  const unsafe = client.unsafe.bind(client);
  client.unsafe = (text, values, options) => unsafe(text, values, { ...options, prepare: (values ?? []).length > 0 });
  return client;
}

/** Opens a postgres.js pool with the settings all connections share. */
export function open<T extends Record<string, postgres.PostgresType> = {}>(
  connection: Connection,
  options: postgres.Options<T>,
) {
  const shared = {
    connect_timeout: 10,
    // The driver's own backoff grows to 20 s: after an outage the process would stay disconnected for longer than a
    // lease.
    backoff: () => 0.1 + Math.random() * 0.4,
    onnotice: () => {},
    ...options,
    connection: { application_name: 'parley', TimeZone: 'UTC', ...options.connection },
  };
  switch (connection.kind) {
    case 'url':
      return postgres(connection.url, { ...shared, prepare: connection.prepare ?? true });
    case 'socket':
      return postgres({ ...shared, host: connection.folder, user: connection.user, database: connection.database });
    default:
      return connection satisfies never;
  }
}

function isPooled(connection: Connection): boolean {
  return connection.kind === 'url' && connection.directUrl !== undefined;
}

/** The same database past its pooler, for work that belongs to a session: its locks, settings and notifications. */
export function directly(connection: Connection): Connection {
  if (connection.kind === 'socket' || connection.directUrl === undefined) return connection;
  return { kind: 'url', url: connection.directUrl };
}

/** Throws a one-sentence error, without the password, when the database does not answer within `seconds`. */
export async function assertReachable(connection: Connection, seconds = 5) {
  const sql = open(connection, { max: 1, connect_timeout: seconds });
  try {
    await Promise.race([sql`select 1`, giveUp(seconds)]);
  } catch (error) {
    throw new Error(`The database at ${describeAddress(connection)} cannot be reached: ${causeOf(error)}.`, {
      cause: error,
    });
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/**
 * A statement's plan is made once for a connection, not for its values: planning is a sixth of the database's CPU for an
 * exchange. Not where people's lists and searches are read, whose best plan depends on the values; and not at an external
 * database, since a pooler before it may refuse the setting.
 */
function plannedOnce({ kind }: Connection) {
  return kind === 'socket' ? { connection: { plan_cache_mode: 'force_generic_plan' } } : {};
}

/** An option of the driver that its types lack. */
const withoutPipelining: object = { max_pipeline: 0 };

/** All our bigints are counters far below 2^53. */
const bigintAsNumber = { to: 20, from: [20], serialize: String, parse: Number };

/** The driver's own timeout ends with the TCP handshake: a server may accept and then stay silent. */
function giveUp(seconds: number) {
  const sentence = `no answer within ${seconds} seconds`;
  return new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(sentence)), seconds * 1000).unref();
  });
}

/** Where a database is, for a sentence: without user and password. The URL may list several hosts. */
export function describeAddress(connection: Connection): string {
  if (connection.kind === 'socket') return connection.folder;
  const behindUser = connection.url.slice(connection.url.lastIndexOf('@') + 1);
  const [address = ''] = behindUser.split('//').at(-1)?.split('?') ?? [];
  return address;
}

/** A refused connection to a name with several addresses has no message, only a code. */
function causeOf(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** Gets the text of a statement, and the milliseconds from its call to its result: a wait for a connection counts. */
type OnSlow = (statement: string, ms: number) => void;

const SLOW_MS = 200;

/** Times what drizzle sends, for an operator who asks what is slow. Values stay out of it. */
function timeStatements<T extends postgres.ISql>(client: T, onSlow: OnSlow): T {
  const unsafe = client.unsafe.bind(client);
  client.unsafe = (text, values, options) => timed(unsafe(text, values, options), text, onSlow);
  return client;
}

/** Times what is written as a template; in its text a value is `?`. */
function timeTemplates<T extends postgres.Sql<{ bigint: number }>>(client: T, onSlow: OnSlow): T {
  return new Proxy(client, {
    apply(sql, self, [strings, ...values]: [readonly string[], ...unknown[]]) {
      const query: unknown = Reflect.apply(sql, self, [strings, ...values]);
      return query instanceof Promise ? timed(query, strings.join('?'), onSlow) : query;
    },
  });
}

/** Listens as a plain promise would: the driver sends a statement only when its own `then` is called. */
function timed<T extends Promise<unknown>>(query: T, statement: string, onSlow: OnSlow): T {
  const began = performance.now();
  const end = () => {
    const ms = Math.round(performance.now() - began);
    if (ms >= SLOW_MS) onSlow(statement, ms);
  };
  void Promise.prototype.then.call(query, end, end);
  return query;
}
