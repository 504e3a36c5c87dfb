import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { balances } from '@parley/db/tables/balances';
import { convos } from '@parley/db/tables/convos';
import { files, fileUses } from '@parley/db/tables/files';
import { messages } from '@parley/db/tables/messages';
import { presets } from '@parley/db/tables/presets';
import { users } from '@parley/db/tables/users';
import { importInstallation } from '@parley/server/transfer/installation/import-installation';
import { describeReport } from '@parley/server/transfer/installation/report';
import { hash } from 'bcryptjs';
import { count, eq, like } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PASSWORD, writeInstallation } from '@parley/scripts/seed/installation';
import { createAccounts, createBrowser } from '../../auth/browser.ts';
import { openTestServices, type TestServices } from '../../../support/services.ts';

let services: TestServices;
let folder: string;

beforeAll(async () => {
  services = await openTestServices();
  folder = await mkdtemp(join(tmpdir(), 'parley-installation-'));
  await writeInstallation(folder, { users: 3, convosPerUser: 4, messagesPerConvo: 10 }, await hash(PASSWORD, 10));
});
afterAll(async () => {
  await services?.close();
  await rm(folder, { recursive: true, force: true });
});

const total = { users: 3, convos: 12, messages: 120 };

async function counted() {
  const { query } = services.deps.db;
  const [inUsers, inConvos, inMessages, inPresets, inBalances] = await Promise.all([
    query.select({ n: count() }).from(users),
    query.select({ n: count() }).from(convos),
    query.select({ n: count() }).from(messages),
    query.select({ n: count() }).from(presets),
    query.select({ n: count() }).from(balances),
  ]);
  return [inUsers, inConvos, inMessages, inPresets, inBalances].map(([row]) => row?.n);
}

test('an installation is imported once: counts, passwords, settings and times', async () => {
  const { db } = services.deps;
  const before = await counted();
  const dry = await importInstallation({ ...services.deps, isDry: true }, folder);
  expect(dry.messages).toMatchObject({ read: total.messages, written: total.messages, present: 0 });
  expect(await counted()).toEqual(before);

  const report = await importInstallation({ ...services.deps, isDry: false }, folder);
  expect(describeReport(report).split('\n')).toEqual([
    'Documents that were read, are new here, were here before, and were skipped:',
    '               read  new  here  skipped',
    'users             3    3     0        0',
    'conversations    12   12     0        0',
    'messages        120  120     0        0',
    'presets           3    3     0        0',
    'balances          3    3     0        0',
    'transactions      0    0     0        0',
    'files             0    0     0        0',
  ]);
  const added = [total.users, total.convos, total.messages, 3, 3];
  expect(await counted()).toEqual(before.map((n, index) => (n ?? 0) + (added[index] ?? 0)));

  const again = await importInstallation({ ...services.deps, isDry: false }, folder);
  expect(again.users).toMatchObject({ written: 0, present: 3 });
  expect(again.messages).toMatchObject({ read: 120, written: 0, present: 120 });
  expect(await counted()).toEqual(before.map((n, index) => (n ?? 0) + (added[index] ?? 0)));

  const [convo] = await db.query.select().from(convos).where(eq(convos.title, 'Conversation 1 of person 0'));
  expect(convo).toMatchObject({ model: 'gpt-4', settings: { temperature: 0.5 } });
  expect(new Date(convo?.updatedAt ?? 0).toISOString()).toBe('2024-01-02T00:01:00.000Z');
  const said = await db.query
    .select()
    .from(messages)
    .where(eq(messages.convoId, convo?.id ?? ''));
  expect(said.map(({ depth }) => depth).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(said.every(({ tokenCount }) => tokenCount === 12)).toBe(true);
});

test('conversations of people that an export mixes are saved in one transaction for each person', async () => {
  const own = await mkdtemp(join(tmpdir(), 'parley-installation-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  const write = (name: string, documents: object[]) => writeFile(join(own, name), documents.map(toLine).join(''));
  const people = ['mixed0', 'mixed1', 'mixed2'];
  const talks = Array.from({ length: 15 }, (_, at) => ({ conversationId: randomUUID(), user: people[at % 3] }));
  await write(
    'users.json',
    people.map((_id) => ({ _id, email: `${_id}@elsewhere.example` })),
  );
  await write(
    'conversations.json',
    talks.map((talk) => ({ ...talk, title: 'Mixed', endpoint: 'openAI' })),
  );
  await write(
    'messages.json',
    talks.map(({ conversationId }) => ({
      messageId: randomUUID(),
      conversationId,
      isCreatedByUser: true,
      text: 'Hello',
    })),
  );
  const report = await importInstallation({ ...services.deps, isDry: false }, own);
  expect(report.messages).toMatchObject({ read: 15, written: 15 });
  const [row] = await services.deps.db.sql<{ transactions: number }[]>`
    select count(distinct messages.xmin::text)::int as transactions from messages
    join convos on convos.user_id = messages.user_id and convos.id = convo_id where title = 'Mixed'`;
  expect(row?.transactions).toBe(people.length);
});

test('its people sign in with their passwords, which are kept as argon2id from then on', async () => {
  const { deps } = await createAccounts(services.deps.db);
  const signIn = async (password: string) =>
    (await createBrowser(deps).api()).login({ email: 'person1@elsewhere.example', password });
  await expect(signIn('another password')).rejects.toThrow();
  await signIn(PASSWORD);
  const row = () => services.deps.db.query.select().from(users).where(like(users.email, 'person1@%'));
  expect((await row())[0]?.passwordHash).toMatch(/^\$argon2id\$/);
  await signIn(PASSWORD);
});

test('files whose bytes lie beside the export come along, once, and stand at their messages', async () => {
  const own = await mkdtemp(join(tmpdir(), 'parley-installation-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  const write = (name: string, documents: object[]) => writeFile(join(own, name), documents.map(toLine).join(''));
  const file = (id: string, filename: string, filepath: string, over = {}) =>
    Object.assign({ user: { $oid: 'u20' }, file_id: id, filename, filepath, bytes: 1, source: 'local' }, over);
  const messageId = randomUUID();
  await write('users.json', [{ _id: 'u20', email: 'twenty@elsewhere.example' }]);
  await write('conversations.json', [{ conversationId: 'f1', user: 'u20', title: 'Files', endpoint: 'openAI' }]);
  await write('messages.json', [
    {
      messageId,
      conversationId: 'f1',
      parentMessageId: null,
      isCreatedByUser: true,
      text: 'Look',
      files: ['photo', 'notes', 'gone'].map((id) => ({ file_id: id, filename: `${id}.name`, type: 'text/plain' })),
    },
  ]);
  const secret = join(own, 'secret.txt');
  await writeFile(secret, 'of the operator');
  await write('files.json', [
    file('photo', 'photo.png', '/images/u20/photo.png?manual=true', { type: 'image/png' }),
    file('notes', 'notes.txt', '/uploads/u20/notes.txt', { createdAt: { $date: '2023-05-01T10:00:00.000Z' } }),
    file('unused', 'unused.txt', '/uploads/u20/unused.txt'),
    file('gone', 'gone.txt', '/uploads/u20/gone.txt'),
    file('outside', 'secret.txt', '/uploads/../secret.txt'),
    file('linked', 'linked.txt', '/uploads/u20/linked.txt'),
    file('face', 'face.png', '/images/u20/face.png', { context: 'avatar' }),
    file('foreign', 'foreign.txt', '/uploads/u20/notes.txt', { user: 'nobody' }),
  ]);
  await Promise.all(['images/u20', 'uploads/u20'].map((name) => mkdir(join(own, name), { recursive: true })));
  const photo = sharp({ create: { width: 4, height: 3, channels: 3, background: '#468' } });
  await photo.png().toFile(join(own, 'images/u20/photo.png'));
  await writeFile(join(own, 'uploads/u20/notes.txt'), 'Some notes');
  await writeFile(join(own, 'uploads/u20/unused.txt'), 'Kept, too');
  await symlink(secret, join(own, 'uploads/u20/linked.txt'));

  const dry = await importInstallation({ ...services.deps, isDry: true }, own);
  expect(dry.files).toMatchObject({ read: 8, written: 3, present: 0 });
  const { files: first } = await importInstallation({ ...services.deps, isDry: false }, own);
  expect(first).toMatchObject({ read: 8, written: 3, present: 0 });
  expect([...first.skipped]).toEqual([
    ['their bytes are not in the folder; messages keep their names', 3],
    ['pictures of people and assistants, which come with them', 1],
    ['their user is not in the export', 1],
  ]);
  const { files: again } = await importInstallation({ ...services.deps, isDry: false }, own);
  expect(again).toMatchObject({ written: 0, present: 3 });

  const { db } = services.deps;
  const rows = await db.query.select().from(files).orderBy(files.name);
  expect(rows.map(({ name, expiresAt }) => [name, expiresAt])).toEqual([
    ['notes.txt', null],
    ['photo.png', null],
    ['unused.txt', null],
  ]);
  expect(Date.parse(rows[0]?.createdAt ?? '')).toBe(Date.parse('2023-05-01T10:00:00.000Z'));
  const [message] = await db.query.select().from(messages).where(eq(messages.id, messageId));
  expect(message?.parts).toMatchObject([
    { type: 'text', text: 'Look' },
    { type: 'image', fileId: rows[1]?.id, width: 4, height: 3 },
    { type: 'file', fileId: rows[0]?.id, name: 'notes.txt', bytes: 10 },
    { type: 'text', text: '\n[file: gone.name]' },
  ]);
  expect(await db.query.select({ n: count() }).from(fileUses)).toEqual([{ n: 2 }]);
});

test('lists, unreadable documents and strangers are reported, and an interrupted run goes on', async () => {
  await writeFile(
    join(folder, 'users.json'),
    JSON.stringify([{ _id: 'u9', email: 'nine@elsewhere.example' }, { _id: 'u10' }]),
  );
  const convo = (id: string, user: string) => ({ conversationId: id, user, title: 'T {"quoted"', endpoint: 'openAI' });
  await writeFile(
    join(folder, 'conversations.json'),
    JSON.stringify([convo('c1', 'u9'), convo('c2', 'nobody')], null, 2),
  );
  const one = (id: string, parent: string | null, conversationId = 'c1') =>
    `${JSON.stringify({ messageId: id, parentMessageId: parent, conversationId, text: `Text } of ${id}`, isCreatedByUser: true })}\n`;
  await writeFile(join(folder, 'messages.json'), one('m1', null) + one('m3', 'm2', 'c2') + one('m4', null, 'lost'));
  const first = await importInstallation({ ...services.deps, isDry: false }, folder);
  expect(first.users).toMatchObject({ read: 2, written: 1 });
  expect(first.conversations).toMatchObject({ read: 2, written: 1 });
  expect(first.messages.written).toBe(1);
  expect([...first.messages.skipped]).toEqual([
    ['of a conversation that is skipped: its user is not in the export', 1],
    ['their conversation is not in the export', 1],
  ]);
  await appendFile(join(folder, 'messages.json'), `{"broken" "json"}\n${one('m2', 'm1')}`);
  const second = await importInstallation({ ...services.deps, isDry: false }, folder);
  expect(second.messages).toMatchObject({ read: 5, written: 1, present: 1 });
  expect(second.messages.skipped.get('not readable')).toBe(1);

  const broken = [
    '{"messageId": "b1',
    '{"messageId": "b2", "files": [{"name": "x"',
    '{"messageId": b3", "text": "a"}',
    '{',
  ];
  await appendFile(join(folder, 'messages.json'), broken.map((line, at) => `${line}\n${one(`n${at}`, null)}`).join(''));
  const third = await importInstallation({ ...services.deps, isDry: false }, folder);
  expect(third.messages).toMatchObject({ read: 13, written: broken.length, present: 2 });
  expect(third.messages.skipped.get('not readable')).toBe(1 + broken.length);
});

function toLine(document: object): string {
  return `${JSON.stringify(document)}\n`;
}
