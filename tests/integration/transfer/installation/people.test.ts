// Who an account here is, what people bring beside their conversations, and what an operator is told.
import { createCipheriv, randomBytes } from 'node:crypto';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assistants } from '@parley/db/tables/assistants';
import { balances } from '@parley/db/tables/balances';
import { convos } from '@parley/db/tables/convos';
import { presets } from '@parley/db/tables/presets';
import { identities, users } from '@parley/db/tables/users';
import { decryptSecrets } from '@parley/server/actions/secrets';
import { readActions } from '@parley/server/actions/rows';
import { createUser } from '@parley/server/auth/users';
import { createEncryption } from '@parley/server/keys/encryption';
import { findEncrypted } from '@parley/server/keys/keys';
import { readPluginValues } from '@parley/server/plugins/keys';
import { importInstallation } from '@parley/server/transfer/installation/import-installation';
import { readOldSecrets } from '@parley/server/transfer/installation/people/old-secrets';
import { describeReport } from '@parley/server/transfer/installation/report';
import { eq, like } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { installationFolder } from './installation-folder.ts';
import { openTestServices, type TestServices } from '../../../support/services.ts';

let services: TestServices;
let dry: Parameters<typeof importInstallation>[0];
let real: typeof dry;

beforeAll(async () => {
  services = await openTestServices();
  const { db, stores, config, log } = services.deps;
  const encryption = createEncryption(randomBytes(32).toString('hex'), []);
  real = { db, stores, config, log, encryption, isDry: false };
  dry = { ...real, isDry: true };
});
afterAll(() => services?.close());
afterEach(async () => {
  await services.deps.db.query.delete(users);
});

const victim = {
  users: [{ _id: 'u1', email: 'Victim@example.com', name: 'Victim' }],
  conversations: [{ conversationId: 'c1', user: 'u1', title: 'Private', endpoint: 'openAI' }],
  messages: [{ messageId: 'm1', conversationId: 'c1', text: 'Hello', isCreatedByUser: true }],
  balances: [{ user: 'u1', tokenCredits: 500 }],
};
const query = () => services.deps.db.query;
const convosOf = (userId: string | undefined) => query().$count(convos, eq(convos.userId, userId ?? ''));

test('people of a directory sign in to the account that they had, by the same id', async () => {
  const person = { name: 'Ann', emailVerified: true, provider: 'ldap' };
  const folder = await installationFolder({
    users: [
      { _id: 'u1', email: 'ann@example.com', ...person, ldapId: 'ann' },
      { _id: 'u2', email: 'other@example.com', ...person, ldapId: 'ann' },
      { _id: 'u3', email: 'bob@example.com', ...person, ldapId: { odd: true } },
    ],
  });
  await importInstallation(real, folder);
  await importInstallation(real, folder);
  const accounts = await query().select().from(users);
  const ann = accounts.find(({ email }) => email === 'ann@example.com');
  expect(accounts.map(({ email, provider }) => [email, provider]).toSorted()).toEqual([
    ['ann@example.com', 'ldap'],
    ['bob@example.com', 'local'],
    ['other@example.com', 'ldap'],
  ]);
  expect(await query().select().from(identities)).toMatchObject([
    { provider: 'ldap', subject: 'ann', userId: ann?.id },
  ]);
});

test('an account that somebody registered without proof gets nothing of the person whose address it has', async () => {
  const folder = await installationFolder(victim);
  const thief = await createUser(services.deps.db, { email: 'victim@example.com', name: 'Thief' });
  for (const target of [dry, real]) {
    const failure: unknown = await importInstallation(target, folder).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/^Error: Nothing was written: .*\n {2}victim@example\.com\n.*--join <address>/s);
  }
  expect(await convosOf(thief?.id)).toBe(0);
  expect(await query().$count(balances)).toBe(0);
});

test('an account joins by an address that was proved, or that the operator names, and the report names it', async () => {
  const folder = await installationFolder(victim);
  const proved = await createUser(services.deps.db, { email: 'victim@example.com', name: 'V', emailVerified: true });
  const report = await importInstallation(real, folder);
  expect(await convosOf(proved?.id)).toBe(1);
  expect(describeReport(report)).toContain('Joined with the account that was here:\n- victim@example.com');

  for (const named of [{ join: ['VICTIM@example.com'] }, { joinsAll: true }]) {
    await query().delete(users);
    const one = await createUser(services.deps.db, { email: 'victim@example.com', name: 'V' });
    expect((await importInstallation({ ...real, ...named }, folder)).joined).toEqual(['victim@example.com']);
    expect(await convosOf(one?.id)).toBe(1);
  }
  await expect(importInstallation({ ...real, join: ['other@example.com'] }, folder)).rejects.toThrow(
    'The export has nobody with the address other@example.com.',
  );
});

test('accounts of an earlier run are no strangers', async () => {
  const folder = await installationFolder(victim);
  await importInstallation(real, folder);
  expect(await importInstallation(real, folder)).toMatchObject({ joined: [], users: { present: 1 } });
});

test('the first person of an export without an administrator is none, and the operator is told what to do', async () => {
  const folder = await installationFolder({ users: [...victim.users, { _id: 'u2', email: 'two@example.com' }] });
  const { notes } = await importInstallation(real, folder);
  expect(notes).toEqual([
    'Nobody is an administrator: run this again with --admin <address>, which adds nothing else.',
  ]);
  // Nor is who registers next.
  expect(await createUser(services.deps.db, { email: 'next@example.com', name: 'Next' })).toMatchObject({
    role: 'USER',
  });
  expect((await importInstallation({ ...real, admin: 'Two@example.com' }, folder)).notes).toEqual([]);
  const rows = await query().select({ email: users.email, role: users.role }).from(users).orderBy(users.email);
  expect(rows.filter(({ role }) => role === 'ADMIN').map(({ email }) => email)).toEqual(['two@example.com']);
  await expect(importInstallation({ ...real, admin: 'nobody@example.com' }, folder)).rejects.toThrow('nobody becomes');
});

test('the administrator of the export is one here', async () => {
  const folder = await installationFolder({
    users: [...victim.users, { _id: 'u2', email: 'boss@example.com', role: 'ADMIN' }],
  });
  expect((await importInstallation(real, folder)).notes).toEqual([]);
  const rows = await query().select({ role: users.role }).from(users).orderBy(users.email);
  expect(rows).toEqual([{ role: 'ADMIN' }, { role: 'USER' }]);
});

const oldKey = randomBytes(32).toString('hex');
const oldIv = randomBytes(16).toString('hex');

function encryptedThere(text: string, iv = oldIv): string {
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(oldKey, 'hex'), Buffer.from(iv, 'hex'));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('hex');
  return iv === oldIv ? hidden : `${iv}:${hidden}`;
}

const PETS = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example.com' }],
  paths: { '/pets': { get: { operationId: 'listPets', summary: 'Lists pets' } } },
});

function withEverything() {
  const ownIv = randomBytes(16).toString('hex');
  const auth = { type: 'service_http', authorization_type: 'bearer' };
  const action = { metadata: { raw_spec: PETS, domain: 'pets.example.com', auth } };
  return {
    users: [{ _id: { $oid: 'u1' }, email: 'one@example.com', avatar: '/images/u1/face.png?manual=true' }],
    presets: [
      {
        presetId: 'p1',
        user: 'u1',
        title: 'Agent',
        endpoint: 'gptPlugins',
        defaultPreset: true,
        order: 0,
        agentOptions: {
          agent: 'classic',
          skipCompletion: false,
          model: 'gpt-4',
          temperature: { $numberDouble: '0.3' },
        },
      },
      { presetId: 'p2', user: 'u1', title: 'Other', endpoint: 'openAI' },
    ],
    conversations: [
      {
        conversationId: 'c1',
        user: 'u1',
        title: 'Tools',
        endpoint: 'gptPlugins',
        agentOptions: { agent: 'classic', skipCompletion: false, model: 'gpt-4', temperature: 0.4 },
      },
    ],
    messages: victim.messages,
    keys: [
      { userId: { $oid: 'u1' }, name: 'openAI', value: encryptedThere('{"apiKey":"sk-mine"}'), expiresAt: null },
      { userId: 'u1', name: 'anthropic', value: encryptedThere('ant'), expiresAt: { $date: '2020-01-01T00:00:00Z' } },
      { userId: 'u1', name: 'google', value: 'abcd' },
    ],
    pluginauths: [
      { userId: 'u1', authField: 'GOOGLE_CSE_ID', value: encryptedThere('cse') },
      { userId: 'u1', authField: 'NO_SUCH_FIELD', value: encryptedThere('x') },
    ],
    assistants: [
      {
        user: { $oid: 'u1' },
        assistant_id: 'asst_abcdefghijklmnopqrstuvwx',
        conversation_starters: ['Hello?'],
        avatar: { filepath: '/images/u1/robot.png', source: 'local' },
      },
    ],
    agents: [
      {
        id: 'agent_one',
        author: { $oid: 'u1' },
        name: 'Helper',
        instructions: 'Be kind.',
        provider: 'openAI',
        model: 'gpt-4o',
        tools: ['search_mcp_notes', 'execute_code', 'file_search', 'google', 'listPets_action_cGV0cw'],
      },
    ],
    actions: [{ ...action, user: { $oid: 'u1' }, action_id: 'a1', assistant_id: 'asst_abcdefghijklmnopqrstuvwx' }].map(
      (one) => ({ ...one, metadata: { ...one.metadata, api_key: encryptedThere('secret', ownIv) } }),
    ),
    prompts: [{ a: 1 }, { a: 2 }],
    sessions: [{ a: 1 }],
  };
}

async function withPictures(folder: string): Promise<void> {
  await mkdir(join(folder, 'images/u1'), { recursive: true });
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#468' } }).png();
  await image.toFile(join(folder, 'images/u1/face.png'));
  await cp(join(folder, 'images/u1/face.png'), join(folder, 'images/u1/robot.png'));
}

/** What follows the collections that every report has. */
const ends = (text: string) =>
  text
    .split('\n')
    .slice(9)
    .map((line) => line.trim().replaceAll(/ +/g, ' '));

test('keys, images, assistants, actions, default presets and agent options come along, once', async () => {
  const folder = await installationFolder(withEverything());
  await withPictures(folder);
  const oldSecrets = readOldSecrets(oldKey, oldIv);
  const counted = (numbers: string) =>
    ['avatars', 'assistants', 'agents', 'actions'].map((name) => `${name} 1 ${numbers} 0`);
  const [written, there] = [counted('1 0'), counted('0 1')];
  const target = { ...real, ...(oldSecrets && { oldSecrets }) };
  const foreseen = ends(describeReport(await importInstallation({ ...target, isDry: true }, folder)));
  const report = await importInstallation(target, folder);
  const lines = ends(describeReport(report));
  expect(lines.slice(0, 4)).toEqual(written);
  expect(lines.slice(4)).toEqual([
    'prompts 2 0 0 2',
    '2 skipped: not readable',
    'keys 3 1 0 2',
    '1 skipped: they have expired',
    '1 skipped: these secrets do not decrypt them',
    'pluginauths 2 1 0 1',
    '1 skipped: no plugin here has such a field',
    '',
    'Collections that have no place here:',
    '- sessions (1): people sign in again',
    '',
    'Fields that stay behind:',
    '- not known here:',
    'prompts: a (2)',
    '',
    'To do, or to know:',
    '- Nobody is an administrator: run this again with --admin <address>, which adds nothing else.',
    '- Names, models, instructions and tools of assistants are kept at OpenAI: fill them in in the builder.',
    '- Tools of agents that are to be chosen anew: google, search_mcp_notes.',
  ]);
  expect(foreseen).toEqual(lines.filter((line) => !line.startsWith('- Nobody is')));
  expect(ends(describeReport(await importInstallation(target, folder))).slice(0, 4)).toEqual(there);

  const { db } = services.deps;
  const [one] = await query().select().from(users);
  const userId = one?.id ?? '';
  expect(one?.avatar).toMatch(/^\/images\/.*\?manual=true$/);
  const key = await findEncrypted(db, userId, 'openAI');
  const encryption = real.encryption ?? expect.fail();
  expect(encryption.decrypt(key?.encrypted ?? '', { userId, name: 'openAI' })).toBe('{"apiKey":"sk-mine"}');
  expect(await readPluginValues(db, encryption, userId, ['GOOGLE_CSE_ID'])).toEqual(
    new Map([['GOOGLE_CSE_ID', 'cse']]),
  );
  const agentOptions = { agent: 'classic', skipCompletion: false, model: 'gpt-4' };
  expect(await query().select().from(presets).orderBy(presets.title)).toMatchObject([
    { title: 'Agent', isDefault: true, settings: { agentOptions: { ...agentOptions, temperature: 0.3 } } },
    { title: 'Other', isDefault: false },
  ]);
  expect(await query().select().from(convos)).toMatchObject([
    { settings: { agentOptions: { ...agentOptions, temperature: 0.4 } } },
  ]);
  const rows = await query().select().from(assistants).where(like(assistants.id, 'asst_%')).orderBy(assistants.model);
  expect(rows).toMatchObject([
    { id: 'asst_abcdefghijklmnopqrstuvwx', metadata: { conversation_starters: ['Hello?'] } },
    {
      name: 'Helper',
      endpoint: 'openAI',
      model: 'gpt-4o',
      instructions: 'Be kind.',
      tools: [{ type: 'code_interpreter' }, { type: 'retrieval' }],
    },
  ]);
  expect(rows[0]?.metadata.avatar).toMatch(/^\/images\//);
  expect(rows[0]?.tools).toMatchObject([{ type: 'function', function: { name: 'listPets_action_pets.example.com' } }]);
  const [action] = await readActions(db, userId);
  expect(action && decryptSecrets(encryption, action)).toEqual({ type: 'service_http', apiKey: 'secret' });
});

test("keys stay behind without the other installation's secrets, and the report says so", async () => {
  const folder = await installationFolder(withEverything());
  const lines = ends(describeReport(await importInstallation(real, folder)));
  expect(lines).toContain('1 skipped: their keys are not decrypted, see LIBRECHAT_CREDS_KEY and LIBRECHAT_CREDS_IV');
  expect(lines).toContain('2 skipped: LIBRECHAT_CREDS_KEY and LIBRECHAT_CREDS_IV are not given');
  expect(() => readOldSecrets('short', oldIv)).toThrow('LIBRECHAT_CREDS_KEY must be the 64 hex digits');
});

test('a dry run tells what is there already', async () => {
  const folder = await installationFolder({
    ...victim,
    presets: [{ presetId: 'p1', user: 'u1', title: 'One', endpoint: 'openAI' }],
  });
  await importInstallation(real, folder);
  const {
    users: people,
    conversations,
    messages,
    presets: saved,
    balances: credits,
  } = await importInstallation(dry, folder);
  for (const count of [people, conversations, messages, saved, credits])
    expect(count).toMatchObject({ written: 0, present: 1 });
});

test('a folder that is no export is answered with what to do', async () => {
  const empty = await installationFolder({});
  await expect(importInstallation(dry, empty)).rejects.toThrow(
    /has no users\.json\. Export each collection .*mongoexport/,
  );
  await expect(importInstallation(dry, join(empty, 'gone'))).rejects.toThrow(/cannot be read \(ENOENT\)\. Export each/);
  await mkdir(join(empty, 'LibreChat'));
  await writeFile(join(empty, 'LibreChat/users.bson'), '');
  await expect(importInstallation(dry, empty)).rejects.toThrow(/is a dump of mongodump.*bsondump --outFile/);
  await expect(importInstallation(dry, join(empty, 'LibreChat/users.bson'))).rejects.toThrow(
    /is a file, not the folder/,
  );
});

test('a long import tells how far it is', async () => {
  const told: number[] = [];
  const folder = await installationFolder(victim);
  await importInstallation({ ...real, onProgress: ({ conversations }) => void told.push(conversations.read) }, folder);
  expect(told).toEqual([1]);
});
