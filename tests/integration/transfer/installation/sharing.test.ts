// Who may use the agents and prompts of another installation here: everybody who could, and nobody else.
import { assistants } from '@parley/db/tables/assistants';
import { prompts } from '@parley/db/tables/prompts';
import { users } from '@parley/db/tables/users';
import { listShared } from '@parley/server/assistants/shared-assistants';
import { assistantRules } from '@parley/server/assistants/rules';
import { listPrompts } from '@parley/server/prompts/list-prompts';
import { importInstallation } from '@parley/server/transfer/installation/import-installation';
import { describeReport } from '@parley/server/transfer/installation/report';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFolder } from '../../../support/folders.ts';
import { company, oldSecrets, writeCompany } from '../../../support/installation/company.ts';
import { openTestServices, type TestServices } from '../../../support/services.ts';

let services: TestServices;
let target: Parameters<typeof importInstallation>[0];

beforeAll(async () => {
  services = await openTestServices();
  const { db, stores, log, config: given } = services.deps;
  const config = { ...given, env: {} };
  target = { db, stores, config, log, isDry: false };
});
afterAll(() => services?.close());
afterEach(async () => {
  await services.deps.db.query.delete(users);
});

type Documents = Awaited<ReturnType<typeof company>>;

async function folderWith(change: (documents: Documents) => object = () => ({})): Promise<string> {
  const folder = createFolder();
  const documents = await company(oldSecrets());
  await writeCompany(folder, { ...documents, ...change(documents) });
  return folder;
}

async function idOf(name: string): Promise<string> {
  const isOne = eq(users.email, `${name}@example.com`);
  const [row] = await services.deps.db.query.select({ id: users.id }).from(users).where(isOne);
  return row?.id ?? expect.fail();
}

/** What of others a person finds. */
async function foundBy(name: string) {
  const { db, config } = services.deps;
  const id = await idOf(name);
  const shared = await listShared(db, id, assistantRules(config));
  const heads = await listPrompts(db, id);
  return { assistants: shared.map((one) => one.name), prompts: heads.map(({ title }) => title) };
}

test('agents and prompts everyone could use are shared with everyone, those some could use with no one', async () => {
  const folder = await folderWith();
  const { aclentries } = await importInstallation(target, folder);
  for (const name of ['bob', 'carol', 'dave', 'erin'])
    expect(await foundBy(name)).toEqual({ assistants: ['Handbook helper'], prompts: ['Summary'] });
  expect(aclentries).toMatchObject({ read: 12, written: 7, present: 0 });
  expect([...aclentries.skipped.values()].reduce((all, n) => all + n, 0)).toBe(5);
});

test('the report names who can no longer use or change what', async () => {
  const folder = await folderWith();
  const dry = describeReport(await importInstallation({ ...target, isDry: true }, folder));
  const real = describeReport(await importInstallation(target, folder));
  for (const report of [dry, real]) {
    expect(report).toContain(
      'agent "Salaries" of alice@example.com: group "Finance" (viewer), erin@example.com (editor)',
    );
    expect(report).toContain('prompt "Offer" of alice@example.com: role SALES (viewer)');
    expect(report).toContain('agent "Handbook helper" of alice@example.com: carol@example.com (editor)');
    expect(report).toContain('"Finance": bob@example.com, dave@example.com');
  }
});

test('a report is as wide as its terminal, and as long lines as it has where that is none', async () => {
  const report = await importInstallation({ ...target, isDry: true }, await folderWith());
  const lines = describeReport(report, 44).split('\n');
  expect(lines.filter((line) => line.length > 44)).toEqual([]);
  const words = (text: string) => text.split(/\s+/).join(' ');
  expect(words(lines.join(' '))).toBe(words(describeReport(report)));
});

test('an agent its owner has unshared here stays unshared when the import runs again', async () => {
  const { query } = services.deps.db;
  const folder = await folderWith();
  await importInstallation(target, folder);
  const again = await importInstallation(target, folder);
  expect(again.aclentries).toMatchObject({ written: 0, present: 7 });
  await query.update(assistants).set({ isShared: false });
  await query.update(prompts).set({ isShared: false });
  const report = describeReport(await importInstallation(target, folder));
  expect(await foundBy('bob')).toEqual({ assistants: [], prompts: [] });
  expect(report).toMatch(/was here before: its owners share it\. "Handbook helper", "Summary"\./);
});

test('assistants stay with their owners where sharing is off, and the report names them', async () => {
  const folder = await folderWith();
  const { config } = target;
  const closed = { ...config, accounts: { ...config.accounts, allowSharedAssistants: false } };
  const report = describeReport(await importInstallation({ ...target, config: closed }, folder));
  expect(await foundBy('bob')).toEqual({ assistants: [], prompts: ['Summary'] });
  expect(report).toContain('switched off here (ALLOW_SHARED_ASSISTANTS): "Handbook helper".');
});

test('an entry without bits has those of its role, and members that the directory names are people', async () => {
  const folder = await folderWith(({ aclentries = [], users: people = [] }) => ({
    aclentries: aclentries.map((one) => ({ ...one, permBits: null, roleId: { $oid: 'of-editors' } })),
    accessroles: [{ _id: { $oid: 'of-editors' }, accessRoleId: 'agent_editor', permBits: 3 }],
    users: people.map((one, at) => ({ ...one, idOnTheSource: `directory-${at}` })),
    groups: [{ _id: { $oid: '65b0000000000000000000d1' }, name: 'Finance', memberIds: ['directory-1'] }],
  }));
  const report = describeReport(await importInstallation(target, folder));
  expect(report).toContain(
    'agent "Salaries" of alice@example.com: group "Finance" (editor), erin@example.com (editor)',
  );
  expect(report).toMatch(/"Finance": bob@example\.com$/m);
  expect(report).toContain('everybody (editor), bob@example.com (editor), carol@example.com (editor)');
});

test('entries that are broken, of strangers or of what is not in the export are counted, and share nothing', async () => {
  const entry = { principalType: 'public', resourceType: 'agent', resourceId: 'gone', permBits: 1 };
  const salaries = { ...entry, resourceId: { $oid: '65b0000000000000000000b2' } };
  const folder = await folderWith(() => ({
    aclentries: [
      entry,
      { ...salaries, permBits: 0 },
      { ...salaries, principalType: 'somebody' },
      { ...salaries, principalType: 'user', principalId: 'gone' },
      {},
    ],
  }));
  const { aclentries } = await importInstallation(target, folder);
  expect((await foundBy('bob')).assistants).toEqual([]);
  expect(aclentries).toMatchObject({ read: 5, written: 0 });
  expect(aclentries.skipped.get('not readable')).toBe(2);
  expect(aclentries.skipped.get('for a person who is not in the export')).toBe(1);
  expect(aclentries.skipped.get('of an agent or a prompt that does not come along')).toBe(1);
});
