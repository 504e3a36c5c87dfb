// A folder that its owner shares: who gets access, who loses it, and what they may change.
import { randomUUID } from 'node:crypto';
import { users } from '@parley/db/tables/users';
import { folderLines } from '@parley/server/transfer/archive/belongings';
import { errorReason } from '@parley/server/http/trpc';
import type { SetAccess } from '@parley/schema/convos/access';
import { ACCESS_MAX } from '@parley/schema/convos/access-rules';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { addFile } from '../../support/retrieval/stored-files.ts';
import { openTestServices, signedInAs, type Person, type TestServices } from '../../support/services.ts';
import { follow } from '../convos/follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
let carol: Person;
let admin: Person;

beforeAll(async () => {
  services = await openTestServices({ TITLE_CONVO: 'false' });
  admin = await services.as('dave', 'ADMIN');
  [alice, bob, carol] = [await services.as('alice'), await services.as('bob'), await services.as('carol')];
});
afterAll(() => services.close());

const create = (over: object = {}) => alice.api.folders.create({ id: randomUUID(), name: 'Mill', ...over });
const give = (id: string, person: Person, level: 'use' | 'edit' | null = 'use') =>
  alice.api.folders.setAccess({ id, to: { to: 'user', userId: person.id }, level });
const add = (person: Person, folderId: string, id: string = randomUUID()) =>
  person.api.folders.addShared({ id, ownerId: alice.id, folderId });
const sharedWith = async (person: Person) => (await person.api.folders.shared()).map(({ folderId }) => folderId);
const linkOf = async (person: Person, id: string) => (await person.api.folders.list()).find((one) => one.id === id);
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: Error) => errorReason(error)?.type,
  );

/** A folder with instructions that this person has added. */
async function shareWith(person: Person, level: 'use' | 'edit', over: object = {}) {
  const folder = await create({ instructions: 'Answer as a miller.', ...over });
  await give(folder.id, person, level);
  return { folder, link: await add(person, folder.id) };
}

async function makeGroup(name: string, ...members: Person[]): Promise<string> {
  const { id } = await admin.api.admin.groups.create({ name });
  for (const { id: userId } of members) await admin.api.admin.groups.addMember({ groupId: id, userId });
  return id;
}

describe('access', () => {
  it('the owner gives access by a whole e-mail address or user name, lists it, changes it and takes it away', async () => {
    const { id } = await create();
    await services.deps.db.query.update(users).set({ username: 'Bobby' }).where(eq(users.id, bob.id));
    const [named] = (await alice.api.folders.setAccess({ id, to: { to: 'login', login: 'BOBBY' }, level: 'use' }))
      .given;
    expect(named).toEqual({ to: 'user', userId: bob.id, name: expect.stringMatching(/bob/i), level: 'use' });
    const login = 'bob@example.com';
    expect((await alice.api.folders.setAccess({ id, to: { to: 'login', login }, level: 'edit' })).given).toEqual([
      { ...named, level: 'edit' },
    ]);
    expect(await sharedWith(bob)).toContain(id);
    expect((await give(id, bob, null)).given).toEqual([]);
    expect(await sharedWith(bob)).not.toContain(id);
    for (const unknown of ['bob', 'bob@example', 'nobody@example.com', '%', 'alice@example.com'])
      expect(
        await reasonOf(alice.api.folders.setAccess({ id, to: { to: 'login', login: unknown }, level: 'use' })),
      ).toBe('invalid_input');
  });

  it('the owner cannot give access by a user name that two people have', async () => {
    const { id } = await create();
    for (const person of [bob, carol])
      await services.deps.db.query.update(users).set({ username: 'twin' }).where(eq(users.id, person.id));
    const call = alice.api.folders.setAccess({ id, to: { to: 'login', login: 'twin' }, level: 'use' });
    expect(await call.catch((error: Error) => errorReason(error))).toMatchObject({
      text: expect.stringContaining('Several accounts'),
    });
  });

  it('access of a group is that of its members, access of everybody is everybody’s, and the higher level counts', async () => {
    const groupId = await makeGroup('Millers', alice, bob);
    const { id } = await create();
    const to = { to: 'group', groupId } as const;
    expect((await alice.api.folders.access({ id })).groups).toContainEqual({ id: groupId, name: 'Millers' });
    await alice.api.folders.setAccess({ id, to, level: 'edit' });
    expect(await bob.api.folders.shared()).toContainEqual(expect.objectContaining({ folderId: id, level: 'edit' }));
    expect(await sharedWith(carol)).not.toContain(id);
    await alice.api.folders.setAccess({ id, to: { to: 'everyone' }, level: 'use' });
    expect(await carol.api.folders.shared()).toContainEqual(expect.objectContaining({ folderId: id, level: 'use' }));
    expect(await bob.api.folders.shared()).toContainEqual(expect.objectContaining({ folderId: id, level: 'edit' }));
    await alice.api.folders.setAccess({ id, to: { to: 'everyone' }, level: null });
    const link = await add(bob, id);
    // He leaves the group.
    await admin.api.admin.groups.removeMember({ groupId, userId: bob.id });
    expect(await linkOf(bob, link.id)).toMatchObject({ sharedBy: null });
    expect(await sharedWith(bob)).not.toContain(id);
    // An owner who has left the group takes its access, and gives none.
    await admin.api.admin.groups.removeMember({ groupId, userId: alice.id });
    expect((await alice.api.folders.access({ id })).given).toMatchObject([{ to: 'group', name: 'Millers' }]);
    expect(await reasonOf(alice.api.folders.setAccess({ id, to, level: 'use' }))).toBe('invalid_input');
    expect((await alice.api.folders.setAccess({ id, to, level: null })).given).toEqual([]);
  });

  it('access of everybody ends while the operator says so, and nobody gives it', async () => {
    const { id } = await create({ instructions: 'Answer as a miller.' });
    const everyone = { id, to: { to: 'everyone' as const } };
    await alice.api.folders.setAccess({ ...everyone, level: 'edit' });
    await give(id, bob);
    const [hers, his] = [await add(carol, id), await add(bob, id)];
    expect(await linkOf(carol, hers.id)).toMatchObject({ sharedBy: { level: 'edit' } });
    expect(await sharedWith(admin)).toContain(id);
    const closed = await services.beside({ ALLOW_SHARED_PROJECTS_PUBLIC: 'false' });
    try {
      expect(await linkOf(carol, hers.id)).toMatchObject({ sharedBy: null, instructions: '' });
      expect(await sharedWith(admin)).not.toContain(id);
      expect(await reasonOf(add(admin, id))).toBe('not_found');
      // Who was named keeps what they were given.
      expect(await linkOf(bob, his.id)).toMatchObject({ sharedBy: { level: 'use' } });
      const owner = signedInAs(closed.deps, alice.id).api;
      expect((await owner.folders.access({ id })).given).toMatchObject([{ to: 'user', level: 'use' }]);
      const refused = owner.folders.setAccess({ ...everyone, level: 'use' });
      expect(await refused.catch((error: Error) => errorReason(error))).toEqual({
        type: 'invalid_input',
        text: 'No project is shared with everybody here.',
      });
      expect((await owner.folders.setAccess({ ...everyone, level: null })).given).toHaveLength(1);
    } finally {
      await closed.close();
    }
    // The switch is on again.
    await (await services.beside({})).close();
    await alice.api.folders.setAccess({ ...everyone, level: 'use' });
    expect(await sharedWith(admin)).toContain(id);
  });

  it('access goes with a group that is removed and with an account that is deleted', async () => {
    const groupId = await makeGroup('Short', alice);
    const { id } = await create();
    await alice.api.folders.setAccess({ id, to: { to: 'group', groupId }, level: 'use' });
    const [passer] = await services.deps.db.query
      .insert(users)
      .values({ name: 'Passer', email: 'passer@example.com' })
      .returning();
    const personId = passer?.id ?? '';
    await alice.api.folders.setAccess({ id, to: { to: 'user', userId: personId }, level: 'use' });
    expect((await alice.api.folders.access({ id })).given).toHaveLength(2);
    await admin.api.admin.groups.remove({ id: groupId, version: 1 });
    await services.deps.db.query.delete(users).where(eq(users.id, personId));
    expect((await alice.api.folders.access({ id })).given).toEqual([]);
  });

  it('each change of access is a line of the audit log, with ids alone', async () => {
    const groupId = await makeGroup('Logged', alice);
    const logged = vi.spyOn(services.deps.log, 'info');
    const lines = () =>
      logged.mock.calls.flatMap(([line]: readonly unknown[]) =>
        typeof line === 'object' && line !== null && 'project' in line ? [line] : [],
      );
    const { id } = await create({ name: 'Very private' });
    const set = (to: SetAccess['to'], level: SetAccess['level']) => alice.api.folders.setAccess({ id, to, level });
    await set({ to: 'login', login: 'bob@example.com' }, 'use');
    await set({ to: 'user', userId: bob.id }, 'use');
    await set({ to: 'user', userId: bob.id }, 'edit');
    await set({ to: 'group', groupId }, 'use');
    await set({ to: 'everyone' }, 'use');
    await set({ to: 'user', userId: bob.id }, null);
    await set({ to: 'user', userId: bob.id }, null);
    expect(await reasonOf(set({ to: 'login', login: 'nobody@example.com' }, 'use'))).toBe('invalid_input');
    const of = (audit: string, sharedWith: string, more: object) => ({
      audit,
      userId: alice.id,
      project: id,
      sharedWith,
      ...more,
    });
    const sofar = [
      of('project_shared', 'user', { sharedWithId: bob.id, level: 'use' }),
      of('project_shared', 'user', { sharedWithId: bob.id, level: 'edit' }),
      of('project_shared', 'group', { sharedWithId: groupId, level: 'use' }),
      of('project_shared', 'everyone', { level: 'use' }),
      of('project_unshared', 'user', { sharedWithId: bob.id }),
    ];
    expect(lines()).toEqual(sofar);
    await alice.api.folders.remove({ id });
    const ended = lines().slice(sofar.length);
    expect(ended).toHaveLength(2);
    expect(ended).toContainEqual(of('project_unshared', 'group', { sharedWithId: groupId }));
    expect(ended).toContainEqual(of('project_unshared', 'everyone', {}));
    expect(JSON.stringify(logged.mock.calls)).not.toContain('Very private');
    logged.mockRestore();
  });

  it('the owner gives access to a limited number of people and groups', async () => {
    const { id } = await create();
    await services.deps.db.query.execute(sql`
      insert into users (id, name, email) select gen_random_uuid(), 'Many', 'many' || n || '@example.com'
      from generate_series(1, ${ACCESS_MAX}) n`);
    await services.deps.db.query.execute(sql`
      insert into access (user_id, kind, ref, given_to, person_id, level)
      select ${alice.id}, 'folder', ${id}, 'user', id, 'use' from users where name = 'Many'`);
    expect(await reasonOf(give(id, bob))).toBe('invalid_input');
    expect((await alice.api.folders.access({ id })).given).toHaveLength(ACCESS_MAX);
  });
});

describe('a folder that was added', () => {
  it('is a folder of one’s own: named as its owner names it, told who shares it, and without instructions', async () => {
    const { folder, link } = await shareWith(bob, 'use', { color: 'teal' });
    expect(link).toMatchObject({ name: 'Mill', color: 'teal', instructions: '', presetId: null, tools: [] });
    expect(link.sharedBy).toEqual({ name: expect.stringMatching(/alice/i), level: 'use' });
    expect(await sharedWith(bob)).not.toContain(folder.id);
    const again = await Promise.all([1, 2, 3].map(() => add(bob, folder.id)));
    expect(again.map(({ id }) => id)).toEqual([link.id, link.id, link.id]);
    const feed = await follow(services, bob.id);
    await alice.api.folders.update({ id: folder.id, name: 'Water mill', tools: ['calculator'] });
    await feed.until((change) => change.type === 'folders');
    expect(await linkOf(bob, link.id)).toMatchObject({ name: 'Water mill', tools: ['calculator'] });
    // The colour and the preset are each person's own.
    await bob.api.folders.update({ id: link.id, color: 'red' });
    expect(await linkOf(alice, folder.id)).toMatchObject({ color: 'teal', name: 'Water mill' });
  });

  it('holds the chats of each person, which nobody else sees', async () => {
    const { folder, link } = await shareWith(bob, 'edit');
    const his = await exchange(services, bob.id, question('His own', { folderId: link.id }));
    const hers = await exchange(services, alice.id, question('Her own', { folderId: folder.id }));
    const listed = async (person: Person, folderId: string) =>
      (await person.api.convos.list({ folderId })).convos.map(({ conversationId }) => conversationId);
    expect(await listed(bob, link.id)).toEqual([his.convo.conversationId]);
    expect(await listed(alice, folder.id)).toEqual([hers.convo.conversationId]);
    expect(await listed(bob, folder.id)).toEqual([]);
    expect(await listed(alice, link.id)).toEqual([]);
    expect(await bob.api.folders.sizes()).toMatchObject({ [link.id]: 1 });
    expect(await alice.api.folders.sizes()).toMatchObject({ [folder.id]: 1 });
    // Neither moves chats into the folder of the other.
    const { conversationId } = his.convo;
    const move = bob.api.convos.moveToFolder({ conversationIds: [conversationId], folderId: folder.id });
    expect(await reasonOf(move)).toBe('not_found');
    const begun = await exchange(services, bob.id, question('In hers', { folderId: folder.id }));
    expect(begun.convo.folderId).toBeNull();
  });

  it('is changed by those only who may edit it', async () => {
    const { folder, link } = await shareWith(bob, 'use');
    for (const over of [{ name: 'His' }, { instructions: 'His' }, { tools: ['calculator'] }])
      expect(await reasonOf(bob.api.folders.update({ id: link.id, ...over }))).toBe('invalid_input');
    expect(await linkOf(alice, folder.id)).toEqual(folder);
    await give(folder.id, bob, 'edit');
    const feed = await follow(services, alice.id);
    expect(await bob.api.folders.update({ id: link.id, instructions: 'Answer as a baker.' })).toMatchObject({
      instructions: 'Answer as a baker.',
    });
    await feed.until((change) => change.type === 'folders');
    expect(await linkOf(alice, folder.id)).toMatchObject({ instructions: 'Answer as a baker.', name: 'Mill' });
  });

  it('loses files by those who may edit it, which its owner keeps, and gains none', async () => {
    const fileIds = [await addFile(services, alice, 'One'), await addFile(services, alice, 'Two')];
    const { folder, link } = await shareWith(bob, 'use');
    await alice.api.folders.setFiles({ folderId: folder.id, fileIds });
    const [first = '', second = ''] = (await linkOf(bob, link.id))?.fileIds ?? [];
    expect((await bob.api.folders.files({ id: link.id })).map(({ fileId }) => fileId)).toEqual([first, second]);
    expect(JSON.stringify(await bob.api.folders.files({ id: link.id }))).not.toContain('/api/');
    const setFiles = (ids: string[]) => bob.api.folders.setFiles({ folderId: link.id, fileIds: ids });
    expect(await reasonOf(setFiles([first]))).toBe('invalid_input');
    await give(folder.id, bob, 'edit');
    const his = await addFile(services, bob, 'His');
    const other = await addFile(services, alice, 'Not of the folder');
    for (const id of [his, other]) expect(await reasonOf(setFiles([first, second, id]))).toBe('invalid_input');
    expect(await setFiles([first])).toMatchObject({ fileIds: [first] });
    expect(await linkOf(alice, folder.id)).toMatchObject({ fileIds: [first] });
    const kept = (await alice.api.files.list({})).files.find(({ fileId }) => fileId === second);
    expect(kept?.expiresAt).toBeNull();
    expect((await bob.api.files.list({})).files.map(({ fileId }) => fileId)).not.toContain(first);
  });

  it('is not passed on, not even by those who may edit it', async () => {
    const { folder, link } = await shareWith(bob, 'edit');
    const to = { to: 'user', userId: carol.id } as const;
    for (const id of [link.id, folder.id]) {
      expect(await reasonOf(bob.api.folders.setAccess({ id, to, level: 'use' }))).toBe('not_found');
      expect(await reasonOf(bob.api.folders.access({ id }))).toBe('not_found');
    }
    await services.deps.db.query.execute(sql`
      insert into access (user_id, kind, ref, given_to, person_id, level)
      values (${bob.id}, 'folder', ${link.id}, 'user', ${carol.id}, 'edit')`);
    expect(await carol.api.folders.shared()).not.toContainEqual(expect.objectContaining({ ownerId: bob.id }));
    const forged = carol.api.folders.addShared({ id: randomUUID(), ownerId: bob.id, folderId: link.id });
    expect(await reasonOf(forged)).toBe('not_found');
  });

  it('stays as a plain folder once access is taken, and is told from others by that', async () => {
    const { folder, link } = await shareWith(bob, 'edit');
    const his = await exchange(services, bob.id, question('His own', { folderId: link.id }));
    const feed = await follow(services, bob.id);
    await give(folder.id, bob, null);
    await feed.until((change) => change.type === 'folders');
    expect(await linkOf(bob, link.id)).toMatchObject({ name: 'Mill', instructions: '', fileIds: [], sharedBy: null });
    expect((await bob.api.convos.byId({ conversationId: his.convo.conversationId })).folderId).toBe(link.id);
    // What he writes from now on is his.
    await bob.api.folders.update({ id: link.id, instructions: 'Mine' });
    expect(await linkOf(alice, folder.id)).toMatchObject({ instructions: 'Answer as a miller.' });
    await give(folder.id, bob, 'use');
    expect(await linkOf(bob, link.id)).toMatchObject({ sharedBy: { level: 'use' }, instructions: '' });
    await alice.api.folders.remove({ id: folder.id });
    expect(await linkOf(bob, link.id)).toMatchObject({ sharedBy: null });
    const again = await alice.api.folders.create({ id: folder.id, name: 'Made again' });
    expect((await alice.api.folders.access({ id: again.id })).given).toEqual([]);
    expect(await linkOf(bob, link.id)).toMatchObject({ sharedBy: null });
  });

  it('leaves with its person as a folder without what is its owner’s', async () => {
    const { folder, link } = await shareWith(bob, 'edit');
    await alice.api.folders.setFiles({ folderId: folder.id, fileIds: [await addFile(services, alice, 'Hers')] });
    const exported = async (person: Person, id: string) =>
      (await folderLines({ db: services.deps.db }, person.id)).find((one) => one.id === id);
    expect(await exported(alice, folder.id)).toMatchObject({ instructions: 'Answer as a miller.' });
    const his = await exported(bob, link.id);
    expect(his).toMatchObject({ name: 'Mill', instructions: '', tools: [] });
    for (const hidden of [alice.id, folder.id, 'miller']) expect(JSON.stringify(his)).not.toContain(hidden);
    expect(his).toMatchObject({ fileIds: [] });
  });

  it('is left by removing it, and can be added again', async () => {
    const { folder, link } = await shareWith(bob, 'edit');
    await bob.api.folders.remove({ id: link.id });
    expect(await linkOf(alice, folder.id)).toEqual(folder);
    expect(await sharedWith(bob)).toContain(folder.id);
  });

  it('is not added without access, by a forged id, or twice under an id that is taken', async () => {
    const folder = await create();
    expect(await reasonOf(add(carol, folder.id))).toBe('not_found');
    await give(folder.id, bob);
    expect(await reasonOf(add(carol, folder.id))).toBe('not_found');
    expect(await reasonOf(add(alice, folder.id))).toBe('not_found');
    const own = await bob.api.folders.create({ id: randomUUID(), name: 'Own' });
    expect(await reasonOf(add(bob, folder.id, own.id))).toBe('not_found');
    expect(await linkOf(bob, own.id)).toEqual(own);
  });

  it('is nobody’s while its owner is banned, and after their account has gone', async () => {
    const erin = await services.as('erin');
    const made = await erin.api.folders.create({ id: randomUUID(), name: 'Theirs' });
    await erin.api.folders.setAccess({ id: made.id, to: { to: 'user', userId: bob.id }, level: 'edit' });
    const added = await bob.api.folders.addShared({ id: randomUUID(), ownerId: erin.id, folderId: made.id });
    const ban = (until: string | null) =>
      services.deps.db.query.update(users).set({ bannedUntil: until }).where(eq(users.id, erin.id));
    await ban('2100-01-01T00:00:00Z');
    expect(await linkOf(bob, added.id)).toMatchObject({ sharedBy: null });
    await ban(null);
    expect(await linkOf(bob, added.id)).toMatchObject({ sharedBy: { level: 'edit' } });
    await services.deps.db.query.delete(users).where(eq(users.id, erin.id));
    expect(await linkOf(bob, added.id)).toMatchObject({ name: 'Theirs', sharedBy: null });
  });

  it('changed by two at once, from both ends, ends without a deadlock', async () => {
    const { folder, link } = await shareWith(bob, 'edit');
    const [their, link2] = [await bob.api.folders.create({ id: randomUUID(), name: 'Back' }), randomUUID()];
    await bob.api.folders.setAccess({ id: their.id, to: { to: 'user', userId: alice.id }, level: 'edit' });
    await alice.api.folders.addShared({ id: link2, ownerId: bob.id, folderId: their.id });
    const rounds = Array.from({ length: 10 }, (_, n) => [
      alice.api.folders.update({ id: folder.id, name: `A${n}` }),
      bob.api.folders.update({ id: link.id, instructions: `B${n}` }),
      alice.api.folders.update({ id: link2, instructions: `C${n}` }),
      give(folder.id, bob, 'edit'),
    ]);
    const ended = await Promise.allSettled(rounds.flat());
    // Between the two statements of a change of access nobody sees it as taken.
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
  });
});
