// An account whose time to come back is over goes with everything that is its own.
import { randomUUID } from 'node:crypto';
import { budgets } from '@parley/db/tables/balances';
import { documents } from '@parley/db/tables/documents';
import { users } from '@parley/db/tables/users';
import { sweepFiles } from '@parley/server/files/sweep';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { storageKey } from '@parley/server/storage/file-store';
import { sweepGenerations } from '@parley/server/chat/recovery';
import { sweepAccounts } from '@parley/server/trash/sweep-accounts';
import { gatherUsage } from '@parley/server/usage/gather';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, question, untilIndexed } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { insertRows, listTables, rowsOf } from './rows-of-user.ts';

/** Of the file, which is read in the background. */
const READ = { state: 'ready' };

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_API_KEY: 'user_provided', TITLE_CONVO: 'false' });
});
afterAll(() => services.close());

it('nothing of a deleted account is left, in no table and no store, and nothing of another is touched', async () => {
  const [alice, bob] = [await services.as('alice'), await services.as('bob')];
  const { db, stores, config } = services.deps;
  const hash = await live(alice);
  await live(bob);
  const bobs = await rowsOf(db.query, bob.id);
  expect(await rowsOf(db.query, alice.id)).toEqual(bobs);
  const all = [...(await listTables(db.query)), 'users'].toSorted();
  expect(all.length).toBeGreaterThan(30);
  expect(Object.keys(bobs).toSorted()).toEqual(all);

  await endIn(alice, '1 day');
  await sweepAccounts(services.deps);
  expect(await rowsOf(db.query, alice.id)).toEqual(bobs);

  await endIn(alice, '-1 second');
  await Promise.all([1, 2].map(() => sweepAccounts(services.deps)));
  await sweepGenerations(db);
  await sweepFiles({ db, stores, arrivals: arrivalsFolder(config), onFault: raise });
  expect(await rowsOf(db.query, alice.id)).toEqual({});
  await expect(stores.current.read(storageKey(alice.id, hash))).rejects.toThrow();
  expect(await rowsOf(db.query, bob.id)).toEqual(bobs);
});

/** Uses a little of much, and has a row in every other table; returns the hash of a file. */
async function live({ id, api }: Person): Promise<string> {
  await api.keys.save({ name: 'openAI', value: '{"apiKey":"mine"}', expiresAt: null });
  const file = await keepTestFile(services.deps, id);
  const files = [file.id];
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Herons', files } as const;
  const { convo } = await exchange(services, id, question('', { target }));
  await exchange(services, id, question('Storks in winter'));
  await api.convos.remove({ conversationId: convo.conversationId });
  await untilIndexed(services.deps.db);
  const { query } = services.deps.db;
  const isTheirs = eq(documents.userId, id);
  await expect.poll(() => query.select({ state: documents.state }).from(documents).where(isTheirs)).toEqual([READ]);
  await gatherUsage(services.deps.db);
  await query.insert(budgets).values({ scope: 'person', userId: id, period: 'month', credits: 1 });
  const used = await rowsOf(query, id);
  expect(Object.keys(used)).toEqual(expect.arrayContaining(['convos', 'messages', 'files', 'search_words']));
  const unused = (await listTables(query)).filter((table) => !(table in used));
  await insertRows(query, id, unused);
  return file.hash ?? '';
}

async function endIn({ id }: Person, interval: string): Promise<void> {
  await services.deps.db.query
    .update(users)
    .set({ deletionDueAt: sql`now() + ${interval}::interval` })
    .where(eq(users.id, id));
}

function raise(error: unknown): never {
  throw error;
}
