import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { settingTokenCounts } from '@parley/server/messages/count-questions';
import { PgDialect } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { insertThread } from '../context/long-thread.ts';
import { message, reference } from '../transfer/files.ts';
import { importFor } from '../transfer/import-file.ts';

const MAX = 2_500;
const chat = { endpoint: 'openAI', endpointType: 'openAI' } as const;
const textAt = (n: number) => `Message ${n}`;

let clients: HttpClients;
let alice: Browser;

beforeAll(async () => {
  clients = await openHttpClients({ env: { MESSAGES_MAX_PER_USER: String(MAX) } });
  alice = await clients.signUp('alice');
});
afterAll(async () => {
  await alice?.close();
  await clients?.close();
});

test('saving the token counts of some questions compares each with the whole thread', async () => {
  const { services } = clients;
  const bob = await services.as('bob');
  const { ids, all } = await insertThread(services.deps.db, bob, { count: 2_000, model: 'gpt-4', textAt });
  const some = ids.slice(0, 200);
  const counts = some.map((_, n) => n);
  const statement = new PgDialect().sqlToQuery(settingTokenCounts(bob.id, some, counts));
  const values = statement.params.map((value) => `'${Array.isArray(value) ? `{${value.join()}}` : String(value)}'`);
  // As the server plans a statement that it has run some times: for any values.
  const plan = await services.deps.db.sql.begin(async (tx) => {
    await tx.unsafe(`set local plan_cache_mode = force_generic_plan; prepare setting_counts as ${statement.sql}`);
    const rows = await tx.unsafe(`explain (analyze, format json) execute setting_counts (${values.join()})`);
    await tx.unsafe('deallocate setting_counts');
    return rows;
  });
  const compared = JSON.stringify(plan).matchAll(/Rows Removed by (?:Join )?Filter\\?": ?(\d+)/g);
  const total = Array.from(compared, ([, rows]) => Number(rows)).reduce((sum, rows) => sum + rows, 0);
  expect(total).toBeLessThanOrEqual(ids.length + some.length ** 2);
  const counted = await bob.api.messages.list({ conversationId: all[0]?.conversationId ?? '' });
  expect(counted.map(({ tokenCount }) => tokenCount)).toEqual(all.map((_, n) => counts[n]));
});

test('forks and imports fill the database without an end', async () => {
  const { services } = clients;
  const person = await services.as('carol');
  const { convo } = await insertThread(services.deps.db, person, { count: 1_000, model: 'gpt-4', textAt });
  const { conversationId } = convo;
  const fork = () => person.api.convos.fork({ conversationId, forkId: randomUUID() });
  await fork();
  await expect(fork()).rejects.toMatchObject({
    cause: { reason: { type: 'invalid_input', text: expect.stringContaining('You may store 2,500 messages here') } },
  });
  const convoOf = (id: string, count: number) =>
    reference(
      id,
      Array.from({ length: count }, (_, n) => message(`m${n}`, n === 0 ? null : `m${n - 1}`, textAt(n))),
    );
  const lines = await importFor(services, person, [
    convoOf('a', 400),
    convoOf('b', 200),
    convoOf('c', 100),
    convoOf('a', 400),
  ]);
  expect(lines).toMatchObject([
    { outcome: 'imported', messages: 400 },
    { outcome: 'skipped', reason: 'no_room' },
    { outcome: 'imported', messages: 100 },
    { outcome: 'skipped', reason: 'no_room' },
    { end: true },
  ]);
});

test('one person may fork as often as they like', async () => {
  const { db } = clients.services.deps;
  const conversationId = randomUUID();
  await db.query.insert(convos).values({ ...chat, userId: alice.userId, id: conversationId, changeSeq: 0 });
  await db.query.insert(messages).values({
    ...chat,
    userId: alice.userId,
    id: randomUUID(),
    convoId: conversationId,
    depth: 0,
    isCreatedByUser: true,
    sender: 'User',
    parts: [],
  });
  const fork = () => alice.api.convos.fork.mutate({ conversationId, forkId: randomUUID() });
  // A minute may end in between.
  const forks = 41;
  const refusals: unknown[] = [];
  for (let n = 0; n < forks && refusals.length === 0; n++) await fork().catch((error: unknown) => refusals.push(error));
  expect(refusals).toMatchObject([{ data: { reason: { type: 'too_many_attempts' } } }]);
});
