// "Export everything" of a person who has something of everything comes back whole in another installation: each column
// that the register says travels.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assistants, actions } from '@parley/db/tables/assistants';
import { files } from '@parley/db/tables/files';
import { prompts } from '@parley/db/tables/prompts';
import { shares } from '@parley/db/tables/shares';
import { eq } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { changed, exportOf, importInto, jsonOf } from './archives.ts';
import { env, liveFully, SECRET, travellingRows, travellingTables } from './everything.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/archives');

let here: HttpClients;
let there: HttpClients;
let alice: Browser;
/** Somebody of the other installation. */
let bob: Browser;
let archive: Uint8Array;

beforeAll(async () => {
  [here, there] = await Promise.all([openHttpClients({ env }), openHttpClients({ env })]);
  alice = await here.signUp('alice');
  bob = await there.signUp('bob');
  await liveFully(here, alice);
  archive = await exportOf(here, alice);
});
afterAll(async () => {
  await alice?.close();
  await bob?.close();
  await here?.close();
  await there?.close();
});

const textOf = (zip: Uint8Array) =>
  Object.values(unzipSync(zip))
    .map((bytes) => Buffer.from(bytes).toString())
    .join('\n');

test('the person has a row in each table of which something travels', async () => {
  const rows = await travellingRows(here, alice.userId);
  expect(Object.keys(rows).toSorted()).toEqual(travellingTables.toSorted());
  expect(Object.entries(rows).filter(([, own]) => own.length === 0)).toEqual([]);
});

test('every column that travels is the same in another installation, and what names a row names it there', async () => {
  const told = await importInto(there, bob, archive);
  expect(told.end).toMatchObject({ fault: null });
  const skipped = [...told.others, ...told.files, ...told.items].filter(
    (line) => ('skipped' in line && line.skipped > 0) || ('outcome' in line && line.outcome === 'skipped'),
  );
  expect(skipped).toEqual([]);
  expect(await travellingRows(there, bob.userId)).toEqual(await travellingRows(here, alice.userId));
  const hashesOf = async ({ services }: HttpClients, { userId }: Browser) =>
    (await services.deps.db.query.select().from(files).where(eq(files.userId, userId)))
      .map(({ hash }) => hash)
      .toSorted();
  expect(await hashesOf(there, bob)).toEqual(await hashesOf(here, alice));
});

test('the archive has no secret, and nothing is shared or allowed by an import', async () => {
  expect(textOf(archive)).not.toContain(SECRET);
  const { query } = there.services.deps.db;
  const ofBob = <Table extends typeof prompts | typeof assistants>(table: Table) => eq(table.userId, bob.userId);
  const shared = [
    ...(await query.select({ isShared: prompts.isShared }).from(prompts).where(ofBob(prompts))),
    ...(await query.select({ isShared: assistants.isShared }).from(assistants).where(ofBob(assistants))),
  ];
  expect(shared.length).toBeGreaterThan(2);
  expect(shared.filter(({ isShared }) => isShared)).toEqual([]);
  expect(await query.select().from(shares).where(eq(shares.userId, bob.userId))).toEqual([]);
  const kept = await query.select().from(actions).where(eq(actions.userId, bob.userId));
  expect(kept).toMatchObject([{ encrypted: null }]);
});

test('a second import adds and changes nothing', async () => {
  const before = await travellingRows(there, bob.userId);
  const told = await importInto(there, bob, archive);
  expect(told.others.flatMap((line) => ('imported' in line ? [line.imported] : []))).toEqual(
    told.others.flatMap((line) => ('imported' in line ? [0] : [])),
  );
  expect(await travellingRows(there, bob.userId)).toEqual(before);
});

test('imported where it comes from, it adds and changes nothing', async () => {
  const before = await travellingRows(here, alice.userId);
  await importInto(here, alice, archive);
  expect(await travellingRows(here, alice.userId)).toEqual(before);
});

test('an archive with the ids of somebody else on this server leaves their rows alone', async () => {
  const carol = await here.signUp('carol');
  const before = await travellingRows(here, alice.userId);
  await importInto(here, carol, archive);
  expect(await travellingRows(here, carol.userId)).toEqual(before);
  expect(await travellingRows(here, alice.userId)).toEqual(before);
  await carol.close();
});

test('an archive cannot choose an owner, share anything or pass a limit of a column', async () => {
  const dora = await there.signUp('dora');
  const hostile = changed(archive, (entries) => {
    const [first] = JSON.parse(Buffer.from(entries['prompts.json'] ?? []).toString()) as Record<string, unknown>[];
    const claims = { userId: bob.userId, isShared: true, deletionId: bob.userId };
    const odd = { ...first, ...claims, id: 'a', command: 'odd', body: 'x'.repeat(40_000) };
    const marked = { ...first, ...claims, id: 'b', command: 'fine', mark: { ownerId: bob.userId, uses: -1 } };
    entries['prompts.json'] = jsonOf([odd, marked, 7, { id: 'c' }]);
    entries['drafts.json'] = jsonOf([
      { key: 'new', text: 'x'.repeat(3_000_000) },
      { key: 'nowhere', text: 'Lost' },
    ]);
    entries['queue.json'] = jsonOf([{ id: 'q', convoId: bob.userId, text: 'Pay for me' }]);
  });
  const told = await importInto(there, dora, hostile);
  expect(told.end).toMatchObject({ fault: null });
  expect(told.others).toContainEqual({ kind: 'prompts', imported: 1, present: 0, skipped: 3 });
  expect(told.others).toContainEqual({ kind: 'drafts', imported: 0, present: 0, skipped: 2 });
  expect(told.others).toContainEqual({ kind: 'queue', imported: 0, present: 0, skipped: 1 });
  const own = await there.services.deps.db.query.select().from(prompts).where(eq(prompts.userId, dora.userId));
  expect(own).toMatchObject([{ command: 'fine', isShared: false, deletedAt: null, deletionId: null }]);
  await dora.close();
});

test('an archive of 0.8.0 comes back with all that it has, once', async () => {
  const erin = await there.signUp('erin');
  const old = new Uint8Array(readFileSync(join(fixtures, '0.8.0.zip')));
  const told = await importInto(there, erin, old);
  expect(told.end).toMatchObject({ fault: null, items: 4 });
  expect(told.others).toEqual([
    { kind: 'assistants', imported: 1, present: 0, skipped: 0 },
    { kind: 'presets', imported: 2, present: 0, skipped: 0 },
    { kind: 'settings', imported: 2, kept: 0 },
  ]);
  const rows = await travellingRows(there, erin.userId);
  const counts = Object.fromEntries(Object.entries(rows).map(([name, own]) => [name, own.length]));
  expect(counts).toMatchObject({
    convos: 4,
    messages: 15,
    folders: 2,
    presets: 2,
    assistants: 1,
    files: 3,
    fileUses: 1,
  });
  expect(rows.convos).toMatchObject([
    { title: 'A. Branches', isPinned: true },
    { title: 'B. Fork', isPinned: true },
    { title: 'C. Side by side', isPinned: true },
    { title: 'D. Archived', isArchived: true },
  ]);
  await importInto(there, erin, old);
  expect(await travellingRows(there, erin.userId)).toEqual(rows);
  await erin.close();
});
