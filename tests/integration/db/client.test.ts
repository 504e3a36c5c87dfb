import { connect, pgCodeOf, type Tx } from '@parley/db/client';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.sql`create table notes (text text not null)`;
});
afterAll(() => database.drop());

describe('a transaction', () => {
  it('that fails rejects its concurrent and later statements', async () => {
    const { query } = database.db;
    let later: Promise<unknown> = Promise.resolve();
    const failed = query.transaction(async (tx) => {
      later = (async () => {
        await tx.execute(sql`insert into notes values (${'with it'})`);
        await tx.execute(sql`insert into notes values (${'after it'})`);
      })();
      await Promise.all([later, Promise.reject(new Error('No'))]);
    });
    await expect(failed).rejects.toThrow('No');
    await expect(later).rejects.toThrow();
    expect(await readNotes()).toEqual([]);
  });

  it('that fails reports the error of its first statement, whichever promise is awaited first', async () => {
    const { query } = database.db;
    const note = (text: string | null) =>
      query.transaction(async (tx) => {
        const insert = async () => {
          await tx.execute(sql`insert into notes values (${text})`);
        };
        await Promise.all([insert(), tx.execute(sql`select count(*) from notes where text <> ${'first'}`)]);
      });
    // Once both are prepared, both answers come at once.
    await note('prepared');
    const error: unknown = await note(null).catch((caught: unknown) => caught);
    expect(pgCodeOf(error)).toBe('23502');
    expect(String(error)).not.toContain('null value');
    await database.db.sql`delete from notes`;
  });

  it('that has ended rejects statements', async () => {
    let late: (() => Promise<unknown>) | undefined;
    await database.db.query.transaction(async (tx) => {
      late = async () => tx.execute(sql`insert into notes values (${'late'})`);
    });
    await expect(late?.()).rejects.toThrow();
    expect(await readNotes()).toEqual([]);
  });
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

  async function endConnection(pid: number): Promise<void> {
    const { sql: plain } = database.db;
    await plain`select pg_terminate_backend(${pid})`;
    await expect.poll(() => plain`select from pg_stat_activity where pid = ${pid}`).toHaveLength(0);
  }
});

describe('statements that may wait for a lock', () => {
  it('all finish, and none waits behind another waiting one', async () => {
    const { query, locking } = database.db;
    await database.db.sql`insert into notes values ('held')`;
    const many = (text: string) =>
      Promise.all(
        Array.from({ length: 50 }, () => locking.execute(sql`update notes set text = text where text = ${text}`)),
      );
    await many('none');
    let held: Promise<unknown> | undefined;
    await query.transaction(async (tx) => {
      await tx.execute(sql`select text from notes where text = ${'held'} for update`);
      held = locking.execute(sql`update notes set text = text where text = ${'held'}`);
      await many('none');
    });
    await held;
    await database.db.sql`delete from notes`;
  });
});

async function readNotes(): Promise<string[]> {
  const rows = await database.db.sql<{ text: string }[]>`select text from notes`;
  return rows.map(({ text }) => text);
}
