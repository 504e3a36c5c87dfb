// A crowd of statements and transactions on few connections: each of them is answered, hundreds of rounds long.
import { connect, type Db } from '@parley/db/client';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

const ROUNDS = 300;
/** As many people, whose rows are locked in turn. */
const PEOPLE = 200;

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.sql`create table people (id int primary key, changes int not null default 0)`;
  await database.db.sql`insert into people select n from generate_series(0, ${PEOPLE - 1}) as n`;
});
afterAll(() => database.drop());

it('none of 500 to 2,000 statements at once is lost', async () => {
  const db = connect(database.connection, { max: 10 });
  for (let round = 0; round < ROUNDS; round++) {
    const count = 500 + ((round * 370) % 1501);
    const open = new Set<string>();
    const track = (name: string, statement: PromiseLike<unknown>) => {
      open.add(name);
      return Promise.resolve(statement).finally(() => open.delete(name));
    };
    const all = Array.from({ length: count }, (_, n) => {
      const person = n % PEOPLE;
      if (n % 8 === 0) return track(`transaction ${n}`, change(db, person));
      if (n % 8 === 1) return track(`long ${n}`, db.sql`select length(${'z'.repeat(20_000)}::text)`);
      if (n % 8 === 2) return track(`built ${n}`, db.query.execute(sql`select ${n}::int, ${'y'.repeat(n % 50)}::text`));
      return track(
        `plain ${n}`,
        db.sql`
        with change as (
          update people set changes = changes + 1 where id = ${person}
          returning changes, pg_notify('parley', ${`change:${person}`}::text)
        ) select changes from change`,
      );
    });
    // What is lost never settles: the test's own limit ends it, and this names it.
    const late = setTimeout(() => console.error(`Round ${round}: ${[...open].join(', ')}`), 120_000);
    await Promise.all(all);
    clearTimeout(late);
    expect(open.size).toBe(0);
  }
  await db.end();
});

function change(db: Db, person: number): Promise<void> {
  return db.query.transaction(async (tx) => {
    await tx.execute(sql`update people set changes = changes + 1 where id = ${person}`);
    await tx.execute(sql`select ${person}::int`);
  });
}
