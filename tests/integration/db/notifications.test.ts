import { connect, notifyAtCommit, type Db } from '@parley/db/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, POOL_SIZE } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let here: Db;
let there: Db;

beforeEach(async () => {
  database = await createTestDatabase();
  here = database.db;
  there = connect(database.connection, { max: POOL_SIZE });
});
afterEach(async () => {
  await there.end();
  await database.drop();
});

describe('a topic', () => {
  it('reaches the listeners of this process at once, and those of others soon', async () => {
    const mine = await listen(here);
    const theirs = await listen(there);
    here.tell('news');
    expect(mine.heard).toEqual(['news']);
    await expect.poll(() => theirs.heard).toEqual(['news']);
    expect(mine.heard).toEqual(['news']);
  });

  it('is told as often as it happens, and of thousands none is lost', async () => {
    const theirs = await listen(there);
    const topics = Array.from({ length: 3000 }, (_, n) => `change:${n % 1000}`);
    for (const topic of topics) here.tell(topic);
    await expect.poll(() => theirs.heard.length).toBe(3000);
    expect(theirs.heard).toEqual(topics);
  });

  it('is sent once when its transaction has committed', async () => {
    const { heard } = await listen(here);
    await here.query.transaction(async (tx) => {
      notifyAtCommit(tx, 'news');
      notifyAtCommit(tx, 'news');
      await tx.execute('select 1');
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual(['news']);
  });

  it('is sent once the outer transaction has committed', async () => {
    const { heard } = await listen(here);
    await here.query.transaction(async (tx) => {
      await tx.transaction(async (inner) => notifyAtCommit(inner, 'news'));
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual(['news']);
  });

  it('is not sent when its transaction fails', async () => {
    const { heard } = await listen(here);
    const failed = here.query.transaction(async (tx) => {
      notifyAtCommit(tx, 'news');
      await tx.execute('select nonsense');
    });
    await expect(failed).rejects.toThrow();
    expect(heard).toEqual([]);
  });

  it('that a transaction notifies of itself arrives, too', async () => {
    const { heard } = await listen(here);
    await here.sql`select pg_notify('parley', 'stop:1')`;
    await expect.poll(() => heard).toEqual(['stop:1']);
  });

  it('is not heard any more once a listener has stopped', async () => {
    const { heard, stop } = await listen(here);
    await stop();
    here.tell('news');
    expect(heard).toEqual([]);
  });
});

describe('a process that is alone', () => {
  it('sends nothing, and everything again from when another one begins to listen', async () => {
    await listen(here);
    expect(await here.lookForOthers()).toBe(false);
    const theirs = await listen(there);
    await expect.poll(() => tellAndHear(theirs.heard)).toContain('news');
    expect(await here.lookForOthers()).toBe(true);
  });

  it('knows of another one that says it listens, however busy the connections of that one are', async () => {
    await listen(here);
    await here.lookForOthers();
    const busy = await Promise.all([there.sql.reserve(), there.sql.reserve()]);
    let isListening = false;
    const beginning = listen(there).finally(() => (isListening = true));
    try {
      await expect.poll(() => listenersOf(here)).toBe(2);
      // Time for what it does once PostgreSQL has answered.
      await here.sql`select pg_sleep(0.05)`;
      expect(isListening).toBe(false);
    } finally {
      for (const connection of busy) connection.release();
    }
    const { heard } = await beginning;
    await expect.poll(() => tellAndHear(heard)).toContain('news');
  });

  it('is known to be so when the other one has gone', async () => {
    await listen(here);
    await (await listen(there)).stop();
    await there.end();
    await expect.poll(() => here.lookForOthers()).toBe(false);
  });

  it('that does not listen itself tells all the same', async () => {
    const theirs = await listen(there);
    await here.lookForOthers();
    here.tell('news');
    await expect.poll(() => theirs.heard).toEqual(['news']);
  });

  /** What it told while it believed to be alone is lost: anyone who follows compares. */
  function tellAndHear(heard: readonly string[]): readonly string[] {
    here.tell('news');
    return heard;
  }
});

it('the last topics of a process are sent before its end', async () => {
  const { heard } = await listen(there);
  const leaving = connect(database.connection, { max: POOL_SIZE });
  leaving.tell('news');
  await leaving.end();
  await expect.poll(() => heard).toEqual(['news']);
});

async function listenersOf({ sql }: Db): Promise<number | undefined> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity where datname = current_database() and query = 'listen "parley"'`;
  return row?.count;
}

async function listen(db: Db) {
  const heard: string[] = [];
  const stop = await db.listen({ onTopic: (topic) => heard.push(topic), onListening: () => {} });
  return { heard, stop };
}
