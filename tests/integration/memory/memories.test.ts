// What people want their chats to remember: saved, listed, deleted, and nobody else's.
import { randomUUID } from 'node:crypto';
import { memories } from '@parley/db/tables/convos';
import { MEMORIES_MAX } from '@parley/schema/tools/memory-rules';
import { DECLINED_MAX } from '@parley/schema/settings/memory-mode';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow } from '../convos/follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());
beforeEach(async () => {
  for (const { api } of [alice, bob]) {
    await api.memories.clear({});
    await api.memories.setMode({ mode: 'on', exceptEndpoints: [] });
  }
});

const save = ({ api }: Person, text: string, scope: '' | `folder:${string}` = '') =>
  api.memories.save({ id: randomUUID(), text, scope });
const textsOf = async ({ api }: Person) => (await api.memories.list()).map(({ text }) => text);

test('memory is off until somebody turns it on, and off nothing new is saved', async () => {
  const carol = await services.as('carol');
  expect(await carol.api.settings.list()).toEqual({});
  await expect(save(carol, 'I keep kites')).rejects.toMatchObject({ cause: { reason: { type: 'memory_off' } } });
  expect(await textsOf(carol)).toEqual([]);
  expect(await carol.api.memories.setMode({ mode: 'ask' })).toEqual({ mode: 'ask', exceptEndpoints: [] });
  const kept = await save(carol, 'I keep kites');
  await carol.api.memories.setMode({ mode: 'off' });
  expect(await carol.api.settings.list()).toEqual({});
  await expect(save(carol, 'I keep bees')).rejects.toMatchObject({ cause: { reason: { type: 'memory_off' } } });
  // What is there can be changed and deleted.
  await carol.api.memories.save({ id: kept.id, text: 'I keep hawks', scope: '' });
  expect(await textsOf(carol)).toEqual(['I keep hawks']);
  expect(await carol.api.memories.remove({ id: kept.id })).toEqual({ count: 1 });
});

test('endpoints that are left out stay so while memory is off', async () => {
  await alice.api.memories.setMode({ mode: 'on', exceptEndpoints: ['openAI'] });
  await alice.api.memories.setMode({ mode: 'off' });
  expect(await alice.api.memories.setMode({ mode: 'ask' })).toEqual({ mode: 'ask', exceptEndpoints: ['openAI'] });
});

test('a declined proposal stays declined whatever the mode, and only the latest are kept', async () => {
  const dave = await services.as('dave');
  const first = randomUUID();
  await dave.api.memories.decline({ id: first });
  await dave.api.memories.setMode({ mode: 'on' });
  await dave.api.memories.setMode({ mode: 'off' });
  expect((await dave.api.settings.list()).memory).toEqual({ mode: 'off', exceptEndpoints: [], declined: [first] });
  const others = Array.from({ length: DECLINED_MAX }, () => randomUUID());
  for (const id of others) await dave.api.memories.decline({ id });
  await dave.api.memories.decline({ id: others[0] ?? '' });
  expect((await dave.api.settings.list()).memory?.declined).toEqual([...others.slice(1), others[0]]);
});

test('settings that a browser saves leave the mode as it is', async () => {
  await alice.api.settings.set({ theme: 'dark' });
  expect(await alice.api.settings.list()).toMatchObject({ theme: 'dark', memory: { mode: 'on' } });
  const forged = { memory: { mode: 'on', exceptEndpoints: [] } };
  await expect(bob.api.settings.set(forged as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('the same sentence is one row, in whatever letters, spaces and marks', async () => {
  const first = await save(alice, 'I keep **kites**');
  const again = await save(alice, '  i keep\nKITES ');
  expect(again.id).toBe(first.id);
  await save(alice, 'I keep kites', `folder:${randomUUID()}`);
  expect(await textsOf(alice)).toEqual(['I keep kites', 'I keep kites']);
  await Promise.all(Array.from({ length: 8 }, () => save(alice, 'At the same time')));
  expect(await textsOf(alice)).toHaveLength(3);
});

test('one that is changed to the sentence of another takes its place', async () => {
  await save(alice, 'I keep kites');
  const { id } = await save(alice, 'I keep bees');
  await alice.api.memories.save({ id, text: 'I keep kites', scope: '' });
  expect((await alice.api.memories.list()).map((one) => [one.id, one.text])).toEqual([[id, 'I keep kites']]);
});

test.each([
  'See https://example.com/a',
  'See www.example.com',
  'Write to me@example.com',
  'Ask example.com first',
  'Load 10.0.0.1:80',
  'ht\u200btps://example.com',
  'x'.repeat(501),
  ' ** ',
])('%j is refused', async (text) => {
  await expect(save(alice, text)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await textsOf(alice)).toEqual([]);
});

test('at most 1,000 entries are kept, however many are saved at once', async () => {
  const rows = Array.from({ length: MEMORIES_MAX - 2 }, (_, n) => ({
    userId: alice.id,
    id: randomUUID(),
    text: `Number ${n}`,
  }));
  await services.deps.db.query.insert(memories).values(rows);
  const told = await Promise.allSettled(Array.from({ length: 5 }, (_, n) => save(alice, `One more ${n}`)));
  expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(told.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))).toMatchObject(
    Array.from({ length: 3 }, () => ({ cause: { reason: { type: 'memory_full', max: MEMORIES_MAX } } })),
  );
  expect(await textsOf(alice)).toHaveLength(MEMORIES_MAX);
  // What is there already needs no room.
  await save(alice, 'Number 1');
});

test('nobody sees, changes or deletes what is of somebody else', async () => {
  const { id } = await save(alice, 'I keep kites');
  expect(await textsOf(bob)).toEqual([]);
  await bob.api.memories.remove({ id });
  await bob.api.memories.clear({});
  const own = await bob.api.memories.save({ id, text: 'I keep bees', scope: '' });
  expect(own.id).toBe(id);
  expect(await textsOf(alice)).toEqual(['I keep kites']);
  expect(await textsOf(bob)).toEqual(['I keep bees']);
  await bob.api.memories.setMode({ mode: 'off' });
  expect(await alice.api.settings.list()).toMatchObject({ memory: { mode: 'on' } });
});

test('other browsers are told, and the mode is the same in them', async () => {
  const feed = await follow(services, alice.id);
  await save(alice, 'I keep kites');
  await feed.until((change) => change.type === 'settings');
});

test('one names the conversation it comes from, as long as it is there, and goes with it on demand', async () => {
  const { convo, reply } = await exchange(services, alice.id, question('Kites?', { model: 'gpt-4' }));
  const { conversationId } = convo;
  const from = { messageId: reply.messageId };
  await alice.api.memories.save({ id: randomUUID(), text: 'I keep kites', scope: '', from });
  await save(alice, 'I keep bees');
  // Of somebody else's reply nothing is noted.
  await bob.api.memories.save({ id: randomUUID(), text: 'I keep kites', scope: '', from });
  expect(await bob.api.memories.list()).toMatchObject([{ source: 'person', from: null }]);
  expect(await alice.api.memories.list()).toMatchObject([
    { source: 'person', from: null },
    { source: 'model', from: { conversationId } },
  ]);
  const conversationIds = [conversationId];
  expect(await alice.api.memories.list({ conversationIds })).toMatchObject([{ text: 'I keep kites' }]);
  await alice.api.convos.remove({ conversationId });
  expect(await alice.api.memories.list({ conversationIds })).toMatchObject([{ from: null }]);
  expect(await bob.api.memories.clear({ conversationIds })).toEqual({ count: 0 });
  expect(await alice.api.memories.clear({ conversationIds })).toEqual({ count: 1 });
  expect(await textsOf(alice)).toEqual(['I keep bees']);
});

test('a deleted account leaves none', async () => {
  const dave = await services.as('dave');
  await dave.api.memories.setMode({ mode: 'on' });
  await save(dave, 'I keep kites');
  const { query, sql } = services.deps.db;
  await sql`delete from users where id = ${dave.id}`;
  expect(await query.$count(memories, eq(memories.userId, dave.id))).toBe(0);
});
