import { randomUUID } from 'node:crypto';
import { deletions } from '@parley/db/tables/deletions';
import { prompts, promptVersions } from '@parley/db/tables/prompts';
import { sweepTrash } from '@parley/server/trash/sweep';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

const input = (over: object = {}) => {
  const id = randomUUID();
  return { id, command: `c-${id}`, title: 'Weekly report', body: 'Report on {{topic}}.', tags: ['work'], ...over };
};
const commandsOf = async ({ api }: Person) => (await api.prompts.list()).map(({ command }) => command);
const trashOf = async ({ api }: Person) => (await api.convos.trash({})).deletions.map(({ deletionId }) => deletionId);

/** As if it had been deleted eight days ago. */
async function makeOld(deletionId: string): Promise<void> {
  await services.deps.db.query
    .update(deletions)
    .set({ createdAt: sql`now() - interval '8 days'` })
    .where(eq(deletions.id, deletionId));
}

describe('a prompt', () => {
  it('is saved, listed without its text, and read', async () => {
    const given = input();
    const saved = await alice.api.prompts.save(given);
    expect(saved).toMatchObject({ ...given, ownerId: alice.id, ownerName: null, version: 1, isShared: false, uses: 0 });
    const listed = (await alice.api.prompts.list()).find(({ id }) => id === given.id);
    const { body: _body, version: _version, presetId: _presetId, tools: _tools, ...head } = saved;
    expect(listed).toEqual(head);
    expect(await alice.api.prompts.read({ ownerId: alice.id, id: given.id })).toEqual(saved);
  });

  it.each([
    ['a command with a space', { command: 'two words' }],
    ['a command with a capital', { command: 'Big' }],
    ['no title', { title: '  ' }],
    ['no text', { body: ' \n ' }],
    ['a text that is too long', { body: 'x'.repeat(32_001) }],
    ['a preset that is none', { presetId: 'mine' }],
    ['too many tools', { tools: Array.from({ length: 65 }, (_, n) => `tool-${n}`) }],
    ['a tool without a name', { tools: ['\0'] }],
  ])('with %s is refused', async (_, over) => {
    await expect(alice.api.prompts.save(input(over))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('has a command that no other prompt of its owner has', async () => {
    const first = await alice.api.prompts.save(input());
    const same = input({ command: first.command });
    await expect(alice.api.prompts.save(same)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await bob.api.prompts.save(same)).toMatchObject({ command: first.command });
    const atOnce = await Promise.allSettled([1, 2, 3].map(() => alice.api.prompts.save(input({ command: 'race' }))));
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('keeps what it said before, also of two browsers that save at once', async () => {
    const given = input();
    await alice.api.prompts.save(given);
    await alice.api.prompts.save({ ...given, tags: [] });
    await Promise.all(['One', 'Two'].map((body) => alice.api.prompts.save({ ...given, body })));
    const versions = await alice.api.prompts.versions({ id: given.id });
    expect(versions.map(({ n }) => n)).toEqual([3, 2, 1]);
    expect(versions.map(({ body }) => body).toSorted()).toEqual(['One', given.body, 'Two'].toSorted());
    const back = await alice.api.prompts.restoreVersion({ id: given.id, n: 1 });
    expect(back).toMatchObject({ version: 4, body: given.body });
  });

  it('keeps its preset and tools with its earlier texts and in the trash, and others read which they are', async () => {
    const extras = { presetId: randomUUID(), tools: ['calculator', 'mcp:notes'] };
    const given = input(extras);
    expect(await alice.api.prompts.save(given)).toMatchObject(extras);
    await alice.api.prompts.save({ ...given, body: 'Changed' });
    expect(await alice.api.prompts.restoreVersion({ id: given.id, n: 1 })).toMatchObject(extras);
    await alice.api.convos.restore({ deletionId: (await alice.api.prompts.remove({ id: given.id })) ?? '' });
    await alice.api.prompts.share({ id: given.id, isShared: true });
    expect(await bob.api.prompts.read({ ownerId: alice.id, id: given.id })).toMatchObject(extras);
    expect((await bob.api.prompts.list()).find(({ id }) => id === given.id)).not.toHaveProperty('tools');
    await alice.api.prompts.share({ id: given.id, isShared: false });
    await alice.api.prompts.save({ ...given, presetId: null, tools: [] });
    const ref = { ownerId: alice.id, id: given.id };
    expect(await alice.api.prompts.read(ref)).toMatchObject({ presetId: null, tools: [] });
  });

  it('keeps its newest 50 versions', async () => {
    const given = input();
    for (let n = 0; n < 52; n++) await alice.api.prompts.save({ ...given, body: `Text ${n}` });
    const versions = await alice.api.prompts.versions({ id: given.id });
    expect([versions.length, versions[0]?.n, versions.at(-1)?.n]).toEqual([50, 52, 3]);
  });

  it('comes back whole from the trash, where its owner finds it under its title', async () => {
    const given = input({ title: 'Deleted' });
    await alice.api.prompts.save(given);
    const before = await alice.api.prompts.save({ ...given, body: 'Changed' });
    const deletionId = (await alice.api.prompts.remove({ id: given.id })) ?? '';
    expect(await alice.api.prompts.remove({ id: given.id })).toBeNull();
    expect(await commandsOf(alice)).not.toContain(given.command);
    const { deletions: listed } = await alice.api.convos.trash({});
    const entry = { deletionId, kind: 'prompt', conversationId: null, label: 'Deleted', title: null, count: 1 };
    expect(listed).toContainEqual(expect.objectContaining(entry));
    expect((await bob.api.convos.trash({})).deletions).toEqual([]);
    await expect(bob.api.convos.restore({ deletionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await alice.api.convos.restore({ deletionId })).toEqual({ kind: 'prompt', conversationIds: [], count: 1 });
    expect(await alice.api.prompts.read({ ownerId: alice.id, id: given.id })).toEqual(before);
    expect(await alice.api.prompts.versions({ id: given.id })).toHaveLength(2);
    expect(await trashOf(alice)).not.toContain(deletionId);
    await expect(alice.api.convos.restore({ deletionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('gets another command on return when its own is taken meanwhile', async () => {
    const given = input({ command: 'wanted' });
    await alice.api.prompts.save(given);
    const deletionId = (await alice.api.prompts.remove({ id: given.id })) ?? '';
    await alice.api.prompts.save(input({ command: 'wanted' }));
    await alice.api.convos.restore({ deletionId });
    expect(await commandsOf(alice)).toEqual(expect.arrayContaining(['wanted', 'wanted-2']));
  });

  it('leaves the trash when another browser saves it after it was deleted', async () => {
    const given = input();
    await alice.api.prompts.save(given);
    const deletionId = (await alice.api.prompts.remove({ id: given.id })) ?? '';
    await alice.api.prompts.save({ ...given, body: 'Still here' });
    expect(await commandsOf(alice)).toContain(given.command);
    expect(await trashOf(alice)).not.toContain(deletionId);
    await makeOld(deletionId);
    await sweepTrash(services.deps.db);
    expect(await commandsOf(alice)).toContain(given.command);
  });

  it('is purged seven days after it was deleted, with its versions, as chats are', async () => {
    const given = input();
    await alice.api.prompts.save(given);
    const deletionId = (await alice.api.prompts.remove({ id: given.id })) ?? '';
    const { db } = services.deps;
    await sweepTrash(db);
    expect(await trashOf(alice)).toContain(deletionId);
    await makeOld(deletionId);
    await sweepTrash(db);
    expect(await db.query.$count(prompts, eq(prompts.id, given.id))).toBe(0);
    expect(await db.query.$count(promptVersions, eq(promptVersions.promptId, given.id))).toBe(0);
    await expect(alice.api.convos.restore({ deletionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a shared prompt', () => {
  it('is used by others, who have marks of their own and change nothing', async () => {
    const { id } = await alice.api.prompts.save(input());
    const ref = { ownerId: alice.id, id };
    await expect(bob.api.prompts.read(ref)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await alice.api.prompts.share({ id, isShared: true });
    await bob.api.prompts.mark({ ...ref, isUsed: true });
    await bob.api.prompts.mark({ ...ref, isUsed: true, isFavorite: true });
    expect(await bob.api.prompts.read(ref)).toMatchObject({ ownerName: 'alice', uses: 2, isFavorite: true });
    expect(await alice.api.prompts.read(ref)).toMatchObject({ ownerName: null, uses: 0, isFavorite: false });
    expect(await bob.api.prompts.versions({ id })).toEqual([]);
    await alice.api.prompts.share({ id, isShared: false });
    expect((await bob.api.prompts.list()).map((head) => head.id)).not.toContain(id);
    await expect(bob.api.prompts.mark({ ...ref, isUsed: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('favorites and what is used most come first', async () => {
  const carol = await services.as('carol');
  const [a, b, c] = [input({ title: 'A' }), input({ title: 'B' }), input({ title: 'C' })];
  for (const prompt of [a, b, c]) await carol.api.prompts.save(prompt);
  await carol.api.prompts.mark({ ownerId: carol.id, id: b.id, isUsed: true });
  await carol.api.prompts.mark({ ownerId: carol.id, id: c.id, isFavorite: true });
  const own = (await carol.api.prompts.list()).filter(({ ownerId }) => ownerId === carol.id);
  expect(own.map(({ title }) => title)).toEqual(['C', 'B', 'A']);
});

describe('an import', () => {
  it('adds all prompts, and numbers commands that are taken', async () => {
    const dave = await services.as('dave');
    const extras = { presetId: randomUUID(), tools: ['calculator'] };
    const one = { command: 'hello', title: 'Hello', body: 'Hi', ...extras };
    expect(await dave.api.prompts.import({ prompts: [one, one, { ...one, command: 'bye' }] })).toBe(3);
    await dave.api.prompts.import({ prompts: [one] });
    const [added] = await dave.api.prompts.list();
    expect(await dave.api.prompts.read({ ownerId: dave.id, id: added?.id ?? '' })).toMatchObject(extras);
    expect((await commandsOf(dave)).filter((command) => !command.startsWith('c-')).toSorted()).toEqual(
      ['hello', 'hello-2', 'hello-3', 'bye'].toSorted(),
    );
  });

  it('adds none when there are too many', async () => {
    const erin = await services.as('erin');
    const many = Array.from({ length: 1000 }, (_, n) => ({ command: `p${n}`, title: 'P', body: 'P' }));
    await erin.api.prompts.save(input());
    await expect(erin.api.prompts.import({ prompts: many })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await commandsOf(erin)).toHaveLength(1);
  });
});

it('a deleted prompt stays in the trash while there is no room for it', async () => {
  const erin = await services.as('erin');
  await services.deps.db.query.delete(prompts).where(eq(prompts.userId, erin.id));
  const given = input();
  await erin.api.prompts.save(given);
  const deletionId = (await erin.api.prompts.remove({ id: given.id })) ?? '';
  const many = Array.from({ length: 1000 }, (_, n) => ({ command: `p${n}`, title: 'P', body: 'P' }));
  await erin.api.prompts.import({ prompts: many });
  await expect(erin.api.convos.restore({ deletionId })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await trashOf(erin)).toEqual([deletionId]);
});
