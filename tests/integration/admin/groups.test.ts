// Groups: who is in them, which models they may use, and what they may spend. Two servers on one database.
import { randomUUID } from 'node:crypto';
import { auditEvents, groupMembers, modelAccess } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { followRights } from '@parley/server/admin/groups/follow-rights';
import type { Rights } from '@parley/server/config/parts/sign-in-sites';
import { assertUser } from '@parley/server/auth/users';
import { errorReason } from '@parley/server/http/trpc';
import { createServices, type Services } from '@parley/server/services';
import { createCaller } from '@parley/server/router';
import { embed } from '@parley/server/v1/embeddings';
import { chooseModel, listModels } from '@parley/server/v1/models';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let neighbour: Services;
let admin: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices({
    TITLE_CONVO: 'false',
    OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo,fake:length',
    EMBEDDINGS_ENDPOINT: 'openAI',
  });
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

  it('made twice at once with one name exist once', async () => {
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

describe('access to models', () => {
  const ALL = ['gpt-4', 'gpt-3.5-turbo', 'fake:length'];

  let carol: Person;
  let staff: string;

  beforeAll(async () => {
    carol = await services.as('carol');
    staff = await makeGroup('Staff', bob);
  });

  interface Wanted {
    groupIds?: string[] | null;
    models?: Record<string, string[]>;
  }

  /** In place of what is set. */
  async function setAccess({ groupIds = null, models = {} }: Wanted) {
    const before = (await admin.api.admin.access.list()).find(({ endpoint }) => endpoint === 'openAI');
    await admin.api.admin.access.set({
      endpoint: 'openAI',
      groupIds,
      models: Object.entries(models).map(([model, ids]) => ({ model, groupIds: ids })),
      version: before?.version ?? null,
    });
  }

  const modelsOf = async ({ api }: Person) => (await api.endpoints.models())['openAI'];
  const ask = ({ api }: Person, model: string | null = 'gpt-4') =>
    reasonOf(api.messages.ask(question('Hello', { model })));
  const notYours = (model: string) => ({ type: 'model_not_yours', endpoint: 'openAI', model });

  /** The same person, by the other process. */
  const elsewhere = ({ id }: Person) =>
    createCaller({
      deps: neighbour.deps,
      http: null,
      socket: null,
      token: null,
      signedIn: { userId: id, sid: 'elsewhere' },
    });

  it('nothing is read of groups while no model is limited', async () => {
    const read = vi.spyOn(services.deps.db.query, 'select');
    expect(await services.deps.access.permits(bob.id, 'openAI', 'gpt-4')).toBe(true);
    expect(await services.deps.access.permitted(bob.id, 'openAI', ALL)).toBe(ALL);
    expect(await services.deps.access.offers(null, 'openAI')).toBe(true);
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
    expect(await modelsOf(carol)).toEqual(ALL);
  });

  it('an endpoint for a group is there for its members and administrators alone, in all lists and asks', async () => {
    await setAccess({ groupIds: [staff] });
    expect(await lastEvent()).toMatchObject({ event: 'access.set', details: { name: 'openAI', groups: 'Staff' } });
    for (const person of [admin, bob]) {
      expect(await modelsOf(person)).toEqual(ALL);
      expect(await person.api.endpoints.list()).toHaveProperty('openAI');
      expect(await ask(person)).toBeNull();
    }
    expect(await modelsOf(carol)).toBeUndefined();
    expect(await carol.api.endpoints.list()).not.toHaveProperty('openAI');
    // It has the models and the key of OpenAI.
    expect(await carol.api.endpoints.list()).not.toHaveProperty('gptPlugins');
    expect(await carol.api.endpoints.windows()).not.toHaveProperty('openAI');
    const stranger = createCaller({ deps: services.deps, http: null, socket: null, token: null, signedIn: null });
    expect(await stranger.endpoints.list()).not.toHaveProperty('openAI');
    expect(await ask(carol)).toEqual(notYours('gpt-4'));
    expect(await ask(carol, null)).toMatchObject({ type: 'model_not_yours' });
    const plugins = question('Hello', { endpoint: 'gptPlugins', model: 'gpt-4' });
    expect(await reasonOf(carol.api.messages.ask(plugins))).toMatchObject({ type: 'model_not_yours' });
    const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Hello' } as const;
    const asks = [1, 2].map(() => ({
      generationId: randomUUID(),
      replyId: randomUUID(),
      endpoint: 'openAI',
      model: 'gpt-4',
      settings: {},
      target,
    }));
    const many = { conversationId: randomUUID(), asks };
    expect(await reasonOf(carol.api.messages.askMany(many))).toEqual(notYours('gpt-4'));
    const holder = (userId: string) => ({
      userId,
      keyId: randomUUID(),
      scopes: ['chat'] as const,
      endpoints: null,
      monthlyCredits: null,
      expiresAt: null,
    });
    const ids = async ({ id }: Person) => (await listModels(services.deps, holder(id))).map((entry) => entry.id);
    expect(await ids(bob)).toContain('openAI/gpt-4');
    expect(await ids(carol)).toEqual([]);
    await expect(chooseModel(services.deps, holder(carol.id), 'openAI/gpt-4')).rejects.toThrow();
    const body = { model: 'openAI/text-embedding-3-small', input: 'A cat' };
    const embedding = ({ id }: Person) =>
      embed(services.deps, {
        // A call is paid for by a key that is there.
        holder: holder(id),
        client: { ip: '203.0.113.5', userAgent: null },
        signal: new AbortController().signal,
        id: randomUUID(),
        params: {},
        body,
        report: () => undefined,
      });
    expect(await ids(bob)).toContain(body.model);
    await expect(embedding(carol)).rejects.toMatchObject({ fault: { status: 404, code: 'model_not_found' } });
    // Bob's goes on until it needs the key, which is none here.
    expect(await reasonOf(embedding(bob))).toEqual({ type: 'unauthorized' });
    // No violation: nobody is banned for what an administrator took away.
    for (let n = 0; n < 5; n++) expect(await ask(carol)).toEqual(notYours('gpt-4'));
  });

  it('changes in all processes when people join, leave or lose a role, and open pages are told', async () => {
    const at = (person: Person) => elsewhere(person).messages.ask(question('Hello', { model: 'gpt-4' }));
    const version = () => neighbour.deps.endpoints.version(carol.id);
    await expect.poll(() => reasonOf(at(carol))).toEqual(notYours('gpt-4'));
    const before = { carol: version(), bob: neighbour.deps.endpoints.version(bob.id) };
    await groups().addMember({ groupId: staff, userId: carol.id });
    expect(await ask(carol)).toBeNull();
    await expect.poll(() => reasonOf(at(carol))).toBeNull();
    expect(version()).toBe(before.carol + 1);
    expect(neighbour.deps.endpoints.version(bob.id)).toBe(before.bob);
    await groups().removeMember({ groupId: staff, userId: carol.id });
    expect(await ask(carol)).toEqual(notYours('gpt-4'));
    await expect.poll(() => reasonOf(at(carol))).toEqual(notYours('gpt-4'));
    await admin.api.admin.people.setRole({ userId: carol.id, role: 'ADMIN' });
    await expect.poll(() => reasonOf(at(carol))).toBeNull();
    await admin.api.admin.people.setRole({ userId: carol.id, role: 'USER' });
    expect(await ask(carol)).toEqual(notYours('gpt-4'));
    await expect.poll(() => reasonOf(at(carol))).toEqual(notYours('gpt-4'));
    // A site by which they sign in says so.
    const says = async (rights: Rights) =>
      followRights(services.deps, await assertUser(services.deps.db, carol.id), rights, 'openid');
    const group = (await rowOf(staff))?.name ?? '';
    for (const rights of [{ groups: [group] }, { isAdmin: true }]) {
      await says(rights);
      expect(await ask(carol)).toBeNull();
      await expect.poll(() => reasonOf(at(carol))).toBeNull();
      await says({ groups: [], isAdmin: false });
      expect(await ask(carol)).toEqual(notYours('gpt-4'));
      await expect.poll(() => reasonOf(at(carol))).toEqual(notYours('gpt-4'));
    }
    // Whom an administrator adds, too, stays when the site says otherwise.
    await says({ groups: [group] });
    await groups().addMember({ groupId: staff, userId: carol.id });
    await says({ groups: [] });
    expect(await ask(carol)).toBeNull();
    await groups().removeMember({ groupId: staff, userId: carol.id });
    expect(await ask(carol)).toEqual(notYours('gpt-4'));
  });

  it('a single model follows groups of its own, whatever holds for its endpoint', async () => {
    const { id: readers } = await groups().create({ name: 'Readers' });
    await groups().addMember({ groupId: readers, userId: carol.id });
    await setAccess({ groupIds: [staff], models: { 'gpt-3.5-turbo': [readers] } });
    expect(await modelsOf(carol)).toEqual(['gpt-3.5-turbo']);
    expect(await modelsOf(bob)).toEqual(['gpt-4', 'fake:length']);
    expect(await ask(carol, null)).toBeNull();
    expect(await ask(bob, 'gpt-3.5-turbo')).toEqual(notYours('gpt-3.5-turbo'));
    await setAccess({ models: { 'gpt-4': [readers] } });
    expect(await modelsOf(bob)).toEqual(['gpt-3.5-turbo', 'fake:length']);

    // An answer that was cut off is not continued by a model that was taken away.
    const cut = await exchange(services, bob.id, question('At length', { model: 'fake:length' }));
    await setAccess({ models: { 'fake:length': [readers] } });
    const { conversationId } = cut.convo;
    const { messageId } = cut.reply;
    const on = { conversationId, replyId: messageId, model: 'fake:length' };
    const going = question('', { ...on, target: { kind: 'continue', messageId } });
    expect(await reasonOf(bob.api.messages.ask(going))).toEqual(notYours('fake:length'));

    // Nor does an assistant answer by one.
    await setAccess({});
    const { assistantId } = await bob.api.assistants.create({ name: 'Poet', model: 'gpt-4', endpoint: 'openAI' });
    await setAccess({ models: { 'gpt-4': [readers] } });
    const asked = question('Hi', { endpoint: 'assistants', model: null, settings: { assistant_id: assistantId } });
    expect(await reasonOf(bob.api.messages.ask(asked))).toEqual(notYours('gpt-4'));
    const another = { name: 'Poet', model: 'gpt-4', endpoint: 'openAI' };
    expect(await reasonOf(bob.api.assistants.create(another))).toMatchObject({ type: 'invalid_input' });

    // Without the group it is for administrators alone, not for everybody.
    expect((await rowOf(readers))?.endpoints).toEqual(['openAI']);
    await groups().remove({ id: readers, version: 1 });
    expect(await ask(carol)).toEqual(notYours('gpt-4'));
    expect(await ask(admin)).toBeNull();
  });

  it('tells the second of two administrators at once, and leaves no row for what everyone may use', async () => {
    const rule = { endpoint: 'openAI', groupIds: [staff], models: [] };
    await setAccess({});
    expect(await services.deps.db.query.$count(modelAccess)).toBe(0);
    expect(await modelsOf(carol)).toEqual(ALL);
    await expect.poll(async () => (await elsewhere(carol).endpoints.models())['openAI']).toEqual(ALL);
    const set = (over: object) => reasonOf(admin.api.admin.access.set({ ...rule, version: null, ...over }));
    expect(await set({})).toBeNull();
    expect(await set({})).toMatchObject({ type: 'conflict' });
    expect(await set({ version: 2 })).toMatchObject({ type: 'conflict' });
    expect(await set({ version: 1, groupIds: [randomUUID()] })).toMatchObject({ type: 'conflict' });
    expect(await set({ version: 1 })).toBeNull();
    expect(await admin.api.admin.access.list()).toEqual([{ ...rule, version: 2 }]);
    expect(await set({ version: 2, groupIds: null })).toBeNull();
    expect(await admin.api.admin.access.list()).toEqual([]);
  });
});
