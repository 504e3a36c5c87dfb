// Pictures of an account and of assistants, from one installation to another.
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeS3, type FakeS3 } from '@parley/scripts/fake-s3/server';
import { assistants } from '@parley/db/tables/assistants';
import { files } from '@parley/db/tables/files';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { storageKey } from '@parley/server/storage/file-store';
import { and, eq } from 'drizzle-orm';
import { strToU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { formOf, postForm } from '../../support/uploads.ts';
import { changed, exportOf, importInto, jsonOf } from './archives.ts';

const LIST = 'avatars.json';

let s3: FakeS3;
let here: HttpClients;
/** It keeps its files in a bucket, and its pictures may have 1 MB. */
let there: HttpClients;
let alice: Browser;
let archive: Uint8Array;

beforeAll(async () => {
  s3 = await startFakeS3();
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3.settings;
  const CONFIG_PATH = join(createFolder(), 'parley.yaml');
  await writeFile(CONFIG_PATH, 'version: 1.0.7\nfileStrategy: s3\nfileConfig:\n  avatarSizeLimit: 1\n');
  const bucketOf = {
    CONFIG_PATH,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  [here, there] = await Promise.all([openHttpClients(), openHttpClients({ env: bucketOf })]);
  alice = await here.signUp('alice');
  await setAvatar(here, alice, await picture('#284'));
  for (const name of ['Bard', 'Poet']) {
    const assistantId = await makeAssistant(alice, name);
    const form = formOf({ bytes: await picture(name === 'Bard' ? '#a33' : '#33a'), name: 'face.png' });
    const saved = await postForm(
      `http://${here.host}`,
      headersOf(alice),
      `/api/assistants/avatar/${assistantId}`,
      form,
    );
    expect(saved.status).toBe(201);
  }
  await makeAssistant(alice, 'Without a picture');
  archive = await exportOf(here, alice);
});
afterAll(async () => {
  await alice?.close();
  await here?.close();
  await there?.close();
  await s3?.close();
});

const headersOf = ({ token }: Browser) => ({ headers: { authorization: `Bearer ${token}` } });

function picture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png()
    .toBuffer();
}

async function setAvatar({ host }: HttpClients, browser: Browser, bytes: Uint8Array): Promise<void> {
  const form = new FormData();
  form.append('input', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'face.png');
  form.append('manual', 'true');
  const saved = await postForm(`http://${host}`, headersOf(browser), '/api/files/images/avatar', form);
  expect(saved.status).toBe(200);
}

async function makeAssistant({ api }: Browser, name: string): Promise<string> {
  const { assistantId } = await api.assistants.create.mutate({ endpoint: 'openAI', model: 'gpt-4', name, tools: [] });
  return assistantId;
}

/** The bytes at an address of the server, as the person's own page gets them; null where there is no address. */
async function bytesAt({ host }: HttpClients, browser: Browser, path: string | null | undefined) {
  if (!path) return null;
  const response = await fetch(`http://${host}${path}`, headersOf(browser));
  expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/png']);
  return Buffer.from(await response.arrayBuffer()).toString('base64');
}

/** The pictures of a person, by what they show. */
async function picturesOf(server: HttpClients, browser: Browser): Promise<Record<string, string | null>> {
  const response = await fetch(`http://${server.host}/api/user`, headersOf(browser));
  const { avatar } = (await response.json()) as { avatar: string | null };
  const found: Record<string, string | null> = { account: await bytesAt(server, browser, avatar) };
  const list = (await browser.api.assistants.list.query({})).assistants;
  for (const { name, metadata } of list) found[name ?? ''] = await bytesAt(server, browser, metadata.avatar);
  return found;
}

type Line = Record<string, unknown> & { path: string; assistantId: string | null };

const linesOf = (entries: Record<string, Uint8Array>) =>
  JSON.parse(Buffer.from(entries[LIST] ?? []).toString()) as Line[];

const avatarsOf = ({ services }: HttpClients, { userId }: Browser) =>
  services.deps.db.query
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), eq(files.context, 'avatar')));

test('pictures of the account and of its assistants come back byte for byte, in the store of the other server', async () => {
  const wanted = await picturesOf(here, alice);
  expect(Object.keys(wanted).toSorted()).toEqual(['Bard', 'Poet', 'Without a picture', 'account']);
  expect(Object.values(wanted).filter((one) => one !== null)).toHaveLength(3);
  const bob = await there.signUp('bob');
  const told = await importInto(there, bob, archive);
  expect(told.end).toMatchObject({ fault: null });
  expect(told.files.map(({ outcome }) => outcome)).toEqual(['imported', 'imported', 'imported']);
  expect(await picturesOf(there, bob)).toEqual(wanted);
  const rows = await avatarsOf(there, bob);
  expect(rows.map(({ source, expiresAt }) => [source, expiresAt])).toEqual(Array(3).fill(['s3', null]));
  expect(rows.filter(({ hash }) => s3.objects.has(storageKey(bob.userId, hash ?? '')))).toHaveLength(3);
  const ofAssistants = await there.services.deps.db.query
    .select({ metadata: assistants.metadata })
    .from(assistants)
    .where(eq(assistants.userId, bob.userId));
  for (const { metadata } of ofAssistants)
    if (metadata.avatar) expect([metadata.avatar.split('/')[2], metadata.avatar_source]).toEqual([bob.userId, 's3']);
  const again = await importInto(there, bob, archive);
  expect(again.files.map(({ outcome }) => outcome)).toEqual(['present', 'present', 'present']);
  expect(await avatarsOf(there, bob)).toEqual(rows);
  await bob.close();
});

test('an account that has a picture, or took its own away, keeps what it chose', async () => {
  const carol = await there.signUp('carol');
  await setAvatar(there, carol, await picture('#fff'));
  const before = (await picturesOf(there, carol)).account;
  await importInto(there, carol, archive);
  expect((await picturesOf(there, carol)).account).toBe(before);
  await carol.api.files.removeAvatar.mutate();
  await importInto(there, carol, archive);
  expect((await picturesOf(there, carol)).account).toBeNull();
  await carol.close();
});

test('an archive without pictures, as earlier versions wrote it, brings everything else', async () => {
  const dora = await there.signUp('dora');
  const old = changed(archive, (entries) => {
    for (const name of Object.keys(entries)) if (name.startsWith('avatars')) delete entries[name];
  });
  expect(Object.keys(unzipSync(archive)).length - Object.keys(unzipSync(old)).length).toBe(4);
  const told = await importInto(there, dora, old);
  expect(told).toMatchObject({ files: [], end: { fault: null } });
  expect(told.others).toContainEqual({ kind: 'assistants', imported: 3, present: 0, skipped: 0 });
  expect(Object.values(await picturesOf(there, dora)).filter((one) => one !== null)).toEqual([]);
  // The pictures come in with a later export, for assistants that are here already.
  await importInto(there, dora, archive);
  expect(await picturesOf(there, dora)).toEqual(await picturesOf(here, alice));
  await dora.close();
});

type Spoil = (entries: Record<string, Uint8Array>) => unknown;

const svg = strToU8('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const html = strToU8('<!doctype html><script>alert(1)</script>');

test.each<[string, string, Spoil]>([
  ['that is missing', 'missing', (entries) => void delete entries[poet(entries).path]],
  ['whose bytes are not those that were exported', 'damaged', (entries) => (entries[poet(entries).path] = html)],
  ['that is cut off', 'unreadable_image', (entries) => replace(entries, (bytes) => bytes.slice(0, 120))],
  ['that is an SVG', 'type', (entries) => replace(entries, () => svg)],
  ['that is a page of HTML', 'type', (entries) => replace(entries, () => html)],
  ['that is too large', 'too_large', (entries) => replace(entries, () => new Uint8Array(1024 * 1024 + 1))],
])('a picture %s is named in the report, and the others come in', async (_, reason, spoil) => {
  const erin = await there.signUp(`erin${randomUUID().slice(0, 8)}`);
  const told = await importInto(there, erin, changed(archive, spoil));
  expect(told.end).toMatchObject({ fault: null });
  expect(told.files.filter(({ outcome }) => outcome === 'skipped')).toEqual([
    { kind: 'file', name: 'avatar.png (Poet)', outcome: 'skipped', reason },
  ]);
  const { Poet, ...others } = await picturesOf(there, erin);
  const { Poet: _poet, ...wanted } = await picturesOf(here, alice);
  expect([Poet, others]).toEqual([null, wanted]);
  expect(await avatarsOf(there, erin)).toHaveLength(2);
  expect(await readdir(arrivalsFolder(there.services.deps.config))).toEqual([]);
  await erin.close();
});

/** The line of the picture that is spoiled. */
function poet(entries: Record<string, Uint8Array>): Line {
  const list = JSON.parse(Buffer.from(entries['assistants.json'] ?? []).toString()) as Line[];
  const id = list.find(({ name }) => name === 'Poet')?.assistantId;
  const line = linesOf(entries).find(({ assistantId }) => assistantId === id);
  if (!line) throw new Error('The archive has no picture of it');
  return line;
}

/** Other bytes, with the sum of these. */
function replace(entries: Record<string, Uint8Array>, make: (bytes: Uint8Array) => Uint8Array): void {
  const { path } = poet(entries);
  entries[path] = make(entries[path] ?? new Uint8Array());
  entries[LIST] = jsonOf(linesOf(entries).map((line) => (line.path === path ? { ...line, sha256: null } : line)));
}

test('lines that name a path outside, a foreign assistant or one target many times keep one picture at most', async () => {
  const finn = await there.signUp('finn');
  const stranger = await there.signUp('stranger');
  const foreign = await makeAssistant(stranger, 'Of a stranger');
  const hostile = changed(archive, (entries) => {
    const line = poet(entries);
    entries[line.path] = html;
    const ofPoet = { ...line, sha256: null };
    const outside = ['../../etc/passwd', '/etc/passwd', 'avatars/../files.json'].map((path) => ({ ...ofPoet, path }));
    entries[LIST] = jsonOf([
      ...outside,
      ...Array<Line>(50).fill(ofPoet),
      { ...ofPoet, assistantId: foreign },
      { ...ofPoet, assistantId: randomUUID() },
      { path: line.path },
      7,
    ]);
  });
  const told = await importInto(there, finn, hostile);
  expect(told.end).toMatchObject({ fault: null });
  expect(told.files).toEqual([{ kind: 'file', name: 'avatar.png (Poet)', outcome: 'skipped', reason: 'missing' }]);
  expect(await avatarsOf(there, finn)).toEqual([]);
  expect((await picturesOf(there, stranger))['Of a stranger']).toBeNull();
  await finn.close();
  await stranger.close();
});
