import { findPgCode } from '@parley/db/client';
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
  it('rejects its concurrent and later statements when it fails', async () => {
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

  it('reports the error of its first statement when it fails, whichever promise is awaited first', async () => {
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
    expect(findPgCode(error)).toBe('23502');
    expect(String(error)).not.toContain('null value');
    await database.db.sql`delete from notes`;
  });

  it('rejects statements once it has ended', async () => {
    let late: (() => Promise<unknown>) | undefined;
    await database.db.query.transaction(async (tx) => {
      late = async () => tx.execute(sql`insert into notes values (${'late'})`);
    });
    await expect(late?.()).rejects.toThrow();
    expect(await readNotes()).toEqual([]);
  });
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
