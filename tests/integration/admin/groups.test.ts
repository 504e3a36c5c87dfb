// Groups: who is in them, which models they may use, and what they may spend. Two servers on one database.
import { randomUUID } from 'node:crypto';
import { auditEvents, groupMembers } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { errorReason } from '@parley/server/http/trpc';
import { createServices, type Services } from '@parley/server/services';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let neighbour: Services;
let admin: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices({ TITLE_CONVO: 'false', OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo,fake:silent' });
  const { config, secrets, db, log } = services.deps;
  neighbour = await createServices({ config, secrets, db, log, demo: null });
  admin = await services.as('alice', 'ADMIN');
  bob = await services.as('bob');
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});

const groups = () => admin.api.admin.groups;

async function reasonOf(call: Promise<unknown>) {
  return call.then(
    () => null,
    (error: Error) => errorReason(error),
  );
}

/** A new group, with these people in it. */
async function makeGroup(name: string, ...members: Person[]): Promise<string> {
  const { id } = await groups().create({ name });
  for (const { id: userId } of members) await groups().addMember({ groupId: id, userId });
  return id;
}

async function rowOf(id: string) {
  return (await groups().list()).find((group) => group.id === id);
}

async function lastEvent() {
  const [row] = await services.deps.db.query.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1);
  return row;
}

describe('groups', () => {
  it('are made, named and removed, each with its event, and a name is one of a kind', async () => {
    const id = await makeGroup('  Readers\u0000 ');
    expect(await rowOf(id)).toMatchObject({ name: 'Readers', version: 1, members: 0, budgets: 0, endpoints: [] });
    expect(await lastEvent()).toMatchObject({
      event: 'group.created',
      actorId: admin.id,
      details: { name: 'Readers' },
    });
    expect(await reasonOf(groups().create({ name: 'READERS' }))).toMatchObject({ type: 'invalid_input' });
    const other = await makeGroup('Writers');
    expect(await reasonOf(groups().rename({ id: other, version: 1, name: 'readers' }))).toMatchObject({
      type: 'invalid_input',
    });
    await groups().rename({ id, version: 1, name: 'readers' });
    expect(await lastEvent()).toMatchObject({
      event: 'group.renamed',
      details: { name: 'readers', before: 'Readers' },
    });
    // The other administrator has read the former name.
    expect(await reasonOf(groups().rename({ id, version: 1, name: 'Others' }))).toMatchObject({ type: 'conflict' });
    expect(await reasonOf(groups().remove({ id, version: 1 }))).toMatchObject({ type: 'conflict' });
    await groups().addMember({ groupId: id, userId: bob.id });
    await groups().remove({ id, version: 2 });
    expect(await lastEvent()).toMatchObject({ event: 'group.removed', details: { name: 'readers', members: 1 } });
    expect(await groups().of({ userId: bob.id })).toEqual([]);
    expect(await reasonOf(groups().addMember({ groupId: id, userId: bob.id }))).toMatchObject({ type: 'conflict' });
    await groups().remove({ id: other, version: 1 });
  });

  it('of two that are made at once with one name, one is there', async () => {
    const made = await Promise.all([1, 2, 3].map(() => reasonOf(groups().create({ name: 'Twins' }))));
    expect(made.filter((reason) => reason === null)).toHaveLength(1);
    const [twins] = (await groups().list()).filter(({ name }) => name === 'Twins');
    await groups().remove({ id: twins?.id ?? '', version: 1 });
  });

  it('people are put in by account or address, once, and taken out; an account that goes leaves them', async () => {
    const id = await makeGroup('Singers');
    await groups().addMember({ groupId: id, email: 'BOB@example.com' });
    const added = await lastEvent();
    expect(added).toMatchObject({
      event: 'group.member_added',
      userId: bob.id,
      details: { group: 'Singers', email: 'bob@example.com' },
    });
    await groups().addMember({ groupId: id, userId: bob.id });
    expect(await lastEvent()).toEqual(added);
    expect(await reasonOf(groups().addMember({ groupId: id, email: 'nobody@example.com' }))).toMatchObject({
      type: 'invalid_input',
    });
    expect(await groups().members({ groupId: id })).toEqual({
      members: [{ userId: bob.id, name: 'bob', email: 'bob@example.com' }],
      next: null,
    });
    expect(await groups().of({ userId: bob.id })).toEqual([id]);
    await groups().removeMember({ groupId: id, userId: bob.id });
    expect(await lastEvent()).toMatchObject({ event: 'group.member_removed', userId: bob.id });
    expect((await rowOf(id))?.members).toBe(0);

    const { query } = services.deps.db;
    const many = Array.from({ length: 51 }, (_, n) => ({
      email: `m${String(n).padStart(2, '0')}@example.com`,
      name: 'M',
    }));
    const people = await query.insert(users).values(many).returning({ userId: users.id });
    await query.insert(groupMembers).values(people.map(({ userId }) => ({ groupId: id, userId })));
    const first = await groups().members({ groupId: id });
    const second = await groups().members({ groupId: id, cursor: first.next });
    expect([...first.members, ...second.members].map(({ email }) => email)).toEqual(many.map(({ email }) => email));
    await query.delete(users).where(eq(users.id, people[0]?.userId ?? ''));
    expect((await rowOf(id))?.members).toBe(50);
    await groups().remove({ id, version: 1 });
    expect(await groups().members({ groupId: id })).toEqual({ members: [], next: null });
    expect(await groups().of({ userId: randomUUID() })).toEqual([]);
  });
});
