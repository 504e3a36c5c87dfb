// People of another installation sign in here as they did there: by password, second factor and site.
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convos } from '@parley/db/tables/convos';
import { identities, users } from '@parley/db/tables/users';
import { startFakeIdentity, type FakeIdentity } from '@parley/scripts/fake-identity';
import { createStores } from '@parley/server/files/stores/create-stores';
import { importInstallation } from '@parley/server/transfer/installation/import-installation';
import { readOldSecrets } from '@parley/server/transfer/installation/people/old-secrets';
import { createEncryption } from '@parley/server/keys/encryption';
import { loadConfig } from '@parley/server/load-config';
import { loadSecrets } from '@parley/server/config/parts/secrets';
import { hash } from 'bcryptjs';
import { pino } from 'pino';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { authenticatorCode } from '../../../support/accounts/authenticator-app.ts';
import { installationFolder } from './installation-folder.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { createOAuthBrowser } from '../../auth/oauth-browser.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const HOME = 'http://parley.test';
const PASSWORD = 'correct horse battery';
const key = randomBytes(32).toString('hex');
const iv = randomBytes(16).toString('hex');
const TOTP = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

let site: FakeIdentity;
let server: TestServer;
let folder: string;
let target: Parameters<typeof importInstallation>[0];
let bcrypt: string;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  site = await startFakeIdentity();
  const env = {
    DOMAIN_SERVER: HOME,
    LOGIN_MAX: '1000',
    REGISTER_MAX: '1000',
    CREDS_KEY: randomBytes(32).toString('hex'),
  };
  const secrets = { JWT_SECRET: randomBytes(32).toString('hex'), JWT_REFRESH_SECRET: randomBytes(32).toString('hex') };
  const all = { ...env, ...secrets, ...site.env };
  server = await startTestServer({ env: all });
  folder = await mkdtemp(join(tmpdir(), 'parley-sign-in-'));
  const config = await loadConfig({ env: { DATA_DIR: folder, ...all }, cwd: folder });
  const { credsKey, jwtSecret } = await loadSecrets(folder, config.env);
  const encryption = createEncryption(credsKey, []);
  const log = pino({ level: 'silent' });
  target = { db: server.db, stores: createStores(config), config, log, encryption, jwtSecret, isDry: false };
  bcrypt = await hash(PASSWORD, 10);
});
afterAll(async () => {
  vi.useRealTimers();
  await server?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await server.db.query.delete(users);
});

/** As the other installation encrypts: `v3` in its newer versions. */
function encryptedThere(text: string, version: 'v2' | 'v3'): string {
  const own = randomBytes(16);
  const cipher = createCipheriv(version === 'v3' ? 'aes-256-ctr' : 'aes-256-cbc', Buffer.from(key, 'hex'), own);
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('hex');
  return `${version === 'v3' ? 'v3:' : ''}${own.toString('hex')}:${hidden}`;
}

const BACKUP = 'a1b2c3d4';
const backupCodes = [
  { codeHash: createHash('sha256').update(BACKUP).digest('hex'), used: false, usedAt: null },
  {
    codeHash: createHash('sha256').update('0badc0de').digest('hex'),
    used: true,
    usedAt: { $date: '2025-01-01T00:00:00Z' },
  },
];

function person(name: string, over: object = {}) {
  return { _id: { $oid: name }, email: `${name}@example.com`, name, provider: 'local', emailVerified: true, ...over };
}

function withFactor(name: string, totpSecret: string) {
  return person(name, { password: bcrypt, twoFactorEnabled: true, totpSecret, backupCodes });
}

/** A procedure of the page. */
async function call(name: string, input?: object, more: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const path = `/trpc/${name}`;
  const headers = { 'content-type': 'application/json', ...more };
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(input) ?? null,
  });
  return (await response.json()) as Record<string, unknown>;
}

const signIn = (name: string) => call('auth.login', { email: `${name}@example.com`, password: PASSWORD });

function ticketOf(answer: Record<string, unknown>): string {
  const found = /"ticket":"([^"]+)"/.exec(JSON.stringify(answer));
  return found?.[1] ?? expect.fail(`No ticket in ${JSON.stringify(answer)}`);
}

test.each(['v2', 'v3'] as const)('a second factor of %s and its unused backup codes come along', async (version) => {
  const oldSecrets = readOldSecrets(key, iv);
  const folder = await installationFolder({ users: [withFactor('ann', encryptedThere(TOTP, version))] });
  const given = { ...target, ...(oldSecrets && { oldSecrets }) };
  await importInstallation(given, folder);
  await importInstallation(given, folder);

  const factor = async (code: string) => {
    const ticket = ticketOf(await signIn('ann'));
    return JSON.stringify(await call('auth.factors.prove', { ticket, code }));
  };
  expect(await factor(authenticatorCode(TOTP))).toContain('"token"');
  expect(await factor('000000')).toContain('wrong_code');
  expect(await factor('0badc0de')).toContain('wrong_code');
  expect(await factor(BACKUP.toUpperCase())).toContain('"token"');
  expect(await factor(BACKUP)).toContain('wrong_code');
});

test("a person whose second factor can't be decrypted adds one before anything else", async () => {
  const folder = await installationFolder({
    users: [withFactor('dora', encryptedThere(TOTP, 'v3')), person('bob', { password: bcrypt })],
  });
  const { notes } = await importInstallation(target, folder);
  expect(notes.join('\n')).toMatch(/could not be decrypted: dora@example\.com\./);
  const answer = JSON.stringify(await signIn('dora'));
  expect(answer).toContain('"mustAddFactor":true');
  const token = /"token":"([^"]+)"/.exec(answer)?.[1] ?? '';
  const chats = () => fetch(`${server.url}/api/convos`, { headers: { authorization: `Bearer ${token}` } });
  expect((await chats()).status).toBe(403);
  expect(JSON.stringify(await signIn('bob'))).not.toContain('mustAddFactor');
  // The secrets of the other installation, given later, bring the factor.
  const oldSecrets = readOldSecrets(key, iv);
  await importInstallation({ ...target, ...(oldSecrets && { oldSecrets }) }, folder);
  expect(ticketOf(await signIn('dora'))).not.toBe('');

  // Who adds one of their own is let in at once, and keeps it when the import runs again.
  await server.db.query.delete(users);
  await importInstallation(target, folder);
  const again = /"token":"([^"]+)"/.exec(JSON.stringify(await signIn('dora')))?.[1] ?? '';
  const authorization = { authorization: `Bearer ${again}` };
  const begun = JSON.stringify(await call('auth.factors.beginApp', undefined, authorization));
  const [, id = ''] = /"id":"([^"]+)"/.exec(begun) ?? [];
  const [, secret = ''] = /"secret":"([^"]+)"/.exec(begun) ?? [];
  const confirmed = await call('auth.factors.confirmApp', { id, code: authenticatorCode(secret) }, authorization);
  expect(confirmed).toHaveProperty('result');
  expect((await fetch(`${server.url}/api/convos`, { headers: authorization })).status).toBe(200);
  await importInstallation({ ...target, ...(oldSecrets && { oldSecrets }) }, folder);
  const ticket = ticketOf(await signIn('dora'));
  const entered = await call('auth.factors.prove', { ticket, code: authenticatorCode(secret, 1) });
  expect(JSON.stringify(entered)).toContain('"token"');
});

const SITE_FIELDS = {
  google: 'googleId',
  facebook: 'facebookId',
  openid: 'openidId',
  github: 'githubId',
  discord: 'discordId',
} as const;

test.each(Object.entries(SITE_FIELDS))(
  'people of %s sign in to their account, confirmed or not',
  async (name, field) => {
    const id = String(7000 + name.length);
    site.introduce(name, { id, name, login: name, email: `${name}@example.com`, verified: false });
    const folder = await installationFolder({
      users: [person(name, { provider: name, emailVerified: false, [field]: id })],
      conversations: [{ conversationId: 'c1', user: { $oid: name }, title: 'Mine', endpoint: 'openAI' }],
      messages: [{ messageId: 'm1', conversationId: 'c1', text: 'Hello', isCreatedByUser: true }],
    });
    await importInstallation(target, folder);
    const browser = createOAuthBrowser(server.url);
    expect(await browser.signIn(name as keyof typeof SITE_FIELDS, name)).toBe(`${HOME}/`);
    const user = await browser.user();
    expect(user).toMatchObject({ email: `${name}@example.com`, provider: name });
    expect(await server.db.query.$count(convos, eq(convos.userId, String(user?.id)))).toBe(1);
  },
);

test('the report says what to do for people of sites that are not here', async () => {
  const folder = await installationFolder({
    users: [person('ann', { provider: 'saml', samlId: 'ann' }), person('bob', { provider: 'apple', appleId: 'bob' })],
  });
  const { notes } = await importInstallation(target, folder);
  expect(notes.join('\n')).toMatch(/SAML: 1 person signed in by it[^]*Apple: 1 person signed in by it/);
  const rows = await server.db.query.select({ provider: identities.provider }).from(identities);
  expect(rows.map(({ provider }) => provider).toSorted()).toEqual(['apple', 'saml']);
});

test('an account that was here takes no way to sign in from an export', async () => {
  const folder = await installationFolder({ users: [person('ann', { googleId: 'thief', provider: 'google' })] });
  await server.db.query.insert(users).values({ email: 'ann@example.com', name: 'Ann', emailVerified: true });
  await importInstallation(target, folder);
  expect(await server.db.query.$count(identities)).toBe(0);
});

test('an address that is in the export twice ends nothing', async () => {
  const own = (user: string) => [
    { conversationId: `c-${user}`, user: { $oid: user }, title: user, endpoint: 'openAI' },
    { messageId: `m-${user}`, conversationId: `c-${user}`, text: 'Hello', isCreatedByUser: true },
  ];
  const people = ['u1', 'u2', 'u3', 'u4'];
  const folder = await installationFolder({
    users: [
      { ...person('u1'), email: 'ann@example.com' },
      { ...person('u2'), email: 'Ann@Example.com' },
      { ...person('u3', { emailVerified: false }), email: 'bob@example.com' },
      { ...person('u4'), email: 'BOB@example.com' },
    ],
    conversations: people.map((one) => own(one)[0] ?? {}),
    messages: people.map((one) => own(one)[1] ?? {}),
  });
  for (const given of [{ ...target, isDry: true }, target, target]) {
    const report = await importInstallation(given, folder);
    expect(report.notes.filter((note) => note.includes('more than once'))).toHaveLength(2);
    expect(report.conversations.skipped.size).toBe(0);
  }
  const rows = await server.db.query
    .select({ email: users.email, title: convos.title })
    .from(convos)
    .innerJoin(users, eq(users.id, convos.userId))
    .orderBy(convos.title);
  expect(rows).toEqual([
    { email: 'ann@example.com', title: 'u1' },
    { email: 'ann@example.com', title: 'u2' },
    { email: 'bob+u3@example.com', title: 'u3' },
    { email: 'bob@example.com', title: 'u4' },
  ]);
});

test('a temporary chat stays temporary, ends when it would have ended, and is in no search', async () => {
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const chat = (id: string, over: object) => ({
    conversationId: id,
    user: 'u1',
    title: id,
    endpoint: 'openAI',
    ...over,
  });
  const folder = await installationFolder({
    users: [{ ...person('u1'), _id: 'u1' }],
    conversations: [
      chat('stays', {}),
      chat('ends', { expiredAt: { $date: later } }),
      chat('over', { expiredAt: { $date: '2025-01-01T00:00:00Z' } }),
      chat('null', { expiredAt: null }),
    ],
    messages: ['stays', 'ends', 'over', 'null'].map((id) => ({
      messageId: `m-${id}`,
      conversationId: id,
      text: `zebra ${id}`,
      isCreatedByUser: true,
    })),
  });
  const report = await importInstallation(target, folder);
  expect([...report.conversations.skipped]).toEqual([['temporary, and over', 1]]);
  const rows = await server.db.query
    .select({ title: convos.title, until: convos.temporaryUntil })
    .from(convos)
    .orderBy(convos.title);
  expect(rows.map(({ title, until }) => [title, until && new Date(until).toISOString()])).toEqual([
    ['ends', later],
    ['null', null],
    ['stays', null],
  ]);
  const found = await server.db.query.execute('select 1 from search_entries where not is_title');
  expect(found).toHaveLength(2);
});
