import { convos } from '@parley/db/tables/convos';
import type { ImportLine } from '@parley/schema/transfer/results';
import { eq, sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { exchange, question } from '../../support/exchange.ts';
import { keepTestFile } from '../../support/uploads.ts';

let here: HttpClients;
let alice: Browser;
let bob: Browser;

beforeAll(async () => {
  here = await openHttpClients();
  alice = await here.signUp('alice');
  bob = await here.signUp('bob');
});
afterAll(async () => {
  await alice.close();
  await bob.close();
  await here.close();
});

const headersOf = ({ token }: Browser) => ({ authorization: `Bearer ${token}` });
const exportAll = (browser: Browser, signal?: AbortSignal) =>
  fetch(`http://${here.host}/api/export`, { headers: headersOf(browser), ...(signal && { signal }) });

async function importInto(browser: Browser, body: string): Promise<ImportLine[]> {
  const headers = { ...headersOf(browser), 'content-type': 'application/json' };
  const response = await fetch(`http://${here.host}/api/import`, { method: 'POST', headers, body });
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as ImportLine);
}

async function filesOf(response: Response): Promise<Record<string, string>> {
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
}

const textsOf = async (browser: Browser) => {
  const { convos: list } = await browser.api.convos.list.query({});
  const threads = await Promise.all(
    list.map(({ conversationId }) => browser.api.messages.list.query({ conversationId })),
  );
  return threads.map((thread) => JSON.stringify(thread.map(({ sender, parts }) => [sender, parts]))).toSorted();
};

test('everything of the person, and nothing of others, is in the file; our import reads it', async () => {
  const { deps } = here.services;
  const asked = question('What is exported? äöü', { model: 'gpt-4' });
  await exchange(here.services, alice.userId, asked);
  const archived = question('Of long ago', { model: 'gpt-4' });
  await exchange(here.services, alice.userId, archived);
  const long = '2024-03-04T05:06:07.000Z';
  await deps.db.query
    .update(convos)
    .set({ isArchived: true, isPinned: true, createdAt: long, updatedAt: long })
    .where(eq(convos.id, archived.conversationId));
  await exchange(here.services, alice.userId, question('Another one', { model: 'gpt-4' }));
  const temporary = question('Nobody should keep this', { model: 'gpt-4' });
  await exchange(here.services, alice.userId, temporary);
  await deps.db.query
    .update(convos)
    .set({ temporaryUntil: sql`now() + interval '1 day'` })
    .where(eq(convos.id, temporary.conversationId));
  await exchange(here.services, bob.userId, question('A secret of Bob', { model: 'gpt-4' }));
  await alice.api.settings.set.mutate({ theme: 'dark' });
  const folder = { name: 'My folder', color: 'teal', instructions: 'Be brief' } as const;
  const { id: folderId } = await alice.api.folders.create.mutate({ id: crypto.randomUUID(), ...folder });
  const conversationIds = [asked.conversationId, archived.conversationId];
  await alice.api.convos.moveToFolder.mutate({ conversationIds, folderId });
  const file = await keepTestFile(deps, alice.userId, { name: '../a/b.txt', text: 'the bytes' });
  await keepTestFile(deps, bob.userId, { text: 'bytes of Bob' });

  const response = await exportAll(alice);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = await filesOf(response);
  expect(files[`files/${file.id}-.._a_b.txt`]).toBe('the bytes');
  expect(JSON.parse(files['settings.json'] ?? '')).toEqual({ theme: 'dark' });
  expect(JSON.parse(files['account.json'] ?? '')).toMatchObject({ email: 'alice@example.com' });
  expect(JSON.parse(files['presets.json'] ?? '')).toEqual([]);
  expect(files['folders.json']).toContain('My folder');
  expect(JSON.parse(files['files.json'] ?? '')).toMatchObject([{ fileId: file.id }]);
  const whole = JSON.stringify(files);
  for (const hidden of ['Nobody should keep this', 'A secret of Bob', 'bytes of Bob', 'passwordHash'])
    expect(whole).not.toContain(hidden);

  const carol = await here.signUp('carol');
  const lines = await importInto(carol, files['conversations.json'] ?? '');
  expect(lines.slice(0, 3)).toMatchObject([
    { outcome: 'imported', messages: 2, dropped: 0 },
    { outcome: 'imported', messages: 2, dropped: 0 },
    { outcome: 'imported', messages: 2, dropped: 0 },
  ]);
  expect(lines.at(-1)).toEqual({ end: true, items: 3, fault: null });
  const places = await deps.db.query.select().from(convos).where(eq(convos.userId, carol.userId));
  expect(
    places.filter((row) => row.isArchived && row.isPinned).map((row) => new Date(row.updatedAt).toISOString()),
  ).toEqual([long]);
  expect(places.filter((row) => new Date(row.createdAt).toISOString() === long)).toHaveLength(1);
  const [restored, ...others] = await carol.api.folders.list.query();
  expect([restored, others]).toMatchObject([folder, []]);
  expect(places.filter((row) => row.folderId === restored?.id)).toHaveLength(2);
  expect(places.filter((row) => row.folderId === null)).toHaveLength(1);
  const lasting = (await textsOf(alice)).filter((text) => !text.includes('Nobody should keep this'));
  expect(lasting).toHaveLength(2);
  expect(await textsOf(carol)).toEqual(lasting);
  const again = await importInto(alice, files['conversations.json'] ?? '');
  expect(again.slice(0, 3)).toMatchObject([{ outcome: 'present' }, { outcome: 'present' }, { outcome: 'present' }]);
  expect(await alice.api.folders.list.query()).toMatchObject([{ id: folderId }]);
  await carol.close();
});

test('one at a time for each person; one that is canceled makes room', async () => {
  const { deps } = here.services;
  // More than the buffers of a connection hold, so that it does not end by itself.
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => keepTestFile(deps, bob.userId, { text: `${index}`.repeat(2_000_000) })),
  );
  const leave = new AbortController();
  const running = await exportAll(bob, leave.signal);
  expect(running.status).toBe(200);
  expect((await exportAll(bob)).status).toBe(429);
  const other = await exportAll(alice);
  expect(other.status).toBe(200);
  await other.arrayBuffer();
  leave.abort();
  const statusNow = async () => {
    const again = await exportAll(bob);
    const { status } = again;
    if (status === 200) await again.arrayBuffer();
    return status;
  };
  await expect.poll(statusNow).toBe(200);
});

test('a visitor gets nothing, and too many in an hour are refused', async () => {
  expect((await fetch(`http://${here.host}/api/export`)).status).toBe(401);
  const statuses: number[] = [];
  for (let index = 0; index < 11; index += 1) {
    const response = await exportAll(alice);
    statuses.push(response.status);
    await response.arrayBuffer();
  }
  expect(statuses).toContain(429);
});
