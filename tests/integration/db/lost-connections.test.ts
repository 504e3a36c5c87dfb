// The driver on a database that ends connections while many use them.
import { connect, type Tx } from '@parley/db/client';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.sql`create table notes (text text not null)`;
});
afterAll(() => database.drop());

const ENDINGS = 25;
const BUSY = 48;

it('connections that end while they are used open again at once, and every statement is answered', async () => {
  const db = connect(database.connection, { max: 4 });
  const statements = [
    () => db.query.execute(sql`select ${1}::int, pg_sleep(0.003)`),
    () => db.sql`select ${1}::int, pg_sleep(0.003)`,
    () => db.locking.execute(sql`select ${1}::int, pg_sleep(0.003)`),
    () =>
      db.query.transaction(async (tx) => {
        await tx.execute(sql`select ${1}::int, pg_sleep(0.003)`);
        await tx.execute(sql`select ${1}::int`);
      }),
  ];
  const done = statements.map(() => 0);
  const codes = new Set<string>();
  let isOver = false;
  const work = async (n: number) => {
    const kind = n % statements.length;
    while (!isOver) {
      await statements[kind]?.().then(
        () => (done[kind] = (done[kind] ?? 0) + 1),
        (error: unknown) => codes.add(codeOf(error)),
      );
    }
  };
  const working = Promise.all(Array.from({ length: BUSY }, (_, n) => work(n)));
  for (let n = 0; n < ENDINGS; n++) {
    const before = [...done];
    await endAll();
    await expect.poll(() => done.every((count, kind) => count > (before[kind] ?? 0))).toBe(true);
  }
  isOver = true;
  await working;
  await db.end();
  // The database is there all the time: anyone who waits in vain for a connection waits for a broken one.
  expect([...codes]).not.toContain('CONNECT_TIMEOUT');
});

describe('a transaction whose connection closes', () => {
  type Body = (tx: Tx, end: () => Promise<void>) => Promise<unknown>;
  const cases: [string, Body][] = [
    [
      'before its next statement',
      async (tx, end) => {
        await end();
        await tx.execute(sql`insert into notes values (${'after it'})`);
      },
    ],
    ['during a statement', (tx, end) => Promise.all([tx.execute(sql`select pg_sleep(600)`), end()])],
    ['after its last statement', (_, end) => end()],
    [
      'inside a savepoint',
      (tx, end) =>
        tx.transaction(async (inner) => {
          await end();
          await inner.execute(sql`insert into notes values (${'after it'})`);
        }),
    ],
  ];

  it.each(cases)('%s is rejected and leaves nothing, and the next one uses the pool', async (_, body) => {
    const uncaught: unknown[] = [];
    const onUncaught = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtException', onUncaught);
    const db = connect(database.connection, { max: 1 });
    const lost = db.query.transaction(async (tx) => {
      await tx.execute(sql`insert into notes values (${'with it'})`);
      const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await body(tx, () => endConnection(row?.pid ?? 0));
    });
    await expect(lost).rejects.toThrow();
    const next = () => db.query.transaction((tx) => tx.execute(sql`select ${'next'} as said`)).catch(() => []);
    await expect.poll(next).toEqual([{ said: 'next' }]);
    expect(await readNotes()).toEqual([]);
    await db.end();
    process.off('uncaughtException', onUncaught);
    expect(uncaught).toEqual([]);
  });

  it('sends nothing into the transaction that gets the connection next', async () => {
    const db = connect(database.connection, { max: 1 });
    // The transaction is rejected while its work goes on.
    let work: Promise<void> = Promise.resolve();
    const lost = db.query.transaction((tx) => (work = leave(tx)));
    await expect(lost).rejects.toThrow();
    await work;
    expect(await readNotes()).toEqual([]);
    await db.end();

    async function leave(tx: Tx): Promise<void> {
      const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await endConnection(row?.pid ?? 0);
      await db.query.transaction(async (next) => {
        await next.execute(sql`select 1`);
        await expect((async () => tx.execute(sql`insert into notes values (${'stray'})`))()).rejects.toThrow();
      });
    }
  });

  async function endConnection(pid: number): Promise<void> {
    const { sql: plain } = database.db;
    await plain`select pg_terminate_backend(${pid})`;
    await expect.poll(() => plain`select from pg_stat_activity where pid = ${pid}`).toHaveLength(0);
  }
});

async function readNotes(): Promise<string[]> {
  const rows = await database.db.sql<{ text: string }[]>`select text from notes`;
  return rows.map(({ text }) => text);
}

/** Ends every connection to the database but those that end others. */
async function endAll(): Promise<void> {
  await database.db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query not like '%pg_terminate_backend%'`;
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
