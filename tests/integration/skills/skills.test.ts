import { randomUUID } from 'node:crypto';
import { deletions } from '@parley/db/tables/deletions';
import { skillFiles, skills, skillVersions } from '@parley/db/tables/automation/skills';
import { files, fileUses } from '@parley/db/tables/files';
import { errorReason } from '@parley/server/http/trpc';
import { sweepTrash } from '@parley/server/trash/sweep';
import { and, eq, sql } from 'drizzle-orm';
import { strToU8, unzipSync, zipSync, type Zippable } from 'fflate';
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
  return { id, name: `s-${id}`, description: 'Writes reports', body: 'Ask for the topic.', ...over };
};
const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');
const zipped = (entries: Zippable) => base64(zipSync(entries));
const markdown = (name: string, body = 'Ask first.') =>
  strToU8(`---\nname: ${name}\ndescription: Writes letters\n---\n${body}`);
const importing = ({ api }: Person, content: string, id: string = randomUUID()) =>
  api.skills.importZip({ id, content, fileName: 'Some File.zip' });
const whyNot = (call: Promise<unknown>) =>
  call.then(
    () => 'nothing',
    (error: Error) => JSON.stringify(errorReason(error)),
  );
const usesOf = (id: string) =>
  services.deps.db.query.$count(fileUses, and(eq(fileUses.kind, 'skill'), eq(fileUses.ref, id)));

describe('a skill', () => {
  it('is saved, listed without its instructions, and read', async () => {
    const given = input();
    const saved = await alice.api.skills.save(given);
    const facts = { isShared: false, isImported: false, ownerName: null, version: 1, files: [] };
    expect(saved).toMatchObject({ ...given, ...facts, ownerId: alice.id, key: `skill:${given.id}` });
    const { body: _body, version: _version, files: _files, ...head } = saved;
    expect((await alice.api.skills.list()).find(({ id }) => id === given.id)).toEqual(head);
    expect(await alice.api.skills.read({ ownerId: alice.id, id: given.id })).toEqual(saved);
  });

  it.each([
    ['a name with a space', { name: 'two words' }],
    ['a name with a capital', { name: 'Big' }],
    ['a name that is a path', { name: '../up' }],
    ['a name that is too long', { name: 'x'.repeat(65) }],
    ['no description', { description: ' ' }],
    ['a description that is too long', { description: 'x'.repeat(1025) }],
    ['no instructions', { body: ' \n' }],
    ['instructions that are too long', { body: 'x'.repeat(200_001) }],
  ])('with %s is refused', async (_, over) => {
    await expect(alice.api.skills.save(input(over))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('has a name that no other skill of its owner has', async () => {
    const first = await alice.api.skills.save(input());
    const same = input({ name: first.name });
    await expect(alice.api.skills.save(same)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await bob.api.skills.save(same)).toMatchObject({ name: first.name });
    const atOnce = await Promise.allSettled([1, 2, 3].map(() => alice.api.skills.save(input({ name: 'race' }))));
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('keeps what it said before, also of two browsers that save at once', async () => {
    const given = input();
    await alice.api.skills.save(given);
    await alice.api.skills.save(given);
    await Promise.all(['One', 'Two'].map((body) => alice.api.skills.save({ ...given, body })));
    const versions = await alice.api.skills.versions({ id: given.id });
    expect(versions.map(({ n }) => n)).toEqual([3, 2, 1]);
    expect(versions.map(({ body }) => body).toSorted()).toEqual(['One', given.body, 'Two'].toSorted());
    const back = await alice.api.skills.restoreVersion({ id: given.id, n: 1 });
    expect(back).toMatchObject({ version: 4, body: given.body });
  });

  it('keeps its newest 20 versions', async () => {
    const given = input();
    for (let n = 0; n < 22; n++) await alice.api.skills.save({ ...given, body: `Text ${n}` });
    const versions = await alice.api.skills.versions({ id: given.id });
    expect([versions.length, versions[0]?.n, versions.at(-1)?.n]).toEqual([20, 22, 3]);
  });

  it('comes back whole from the trash, with its files, and under another name where its own is taken', async () => {
    const given = input();
    await alice.api.skills.save(given);
    await alice.api.skills.putFile({ id: given.id, path: 'a.md', content: base64('A') });
    const deletionId = (await alice.api.skills.remove({ id: given.id })) ?? '';
    expect(await alice.api.skills.remove({ id: given.id })).toBeNull();
    expect((await alice.api.convos.trash({})).deletions).toContainEqual(
      expect.objectContaining({ deletionId, kind: 'skill', label: given.name, count: 1 }),
    );
    await expect(bob.api.convos.restore({ deletionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await alice.api.skills.save(input({ name: given.name }));
    expect(await alice.api.convos.restore({ deletionId })).toEqual({ kind: 'skill', conversationIds: [], count: 1 });
    const back = await alice.api.skills.read({ ownerId: alice.id, id: given.id });
    expect(back).toMatchObject({ name: `${given.name.slice(0, 62)}-2`, files: [{ path: 'a.md', bytes: 1 }] });
  });

  it('is deleted permanently after a week in the trash, and its files lose their use', async () => {
    const given = input();
    await alice.api.skills.save(given);
    await alice.api.skills.putFile({ id: given.id, path: 'a.md', content: base64('Gone') });
    const deletionId = (await alice.api.skills.remove({ id: given.id })) ?? '';
    const { db } = services.deps;
    const isOld = { createdAt: sql`now() - interval '8 days'` };
    await db.query.update(deletions).set(isOld).where(eq(deletions.id, deletionId));
    expect(await usesOf(given.id)).toBe(1);
    await sweepTrash(db);
    const left = [skills.id, skillFiles.skillId, skillVersions.skillId].map((column) =>
      db.query.$count(column.table, eq(column, given.id)),
    );
    expect([...(await Promise.all(left)), await usesOf(given.id)]).toEqual([0, 0, 0, 0]);
  });

  it('that others share is read by everybody, and changed by nobody else', async () => {
    const given = input();
    await alice.api.skills.save(given);
    const ref = { ownerId: alice.id, id: given.id };
    await expect(bob.api.skills.read(ref)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await alice.api.skills.share({ id: given.id, isShared: true });
    const facts = { ownerName: expect.any(String), key: `skill:${alice.id}:${given.id}` };
    expect(await bob.api.skills.read(ref)).toMatchObject({ body: given.body, ...facts });
    await expect(bob.api.skills.share({ id: given.id, isShared: false })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await bob.api.skills.save({ ...given, body: 'Of Bob' });
    expect(await alice.api.skills.read(ref)).toMatchObject({ body: given.body, version: 1 });
    await alice.api.skills.share({ id: given.id, isShared: false });
    await expect(bob.api.skills.exportZip(ref)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has at most 100 files of 10 MB together, none of which hides another', async () => {
    const { id } = await alice.api.skills.save(input());
    const put = (path: string, content: string | Uint8Array = 'x') =>
      alice.api.skills.putFile({ id, path, content: base64(content) });
    for (const path of ['../up', '/etc/passwd', 'a/../../b', 'SKILL.md', 'c:\\x', ''])
      await expect(put(path), path).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await put('a/b.txt', 'first')).files).toEqual([{ path: 'a/b.txt', bytes: 5 }]);
    expect((await put('a/b.txt', 'second')).files).toEqual([{ path: 'a/b.txt', bytes: 6 }]);
    expect((await put('A/B.txt', 'third')).files).toEqual([{ path: 'A/B.txt', bytes: 5 }]);
    expect(await whyNot(put('a', 'x'))).toContain('Another file is at a');
    await put('large.bin', new Uint8Array(10 * 1024 * 1024 - 5));
    expect(await whyNot(put('one-more', 'x'))).toContain('10 MB together');
    expect((await alice.api.skills.removeFile({ id, path: 'large.bin' })).files).toHaveLength(1);
    expect(await usesOf(id)).toBe(1);
    const left = await services.deps.db.query.select().from(files).where(eq(files.name, 'large.bin'));
    expect(left.map(({ expiresAt }) => expiresAt)).not.toContain(null);
  });
});

describe('a ZIP file', () => {
  it('becomes a skill with its files, and is the same when it is exported', async () => {
    const entries = {
      'letters/SKILL.md': markdown('letters', 'Dear reader'),
      'letters/scripts/run.py': strToU8('print(1)'),
      'letters/data.bin': new Uint8Array([0, 1, 2, 255]),
      '__MACOSX/letters/._SKILL.md': strToU8('x'),
      'letters/.DS_Store': strToU8('x'),
    };
    const { skill, renamedFrom, isCut } = await importing(alice, zipped(entries));
    expect({ renamedFrom, isCut }).toEqual({ renamedFrom: null, isCut: false });
    expect(skill).toMatchObject({ name: 'letters', description: 'Writes letters', isImported: true });
    const listed = [
      { path: 'data.bin', bytes: 4 },
      { path: 'scripts/run.py', bytes: 8 },
    ];
    expect(skill.files).toEqual(listed);
    const { fileName, content } = await alice.api.skills.exportZip({ ownerId: alice.id, id: skill.id });
    expect(fileName).toBe('letters.zip');
    const back = unzipSync(Buffer.from(content, 'base64'));
    expect(Object.keys(back).toSorted()).toEqual(['letters/SKILL.md', 'letters/data.bin', 'letters/scripts/run.py']);
    expect([...(back['letters/data.bin'] ?? [])]).toEqual([0, 1, 2, 255]);
    const again = await importing(bob, content);
    expect(again.skill).toMatchObject({ name: 'letters', body: 'Dear reader', files: listed });
    // What somebody has changed of it is still not their own word.
    const { id, name, description } = skill;
    expect(await alice.api.skills.save({ id, name, description, body: 'Mine' })).toMatchObject({ isImported: true });
  });

  it('with the name of another skill gets a number', async () => {
    await alice.api.skills.save(input({ name: 'taken' }));
    const { skill, renamedFrom } = await importing(alice, zipped({ 'SKILL.md': markdown('taken') }));
    expect([skill.name, renamedFrom]).toEqual(['taken-2', 'taken']);
  });

  it('with a SKILL.md of 300 kB is cut, and says so', async () => {
    const { skill, isCut } = await importing(alice, zipped({ 'SKILL.md': markdown('long', 'x'.repeat(300_000)) }));
    expect([skill.body.length, isCut]).toEqual([200_000, true]);
  });

  const main = { 'SKILL.md': markdown('bad') };
  const link = zipSync({ ...main, 'link.txt': [strToU8('/etc/passwd'), { os: 3, attrs: 0xa1ff_0000 | 0 }] });
  it.each<[string, string, Zippable | Uint8Array]>([
    ['a path above it', 'names no folder above', { ...main, '../evil.sh': strToU8('x') }],
    ['a path from the root', 'begins with no /', { ...main, '/etc/evil': strToU8('x') }],
    ['a path that goes up in the middle', 'names no folder above', { ...main, 'a/../../evil': strToU8('x') }],
    ['a path of Windows', 'no backslash', { ...main, 'a\\evil': strToU8('x') }],
    ['paths that differ in case only', 'but for case', { ...main, 'a.txt': strToU8('1'), 'A.txt': strToU8('2') }],
    ['a symbolic link', 'is a link', link],
    ['a SKILL.md above it', 'names no folder above', { '../SKILL.md': markdown('up') }],
    ['no SKILL.md', 'no SKILL.md', { 'README.md': strToU8('x') }],
    ['two skills', 'more than one skill', { 'a/SKILL.md': markdown('a'), 'b/SKILL.md': markdown('b') }],
    ['a SKILL.md without a head', 'needs a head', { 'SKILL.md': strToU8('Only text') }],
    [
      '101 files',
      'at most 100 files',
      { ...main, ...Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`${n}`, strToU8('x')])) },
    ],
    ['more than 10 MB', '10 MB', { ...main, large: new Uint8Array(10 * 1024 * 1024 + 1) }],
    ['a bomb', '10 MB', { ...main, ...Object.fromEntries([1, 2, 3].map((n) => [`${n}`, new Uint8Array(9_000_000)])) }],
    ['no archive', 'no ZIP file', strToU8('PK, but not really')],
  ])('with %s is refused, and nothing of it is kept', async (_, why, entries) => {
    const content = entries instanceof Uint8Array ? base64(entries) : zipped(entries);
    const before = (await alice.api.skills.list()).length;
    const { bytes } = await alice.api.files.usage();
    expect(await whyNot(importing(alice, content))).toContain(why);
    expect((await alice.api.skills.list()).length).toBe(before);
    expect((await alice.api.files.usage()).bytes).toBe(bytes);
  });

  it('that declares less than it unpacks to is refused', async () => {
    const bytes = zipSync({ ...main, 'bomb.bin': new Uint8Array(5_000_000) });
    const lying = Buffer.from(bytes);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(5_000_000);
    for (let at = lying.indexOf(size); at >= 0; at = lying.indexOf(size, at + 1)) lying.writeUInt32LE(10, at);
    expect(await whyNot(importing(alice, base64(lying)))).toContain('damaged');
  });
});
