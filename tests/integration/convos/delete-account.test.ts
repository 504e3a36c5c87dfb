// An account whose time to come back is over goes with everything that is its own.
import { users } from '@parley/db/tables/users';
import { sweepFiles } from '@parley/server/files/sweep';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { keyOf } from '@parley/server/storage/file-store';
import { sweepAccounts } from '@parley/server/trash/sweep-accounts';
import { eq, sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_API_KEY: 'user_provided' });
});
afterAll(() => services.close());

it('nothing of a deleted account is left, in no table and no store, and nothing of another is touched', async () => {
  const [alice, bob] = [await services.as('alice'), await services.as('bob')];
  const hash = await live(alice);
  await live(bob);
  const bobs = await rowsOf(bob.id);
  expect(Object.keys(await rowsOf(alice.id))).toEqual(Object.keys(bobs));
  expect(Object.keys(bobs)).toEqual(
    expect.arrayContaining(['convos', 'messages', 'files', 'search_words', 'user_keys']),
  );

  await endIn(alice, '1 day');
  await sweepAccounts(services.deps);
  expect(await rowsOf(alice.id)).toHaveProperty('convos');

  await endIn(alice, '-1 second');
  await Promise.all([1, 2].map(() => sweepAccounts(services.deps)));
  const { db, stores, config } = services.deps;
  await sweepFiles({ db, stores, arrivals: arrivalsFolder(config), onFault: raise });
  expect(await rowsOf(alice.id)).toEqual({});
  expect(await db.query.select().from(users).where(eq(users.id, alice.id))).toEqual([]);
  await expect(stores.current.read(keyOf(alice.id, hash))).rejects.toThrow();
  expect(await rowsOf(bob.id)).toEqual(bobs);
});

/** Uses a little of everything; returns the hash of a file. */
async function live({ id, api }: Person): Promise<string> {
  await api.keys.save({ name: 'openAI', value: '{"apiKey":"mine"}', expiresAt: null });
  const file = await keepTestFile(services.deps, id);
  const files = [file.id];
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Herons', files } as const;
  const { convo } = await exchange(services, id, question('', { target }));
  await exchange(services, id, question('Storks in winter'));
  await api.convos.remove({ conversationId: convo.conversationId });
  return file.hash ?? '';
}

async function endIn({ id }: Person, interval: string): Promise<void> {
  await services.deps.db.query
    .update(users)
    .set({ deletionDueAt: sql`now() + ${interval}::interval` })
    .where(eq(users.id, id));
}

/** The number of rows that name a user, of every table that has some. */
async function rowsOf(userId: string): Promise<Record<string, number>> {
  const { query } = services.deps.db;
  const tables = await query.execute<{ name: string }>(
    sql`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'user_id' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await query.execute<{ count: number }>(
      sql`select count(*)::int as count from ${sql.identifier(name)} where user_id = ${userId}`,
    );
    if (row && row.count > 0) counts[name] = row.count;
  }
  return counts;
}

function raise(error: unknown): never {
  throw error;
}
