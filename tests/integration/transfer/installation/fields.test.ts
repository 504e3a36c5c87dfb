// A dump of LibreChat 0.8 with every field of every collection: each is in the database afterward, or in the report.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { assistants } from '@parley/db/tables/assistants';
import { convos } from '@parley/db/tables/convos';
import { fileUses } from '@parley/db/tables/files';
import { folders } from '@parley/db/tables/folders';
import { messages } from '@parley/db/tables/messages';
import { prompts, promptVersions } from '@parley/db/tables/prompts';
import { users } from '@parley/db/tables/users';
import { createEncryption } from '@parley/server/keys/encryption';
import { findFate, type Fate } from '@parley/server/transfer/installation/fields';
import { importInstallation } from '@parley/server/transfer/installation/import-installation';
import { describeReport } from '@parley/server/transfer/installation/report';
import { messageText } from '@parley/schema/messages/messages';
import { getTableName } from 'drizzle-orm';
import { allTables } from '@parley/db/all-tables';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { installationFolder } from './installation-folder.ts';
import { openTestServices, type TestServices } from '../../../support/services.ts';

type Document = Record<string, unknown>;

let services: TestServices;
let target: Parameters<typeof importInstallation>[0];

beforeAll(async () => {
  services = await openTestServices();
  const { db, stores, config, log } = services.deps;
  const encryption = createEncryption(randomBytes(32).toString('hex'), []);
  target = { db, stores, config, log, encryption, isDry: false };
});
afterAll(() => services?.close());
afterEach(async () => {
  await services.deps.db.query.delete(users);
});

const fixture = new URL('../../../fixtures/librechat-0.8-documents.json', import.meta.url);
const readFixture = async () => JSON.parse(await readFile(fixture, 'utf8')) as Record<string, Document>;

/** A folder with one document of each collection, and the bytes of its files. */
async function folderOf(documents: Record<string, Document>): Promise<string> {
  const folder = await installationFolder(
    Object.fromEntries(Object.entries(documents).map(([name, one]) => [name, [one]])),
  );
  await mkdir(join(folder, 'uploads/u1'), { recursive: true });
  await writeFile(join(folder, 'uploads/u1/notes.txt'), 'Some notes');
  return folder;
}

async function everything(): Promise<string> {
  const { db } = services.deps;
  const rows = await Promise.all(
    Object.values(allTables).map(async (table) =>
      JSON.stringify(await db.sql.unsafe(`select * from "${getTableName(table)}"`)),
    ),
  );
  return rows.join('\n').toLowerCase();
}

test('each field of each collection is in the database or in the report', async () => {
  const documents = await readFixture();
  const { fields, others } = await importInstallation(target, await folderOf(documents));
  const stored = await everything();
  const lost: string[] = [];
  for (const [collection, document] of Object.entries(documents))
    for (const [field, value] of Object.entries(document)) {
      const name = `${collection}.${field}`;
      if (fields.has(name) || others.has(collection)) continue;
      const fate = findFate(collection, field);
      if (isOrdinary(fate, value)) continue;
      const mark = /@[a-z._]+/i.exec(JSON.stringify(value))?.[0].toLowerCase();
      const isStored = mark !== undefined && stored.includes(mark);
      if (typeof fate !== 'string' && !isStored) lost.push(`${name}: neither taken nor said`);
      else if (fate === 'taken' && mark && !isStored) lost.push(`${name}: ${mark} is in no table`);
    }
  expect(lost).toEqual([]);
});

/** A value that every document has, so that nothing is lost. */
function isOrdinary(fate: Fate | null, value: unknown): boolean {
  return typeof fate === 'object' && fate?.unless === value;
}

test('a field that a later version adds is said by its name, and the report says what to do about a collection', async () => {
  const documents = await readFixture();
  documents.agents = { ...documents.agents, brandNew: { a: 1 } };
  const report = describeReport(await importInstallation(target, await folderOf(documents)));
  expect(report).toContain('- not known here:\n    agents: brandNew (1)\n');
  expect(report).toMatch(/- assistants have no parameters of their own: .*:\n {4}agents: model_parameters \(1\)\n/);
  expect(report).toContain('- memoryentries (1): memories have no place here: people copy what they need');
  expect(report).toContain('- projects (1): projects have no place here: make folders');
  expect(report).toContain('Tools of agents that are to be chosen anew: web_search.');
});

test('a conversation with an agent is one with its assistant, which has the files of the agent', async () => {
  const documents = await readFixture();
  const told = { endpoint: 'agents', endpointType: null };
  documents.conversations = { ...documents.conversations, ...told, model: 'agent_1', assistant_id: null };
  const mark = '\ue202turn0search0';
  const text = { type: 'text', text: `Found.${mark} More.` };
  documents.messages = { ...documents.messages, ...told, model: 'agent_1', content: [text], plugins: [], plugin: null };
  await importInstallation(target, await folderOf(documents));
  const { query } = services.deps.db;
  const all = await query.select().from(assistants);
  const agent = all.find(({ name }) => name === '@agents.name');
  const [convo] = await query.select().from(convos);
  expect(convo).toMatchObject({ endpoint: 'assistants', endpointType: 'assistants', model: '@agents.model' });
  expect(convo?.settings).toMatchObject({ assistant_id: agent?.id });
  expect(agent).toMatchObject({ instructions: '@agents.instructions', tools: [{ type: 'retrieval' }] });
  const uses = await query.select().from(fileUses);
  expect(uses.filter(({ ref }) => ref === agent?.id)).toHaveLength(1);
  const [message] = await query.select().from(messages);
  expect(message).toMatchObject({ endpoint: 'assistants', model: '@agents.model', rating: -1 });
  expect(messageText(message ?? { parts: [] })).toContain(
    'Found. ([@messages.attachments](https://found.example/)) More.',
  );
});

test('prompts come with their versions, bookmarks as folders', async () => {
  const documents = await readFixture();
  const folder = await folderOf(documents);
  const text = (id: string, prompt: string, day: string) => ({
    ...documents.prompts,
    _id: { $oid: id },
    prompt,
    createdAt: { $date: `2024-02-0${day}T00:00:00.000Z` },
  });
  const used = documents.prompts?._id as { $oid: string };
  const texts = [
    text('65a00000000000000000000a', 'First', '1'),
    text(used.$oid, 'Used', '2'),
    text('65a00000000000000000000b', 'Draft', '3'),
  ];
  await writeFile(join(folder, 'prompts.json'), texts.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const report = await importInstallation(target, folder);
  expect(report.promptgroups).toMatchObject({ read: 1, written: 1 });
  const { query } = services.deps.db;
  const [prompt] = await query.select().from(prompts);
  expect(prompt).toMatchObject({
    command: 'groupcommand',
    title: '@promptgroups.name',
    body: 'Used',
    tags: ['@category'],
    version: 3,
  });
  const versions = await query.select().from(promptVersions).orderBy(promptVersions.n);
  expect(versions.map(({ n, body }) => [n, body])).toEqual([
    [1, 'First'],
    [2, 'Draft'],
    [3, 'Used'],
  ]);
  const again = await importInstallation(target, folder);
  expect(again.promptgroups).toMatchObject({ written: 0, present: 1 });
  const made = await query.select().from(folders);
  const [convo] = await query.select().from(convos);
  expect(made.map(({ id, name }) => [id, name])).toEqual([[convo?.folderId, 'Work']]);
  expect([...report.conversationtags.skipped]).toEqual([
    ['further bookmarks of a conversation, which has one folder', 1],
  ]);
});

test('instructions that are longer than an assistant may have are cut, and the report names the agent', async () => {
  const documents = await readFixture();
  documents.agents = { ...documents.agents, instructions: 'x'.repeat(40_000) };
  const report = describeReport(await importInstallation(target, await folderOf(documents)));
  expect(report).toContain('Instructions of agents that were cut at 32768 characters: @agents.name.');
  const rows = await services.deps.db.query.select().from(assistants);
  expect(rows.find(({ name }) => name === '@agents.name')?.instructions).toHaveLength(32_768);
});
