// Documents that a service at RAG_API_URL indexes and finds, in place of our own index.
import { randomUUID } from 'node:crypto';
import { chunks, documents, ragRemovals } from '@parley/db/tables/documents';
import { files } from '@parley/db/tables/files';
import { users } from '@parley/db/tables/users';
import type { AskInput } from '@parley/schema/chat/ask';
import { messageText } from '@parley/schema/messages/messages';
import { startFakeRag, type FakeRag } from '@parley/scripts/fake-rag/server';
import { verifyAccessToken } from '@parley/server/auth/session/access-token';
import { sweepFiles } from '@parley/server/files/sweep';
import { createIndexQueue } from '@parley/server/retrieval/index-queue';
import { createRetrieval } from '@parley/server/retrieval/retrieval';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { sweepAccounts } from '@parley/server/trash/sweep-accounts';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { answerRequests, exchange, question } from '../../support/exchange.ts';
import { addFile, awaitState, documentOf, plainExtractor } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const SECRET = 'a'.repeat(64);
const PDF = 'application/pdf';
const quick = { indexEveryMs: 50, indexRetryMs: 20 };
const BIRDS = 'Of the mill.\n\nThe red kites nest 23 metres above the mill.\fOtters live below the weir.';

let rag: FakeRag;
let services: TestServices;
let alice: Person;

async function open(env: Record<string, string> = {}): Promise<void> {
  rag = await startFakeRag(SECRET);
  const settings = { RAG_API_URL: `${rag.url}/`, JWT_SECRET: SECRET, OPENAI_MODELS: 'fake:cite,fake:echo' };
  services = await openTestServices({ ...settings, TITLE_CONVO: 'false', ...env }, quick);
  alice = await services.as('alice');
}
afterEach(async () => {
  await services.close();
  await rag.close();
});

describe('an uploaded document', () => {
  it('is sent to the service with its name, for its user, and then counts as read', async () => {
    await open();
    const id = await addBirds();
    expect(rag.files.get(id)).toMatchObject({ userId: alice.id, name: 'birds.pdf' });
    expect(await documentOf(services, id)).toMatchObject({ state: 'ready', model: 'rag-api', chunks: 0 });
    expect((await alice.api.files.list()).files[0]?.document).toMatchObject({ state: 'ready', reason: null });
    expect(rag.calls.map(({ line, userId }) => [line, userId])).toEqual([['POST /embed', alice.id]]);
  });

  it.each([
    ['notes.bin', 'any', 'unsupported'],
    ['torn.pdf', 'a\0b', 'damaged'],
  ])('that the service cannot index fails with the reason (%s)', async (name, text, reason) => {
    await open();
    const id = await addFile(services, alice, text, { name, mime: PDF });
    await awaitState(services, id, 'failed');
    expect(await documentOf(services, id)).toMatchObject({ reason, owner: null });
  });

  it('waits while the service fails, and is given up in the end', async () => {
    await open();
    rag.trouble = 500;
    const waiting = await addFile(services, alice, BIRDS, { name: 'birds.pdf', mime: PDF });
    await expect.poll(() => rag.calls.length).toBeGreaterThan(0);
    rag.trouble = null;
    await awaitState(services, waiting, 'ready');
    rag.trouble = 500;
    const lost = await addFile(services, alice, 'Another.', { name: 'other.pdf', mime: PDF });
    await awaitState(services, lost, 'failed');
    expect(await documentOf(services, lost)).toMatchObject({ reason: 'error' });
  });
});

describe('a question', () => {
  it('is shown the passages of the service, and its answer cites them', async () => {
    await open();
    const id = await addBirds();
    const { reply } = await exchange(services, alice.id, asking('At what height do the red kites nest?', [id]));
    const sent = JSON.stringify(answerRequests(services.provider).at(-1)?.body);
    expect(sent).toContain('[1] <file name=\\"birds.pdf\\" page=\\"1\\">');
    const [query] = rag.calls.filter(({ line }) => line === 'POST /query');
    expect(query?.body).toEqual({ file_id: id, query: 'At what height do the red kites nest?', k: 4 });
    const answer = reply.parts.at(-1);
    const citations = answer?.type === 'text' ? (answer.citations ?? []) : [];
    expect(citations).toMatchObject([{ fileId: id, name: 'birds.pdf', page: 1 }]);
    expect(citations[0]?.quote).toBe('The red kites nest 23 metres above the mill.');
    const { passage, before, after } = await alice.api.files.passage({ fileId: id, n: citations[0]?.n ?? -1 });
    expect(passage.text).toBe('The red kites nest 23 metres above the mill.');
    expect([before, after]).toEqual([null, null]);
    expect(reply.context?.files).toMatchObject([{ fileId: id, shown: 'passages' }]);
  });

  it('gives the same passage the same number each time', async () => {
    await open();
    const id = await addBirds();
    const ask = () => exchange(services, alice.id, asking('Where do the otters live?', [id]));
    await ask();
    const before = await services.deps.db.query.select().from(chunks).where(eq(chunks.fileId, id));
    await Promise.all([ask(), ask()]);
    const after = await services.deps.db.query.select().from(chunks).where(eq(chunks.fileId, id));
    expect(after.map(({ n }) => n).toSorted()).toEqual(before.map(({ n }) => n).toSorted());
  });

  it('is shown the best passages of several files', async () => {
    await open();
    const ids = [await addBirds(), await addFile(services, alice, 'Otters eat fish.', { name: 'food.pdf', mime: PDF })];
    await awaitState(services, ids[1] ?? '', 'ready');
    const { reply } = await exchange(services, alice.id, asking('Otters?', ids, 'fake:echo'));
    expect(messageText(reply)).toContain('Otters eat fish.');
    expect(messageText(reply)).toContain('Otters live below the weir.');
  });

  it('goes on without a service that fails, and names the file', async () => {
    await open();
    const id = await addBirds();
    rag.trouble = 503;
    const { reply } = await exchange(services, alice.id, asking('Otters?', [id], 'fake:echo'));
    expect(messageText(reply)).toBe('[file: birds.pdf; its text cannot be read]\nOtters?');
    expect(reply.context?.files).toEqual([{ fileId: id, name: 'birds.pdf', shown: 'name', why: 'error' }]);
  });

  it('goes on without a service that is gone', async () => {
    await open();
    const id = await addBirds();
    await rag.close();
    const { reply } = await exchange(services, alice.id, asking('Otters?', [id], 'fake:echo'));
    expect(messageText(reply)).toBe('[file: birds.pdf; its text cannot be read]\nOtters?');
    rag = await startFakeRag(SECRET);
  });

  it('is shown whole files where the operator wants that', async () => {
    await open({ RAG_USE_FULL_CONTEXT: 'true' });
    const id = await addBirds();
    const { reply } = await exchange(services, alice.id, asking('Otters?', [id], 'fake:echo'));
    const whole = BIRDS.replace('\f', '\n\n');
    expect(messageText(reply)).toBe(`<file name="birds.pdf">\n${whole}\n</file>\nOtters?`);
    expect(reply.context?.files).toEqual([{ fileId: id, name: 'birds.pdf', shown: 'whole' }]);
    expect(rag.calls.map(({ line }) => line)).not.toContain('POST /query');
  });
});

describe('a deleted file', () => {
  it('is deleted in the service, also when that is down for a moment', async () => {
    await open();
    const id = await addBirds();
    rag.trouble = 500;
    await alice.api.files.remove({ ids: [id] });
    await expect.poll(() => deletions().length).toBeGreaterThan(0);
    rag.trouble = null;
    await expect.poll(() => rag.files.has(id)).toBe(false);
    expect(deletions().at(-1)).toMatchObject({ userId: alice.id, body: [id] });
    await expect.poll(() => services.deps.db.query.$count(ragRemovals)).toBe(0);
  });

  it('is deleted in the service after an outage and a new start of the server', async () => {
    await open();
    const id = await addBirds();
    rag.trouble = 500;
    await services.deps.retrieval.close();
    await alice.api.files.remove({ ids: [id] });
    expect(rag.files.has(id)).toBe(true);
    rag.trouble = null;
    const { deps } = services;
    const timings = { ...deps.timings, ...quick };
    const next = createRetrieval({ ...deps, timings, extractor: plainExtractor(), owner: randomUUID() });
    await expect.poll(() => rag.files.has(id)).toBe(false);
    await next.close();
  });

  it('is deleted in the service with the account', async () => {
    await open();
    const id = await addBirds();
    const { db } = services.deps;
    await db.query.update(users).set({ deletionDueAt: '2020-01-01T00:00:00Z' }).where(eq(users.id, alice.id));
    await sweepAccounts(services.deps);
    await expect.poll(() => rag.files.has(id)).toBe(false);
  });

  it('is deleted on arrival when it was on its way', async () => {
    await open();
    let arrive = () => {};
    rag.embedsAfter = new Promise((resolve) => (arrive = resolve));
    const id = await addFile(services, alice, BIRDS, { name: 'birds.pdf', mime: PDF });
    await expect.poll(() => rag.calls.some(({ line }) => line === 'POST /embed')).toBe(true);
    await alice.api.files.remove({ ids: [id] });
    await expect.poll(() => deletions().length).toBeGreaterThan(0);
    arrive();
    await expect.poll(() => deletions().length).toBeGreaterThan(1);
    await expect.poll(() => rag.files.has(id)).toBe(false);
  });

  it('is deleted once more when it arrives while its deletion is being answered', async () => {
    await open();
    let [arrive, answer] = [() => {}, () => {}];
    rag.embedsAfter = new Promise((resolve) => (arrive = resolve));
    rag.answersDeletionsAfter = new Promise((resolve) => (answer = resolve));
    const id = await addFile(services, alice, BIRDS, { name: 'birds.pdf', mime: PDF });
    await expect.poll(() => rag.calls.some(({ line }) => line === 'POST /embed')).toBe(true);
    await alice.api.files.remove({ ids: [id] });
    await expect.poll(() => deletions().length).toBe(1);
    arrive();
    const { query } = services.deps.db;
    const isDueAgain = () => query.select().from(ragRemovals).where(eq(ragRemovals.attempts, 0));
    await expect.poll(isDueAgain).toHaveLength(1);
    expect(rag.files.has(id)).toBe(true);
    answer();
    await expect.poll(() => rag.files.has(id)).toBe(false);
  });

  it('that nobody used is, too', async () => {
    await open();
    const id = await addBirds();
    const { db, stores, config } = services.deps;
    await db.query.update(files).set({ expiresAt: '2020-01-01T00:00:00Z' }).where(eq(files.id, id));
    await sweepFiles({ db, stores, arrivals: arrivalsFolder(config), onFault: () => {} });
    await expect.poll(() => rag.files.has(id)).toBe(false);
  });
});

it('the token for the service is no sign-in here', async () => {
  await open();
  await addBirds();
  const token = rag.calls[0]?.token ?? '';
  expect(token).not.toBe('');
  expect(await verifyAccessToken(SECRET, token)).toBeNull();
});

it('the service takes over documents of our own index, also those that it could not read', async () => {
  await open();
  const ids = [await addBirds(), await addFile(services, alice, 'A letter.', { name: 'letter.pdf', mime: PDF })];
  await awaitState(services, ids[1] ?? '', 'ready');
  const { deps } = services;
  await deps.retrieval.close();
  const [read = '', unread = ''] = ids;
  rag.files.clear();
  await deps.db.query.update(documents).set({ model: 'openAI/small' }).where(eq(documents.fileId, read));
  const failed = { state: 'failed', reason: 'unsupported', model: null } as const;
  await deps.db.query.update(documents).set(failed).where(eq(documents.fileId, unread));
  const timings = { ...deps.timings, ...quick };
  const next = createRetrieval({ ...deps, timings, extractor: plainExtractor(), owner: randomUUID() });
  await expect.poll(() => [...rag.files.keys()].toSorted()).toEqual(ids.toSorted());
  await awaitState(services, unread, 'ready');
  expect(await documentOf(services, unread)).toMatchObject({ reason: null, model: 'rag-api' });
  await next.close();
});

it('our own index takes over documents of a service that is no longer configured', async () => {
  await open();
  const id = await addBirds();
  const { deps } = services;
  await deps.retrieval.close();
  const timings = { ...deps.timings, ...quick };
  const parts = { ...deps, embedder: null, timings, extractor: plainExtractor(), folder: deps.config.server.dataDir };
  const queue = createIndexQueue({ ...parts, owner: randomUUID() });
  const look = () => deps.db.query.select().from(documents).where(eq(documents.fileId, id));
  await expect.poll(look).toMatchObject([{ state: 'ready', model: null, chunks: 3 }]);
  await queue.close();
});

function deletions() {
  return rag.calls.filter(({ line }) => line === 'DELETE /documents');
}

async function addBirds(): Promise<string> {
  const id = await addFile(services, alice, BIRDS, { name: 'birds.pdf', mime: PDF });
  await awaitState(services, id, 'ready');
  return id;
}

function asking(text: string, attached: string[], model = 'fake:cite'): AskInput {
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text, files: attached };
  return question(text, { model, target });
}
