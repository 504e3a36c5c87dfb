// Transactions that PostgreSQL undoes so that others can go on.
import { connect, notifyAtCommit, findPgCode, repeatNoMore, repeatUndone, type Tx } from '@parley/db/client';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: ReturnType<typeof connect>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.connection, { max: 4 });
  await db.sql`create table counters (id int primary key, n int not null)`;
});
beforeEach(() => db.sql`insert into counters values (1, 0), (2, 0) on conflict (id) do update set n = 0`);
afterAll(async () => {
  await db.end();
  await database.drop();
});

const add = (id: number) => sql`update counters set n = n + 1 where id = ${id}`;
const counts = async () => [...(await db.sql<{ n: number }[]>`select n from counters order by id`)].map(({ n }) => n);

/** Resolves for both once each has called it; later calls do not wait. */
function createMeeting() {
  let come = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return async () => {
    come += 1;
    if (come >= 2) open();
    await opened;
  };
}

it('two transactions in a deadlock are both done, once, and tell once', async () => {
  const heard: string[] = [];
  const stop = await db.listen({ onTopic: (topic) => void heard.push(topic), onListening() {} });
  const meet = createMeeting();
  let tries = 0;
  const cross = (first: number, second: number) =>
    db.query.transaction(async (tx) => {
      tries += 1;
      notifyAtCommit(tx, `undone:${first}`);
      await tx.execute(add(first));
      await meet();
      await tx.execute(add(second));
      return first;
    });
  expect(await Promise.all([cross(1, 2), cross(2, 1)])).toEqual([1, 2]);
  expect([tries, await counts()]).toEqual([3, [2, 2]]);
  await expect.poll(() => heard.toSorted()).toEqual(['undone:1', 'undone:2']);
  await stop();
});

it('what the undone try told nobody hears', async () => {
  const heard: string[] = [];
  const stop = await db.listen({ onTopic: (topic) => void heard.push(topic), onListening() {} });
  let tries = 0;
  await db.query.transaction(async (tx) => {
    tries += 1;
    notifyAtCommit(tx, `undone:try ${tries}`);
    if (tries === 1) await undo(tx);
  });
  await expect.poll(() => heard).toEqual(['undone:try 2']);
  await stop();
});

it('a transaction on a snapshot that another has changed is done on the next', async () => {
  let tries = 0;
  await db.query.transaction(
    async (tx) => {
      tries += 1;
      await tx.execute(sql`select n from counters`);
      if (tries === 1) await db.query.execute(add(1));
      await tx.execute(add(1));
    },
    { isolationLevel: 'repeatable read' },
  );
  expect([tries, await counts()]).toEqual([2, [2, 0]]);
});

it('a statement that waits for a transaction which waits for it is done after it', async () => {
  const meet = createMeeting();
  const both = sql`with first as (${add(1)} returning n, pg_sleep(0.5)) update counters set n = n + 1
    where id = 2 and (select max(n) from first) > 0`;
  await Promise.all([
    db.query.transaction(async (tx) => {
      await tx.execute(add(2));
      await meet();
      await tx.execute(sql`select pg_sleep(0.2)`);
      await tx.execute(add(1));
    }),
    meet().then(() => repeatUndone(async () => db.locking.execute(both))),
  ]);
  expect(await counts()).toEqual([2, 2]);
});

it('a transaction that has done what must not happen twice is not repeated', async () => {
  let tries = 0;
  const refused = db.query.transaction(async (tx) => {
    tries += 1;
    repeatNoMore(tx);
    await tx.transaction((inner) => undo(inner));
  });
  await expect(refused).rejects.toSatisfy((error) => findPgCode(error) === '40P01');
  expect(tries).toBe(1);
});

it('one that is undone again and again is given up, and other errors are not repeated', async () => {
  for (const [code, most] of [
    ['40P01', 5],
    ['23505', 1],
  ] as const) {
    let tries = 0;
    const refused = db.query.transaction(async (tx) => {
      tries += 1;
      await undo(tx, code);
    });
    await expect(refused).rejects.toSatisfy((error) => findPgCode(error) === code);
    expect(tries).toBe(most);
  }
});

async function undo(tx: Tx, code = '40P01'): Promise<void> {
  await tx.execute(sql.raw(`do $$ begin raise exception 'undone' using errcode = '${code}'; end $$`));
}
