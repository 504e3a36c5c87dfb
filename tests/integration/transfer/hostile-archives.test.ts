// ZIP files that are broken, foreign, or want more than they are given.
import { readdir } from 'node:fs/promises';
import { blobs, files } from '@parley/db/tables/files';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { sweepFiles } from '@parley/server/files/sweep';
import { importFile } from '@parley/server/transfer/import';
import { createSession } from '@parley/server/auth/session/sessions';
import { eq, sql } from 'drizzle-orm';
import { zipSync, type Zippable } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { importInto, jsonOf } from './archives.ts';
import { message, reference } from './files.ts';

let here: HttpClients;
let alice: Browser;

beforeAll(async () => {
  here = await openHttpClients({ env: { FILES_MAX_MB_PER_USER: '1' } });
  alice = await here.signUp('alice');
});
afterAll(async () => {
  await alice?.close();
  await here?.close();
});

interface Listed {
  fileId: string;
  name: string;
  mime?: string;
  path?: string;
  sha256?: string;
  context?: string;
  expiresAt?: string | null;
}

/** An archive with one conversation and these files, which it does not use. */
function archiveOf(list: readonly Listed[], entries: Zippable = {}): Uint8Array {
  const lines = list.map((file) => ({ expiresAt: null, path: `files/${file.fileId}-${file.name}`, ...file }));
  const convo = reference('towers', [message('q', null, 'What is a lighthouse?')]);
  return zipSync({ 'conversations.json': jsonOf([convo]), 'files.json': jsonOf(lines), ...entries });
}

const nothing = { files: [], items: [], others: [], progress: [] };

async function expectNothingKept({ userId, api }: Browser): Promise<void> {
  const { deps } = here.services;
  expect(await readdir(arrivalsFolder(deps.config))).toEqual([]);
  expect(await deps.db.query.select().from(files).where(eq(files.userId, userId))).toEqual([]);
  await expectNoConvos({ api });
}

async function expectNoConvos({ api }: Pick<Browser, 'api'>): Promise<void> {
  expect((await api.convos.list.query({})).convos).toEqual([]);
}

test.each([
  ['that is cut off', 'damaged_zip', () => archiveOf([]).slice(0, -40)],
  ['with changed bytes', 'damaged_zip', () => withChangedBytes()],
  ['with a password', 'damaged_zip', () => withPassword()],
  ['without conversations', 'foreign_zip', () => zipSync({ 'word/document.xml': Buffer.from('<w/>') })],
  ['with settings that are no JSON', 'damaged_zip', () => archiveOf([], { 'settings.json': Buffer.from('{') })],
  ['that is a bomb', 'damaged_zip', () => archiveOf([], { 'files/bomb': new Uint8Array(16 * 1024 * 1024) })],
  ['that claims to unpack to a terabyte', 'large_zip', () => withClaimedSizes()],
])('a ZIP file %s is refused, and leaves nothing behind', async (_name, fault, make) => {
  expect(await importInto(here, alice, make())).toEqual({ ...nothing, end: { end: true, items: 0, fault } });
  await expectNothingKept(alice);
});

test('an entry that is listed many times is unpacked and kept once', async () => {
  const dora = await here.signUp('dora');
  const lines = Array.from({ length: 300 }, (_, n) => ({ fileId: `f${n}`, name: `${n}.txt`, path: 'files/one' }));
  const told = await importInto(here, dora, archiveOf(lines, { 'files/one': Buffer.from('the same bytes') }));
  expect(told.files).toHaveLength(300);
  expect(told.files.filter(({ outcome }) => outcome === 'imported').map(({ name }) => name)).toEqual(['0.txt']);
  expect((await dora.api.files.list.query({})).files).toHaveLength(1);
  await dora.close();
});

test('files that are not what is said of them are left out, and the rest comes in', async () => {
  const bob = await here.signUp('bob');
  const html = Buffer.from('<script>alert(1)</script>');
  const told = await importInto(
    here,
    bob,
    archiveOf(
      [
        { fileId: 'program', name: 'picture.png', mime: 'image/png' },
        { fileId: 'broken', name: 'broken.png', mime: 'image/png' },
        { fileId: 'missing', name: 'missing.txt' },
        { fileId: 'changed', name: 'changed.txt', mime: 'text/plain', sha256: 'f'.repeat(64) },
        { fileId: 'page', name: 'page.png', mime: 'image/png', context: 'assistants_output' },
        { fileId: 'up', name: '../../../etc/passwd', mime: 'text/plain', path: '../../../etc/passwd' },
      ],
      {
        'files/program-picture.png': Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'),
        'files/broken-broken.png': Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(50)]),
        'files/changed-changed.txt': Buffer.from('changed'),
        'files/page-page.png': html,
        '../../../etc/passwd': Buffer.from('root'),
      },
    ),
  );
  expect(told.files.map((line) => [line.name, line.outcome, 'reason' in line && line.reason])).toEqual([
    ['picture.png', 'skipped', 'type'],
    ['broken.png', 'skipped', 'unreadable_image'],
    ['missing.txt', 'skipped', 'missing'],
    ['changed.txt', 'skipped', 'damaged'],
    ['page.png', 'imported', false],
    ['passwd', 'imported', false],
  ]);
  expect(told.items).toMatchObject([{ outcome: 'imported', messages: 1 }]);
  expect(Math.max(...told.progress)).toBe(1);
  const { files: kept } = await bob.api.files.list.query({});
  expect(kept.map(({ name, mime }) => `${name} ${mime}`).toSorted()).toEqual([
    'page.png text/plain',
    'passwd text/plain',
  ]);
  expect(await readdir(arrivalsFolder(here.services.deps.config))).toEqual([]);
  await bob.close();
});

test('a file beyond the quota is left out, and smaller ones come in', async () => {
  const carol = await here.signUp('carol');
  const list = ['a', 'b', 'c'].map((fileId) => ({ fileId, name: `${fileId}.txt`, mime: 'text/plain' }));
  const told = await importInto(
    here,
    carol,
    archiveOf(list, {
      'files/a-a.txt': [Buffer.from('small'), { level: 0 }],
      'files/b-b.txt': [Buffer.from('b'.repeat(1_100_000)), { level: 0 }],
      'files/c-c.txt': [Buffer.from('c'.repeat(900_000)), { level: 0 }],
    }),
  );
  expect(told.files.map((line) => [line.name, 'reason' in line ? line.reason : line.outcome])).toEqual([
    ['a.txt', 'imported'],
    ['b.txt', 'no_room'],
    ['c.txt', 'imported'],
  ]);
  expect(told.items).toHaveLength(1);
  await carol.close();
});

test('what an import that ends in the middle has kept is swept up, and the next one brings it', async () => {
  const { deps } = here.services;
  const dave = await here.signUp('dave');
  const ofDave = eq(files.userId, dave.userId);
  const list = [{ fileId: 'a', name: 'a.txt', mime: 'text/plain' }];
  const bytes = archiveOf(list, { 'files/a-a.txt': Buffer.from('of a lost import') });
  const { sid } = await createSession(deps.db, 3_600_000, dave.userId);
  for await (const line of importFile(deps, { userId: dave.userId, sid }, new Blob([new Uint8Array(bytes)]).stream()))
    if ('kind' in line) break;
  const [left] = await deps.db.query.select().from(files).where(ofDave);
  expect(left).toMatchObject({ name: 'a.txt', expiresAt: expect.any(String) });
  await expectNoConvos(dave);

  await deps.db.query
    .update(files)
    .set({ expiresAt: sql`now() - interval '1 minute'` })
    .where(ofDave);
  const onFault = (error: unknown) => expect.fail(String(error));
  await sweepFiles({ db: deps.db, stores: deps.stores, arrivals: arrivalsFolder(deps.config), onFault });
  expect(await deps.db.query.select().from(files).where(ofDave)).toEqual([]);
  expect(await deps.db.query.select().from(blobs).where(eq(blobs.userId, dave.userId))).toEqual([]);

  const again = await importInto(here, dave, bytes);
  expect(again.files).toMatchObject([{ name: 'a.txt', outcome: 'imported' }]);
  expect(again.items).toMatchObject([{ outcome: 'imported' }]);
  const [kept] = await deps.db.query.select().from(files).where(ofDave);
  expect(kept?.expiresAt).toBeNull();
  await dave.close();
});

function withChangedBytes(): Uint8Array {
  const bytes = archiveOf([], { 'conversations.json': [jsonOf([{ title: 'a long enough title' }]), { level: 0 }] });
  const at = Buffer.from(bytes).indexOf('enough');
  bytes.set(Buffer.from('ENOUGH'), at);
  return bytes;
}

function withPassword(): Uint8Array {
  return inDirectory((line) => line.writeUInt16LE(line.readUInt16LE(8) | 1, 8));
}

/** Its sizes in the directory are the largest that the format knows without its extension. */
function withClaimedSizes(): Uint8Array {
  return inDirectory((line) => {
    line.writeUInt32LE(0xff_ff_ff_fe, 20);
    line.writeUInt32LE(0xff_ff_ff_fe, 24);
  });
}

/** An archive after a change to each line of its directory. */
function inDirectory(change: (line: Buffer) => void): Uint8Array {
  const more = Array.from({ length: 250 }, (_, index) => [`files/${index}`, Buffer.from('x')] as const);
  const bytes = Buffer.from(archiveOf([], Object.fromEntries(more)));
  for (let at = bytes.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1'))
    change(bytes.subarray(at));
  return bytes;
}
