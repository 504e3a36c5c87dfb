// The queue of documents: what is indexed, what goes on after a process that was killed, and what failures leave.
import { randomUUID } from 'node:crypto';
import { chunks, chunkVectors, documents } from '@parley/db/tables/documents';
import { removeFiles } from '@parley/server/files/files';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { addFile, awaitState, documentOf, plainExtractor } from '../../support/retrieval/stored-files.ts';

const EMBEDDED = { EMBEDDINGS_ENDPOINT: 'openAI', EMBEDDINGS_MODEL: 'small' };
const quick = { indexEveryMs: 20, indexRetryMs: 2 };
const FACTS = 'The mill stands by the river.\n\nThe kites nest above it.\fOn the second page there is rain.';

let services: TestServices;
let alice: Person;
let gate: ReturnType<typeof createGate>;
let trouble: Error | null;
/** The texts in the order in which they were read. */
let order: string[];
let isTooSlow: boolean;
/** Only files that take long wait at the gate. */
let isHeldSlow: boolean;

async function open(env: Record<string, string> = EMBEDDED): Promise<void> {
  gate = createGate();
  trouble = null;
  order = [];
  isTooSlow = false;
  isHeldSlow = false;
  const extractor = plainExtractor(async (signal, text, cpuMs) => {
    order.push(text);
    if (!isHeldSlow || text.startsWith('slow')) await gate.pass(signal);
    if (trouble) throw trouble;
    // Such a file takes longer than the first, short time.
    if (text.startsWith('slow') && (cpuMs !== undefined || isTooSlow))
      return { type: 'unreadable', reason: 'timed_out' };
  });
  services = await openTestServices(env, quick, extractor);
  alice = await services.as('alice');
}
afterEach(() => services.close());

describe('an uploaded document', () => {
  it('is read and embedded, and its chunks go with it', async () => {
    await open();
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'ready');
    expect(await documentOf(services, id)).toMatchObject({ pages: 2, chunks: 3, model: 'openAI/small', owner: null });
    expect(await rowsOf(id)).toEqual({ chunks: 3, vectors: 3 });
    expect((await alice.api.files.list()).files[0]?.document).toEqual({ state: 'ready', pages: 2, reason: null });
    await removeFiles(services.deps, alice.id, [id]);
    expect([await documentOf(services, id), await rowsOf(id)]).toEqual([undefined, { chunks: 0, vectors: 0 }]);
  });

  it('has no text to index when it is an image', async () => {
    await open();
    const id = await addFile(services, alice, 'a picture', { name: 'a.png', mime: 'image/png' });
    expect(await documentOf(services, id)).toBeUndefined();
    expect((await alice.api.files.list()).files[0]?.document).toBeNull();
  });

  it('is embedded in batches of 96', async () => {
    await open();
    const text = Array.from({ length: 200 }, (_, n) => `Paragraph ${n} of the book.`).join('\n\n');
    const id = await addFile(services, alice, text);
    await awaitState(services, id, 'ready');
    expect(await rowsOf(id)).toEqual({ chunks: 200, vectors: 200 });
    expect(embeddingCalls().map(({ body }) => (body as { input: string[] }).input.length)).toEqual([96, 96, 8]);
  });

  it('is found by its words alone without a model', async () => {
    await open({});
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'ready');
    expect(await documentOf(services, id)).toMatchObject({ model: null });
    expect(await rowsOf(id)).toEqual({ chunks: 3, vectors: 0 });
    expect(embeddingCalls()).toEqual([]);
  });

  it('says when it has no text', async () => {
    await open();
    const id = await addFile(services, alice, ' \n\n ');
    await awaitState(services, id, 'failed');
    expect((await alice.api.files.list()).files[0]?.document).toEqual({
      state: 'failed',
      pages: null,
      reason: 'no_text',
    });
  });

  it('is given up when it fails again and again', async () => {
    await open();
    trouble = new Error('the disk is broken');
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'failed');
    expect(await documentOf(services, id)).toMatchObject({ reason: 'error', owner: null });
  });

  it('is one of many in one line of the log while their store is away', async () => {
    await open({});
    const { db, retrieval } = services.deps;
    await retrieval.close();
    const ids: string[] = [];
    for (let n = 0; n < 8; n++) ids.push(await addFile(services, alice, `Number ${n}. ${FACTS}`));
    const { createQueue } = await import('@parley/server/retrieval/index-queue');
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    const tried: string[] = [];
    const address = `http://127.0.0.1:${await freePort()}/`;
    const queue = createQueue(
      { db, owner: randomUUID(), log, timings: quick },
      {
        async begin() {},
        async advance({ fileId }) {
          tried.push(fileId);
          await fetch(address);
        },
      },
    );
    await Promise.all(ids.map((id) => awaitState(services, id, 'failed')));
    await queue.close();
    expect(tried.length).toBeGreaterThanOrEqual(ids.length);
    expect(lines).toMatchObject([{ event: 'index.failed', code: 'ECONNREFUSED' }]);
  });

  it('is embedded anew by another model after the next start', async () => {
    await open({});
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'ready');
    const row = { state: 'ready' as const, model: 'openAI/other' };
    await services.deps.db.query.update(documents).set(row).where(eq(documents.fileId, id));
    const { createIndexQueue } = await import('@parley/server/retrieval/index-queue');
    const { createEmbedder } = await import('@parley/server/retrieval/embed');
    const { deps } = services;
    // Its queue has no model, and would call the document ready without vectors.
    await deps.retrieval.close();
    const config = { retrieval: { embeddings: { endpoint: 'openAI', model: 'small' }, rag: undefined } };
    const embedder = createEmbedder(config, deps.endpoints);
    const timings = { ...deps.timings, ...quick };
    const parts = { ...deps, embedder, timings, extractor: plainExtractor(), folder: deps.config.server.dataDir };
    const queue = createIndexQueue({ ...parts, owner: randomUUID() });
    await expect.poll(async () => (await documentOf(services, id))?.model).toBe('openAI/small');
    await queue.close();
    expect(await rowsOf(id)).toEqual({ chunks: 3, vectors: 3 });
  });
});

describe('a process that is killed', () => {
  it('is replaced once its lease has expired, not before, when it was reading', async () => {
    await open();
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'ready');
    await pretend(id, { state: 'reading', lease: '1 hour' });
    await services.deps.db.query.delete(chunks).where(eq(chunks.fileId, id));
    const other = await addFile(services, alice, 'Another document.', { name: 'other.txt' });
    // The queue went past the first one.
    await awaitState(services, other, 'ready');
    expect(await documentOf(services, id)).toMatchObject({ state: 'reading' });
    await pretend(id, { state: 'reading', lease: '-1 second' });
    await awaitState(services, id, 'ready');
    expect(await rowsOf(id)).toEqual({ chunks: 3, vectors: 3 });
  });

  it('is replaced when it was embedding, and embedded chunks are not embedded again', async () => {
    await open();
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'ready');
    const { query } = services.deps.db;
    await query.delete(chunkVectors).where(sql`file_id = ${id} and n = 2`);
    services.provider.clear();
    await pretend(id, { state: 'embedding', lease: '-1 second' });
    await awaitState(services, id, 'ready');
    expect(embeddingCalls().map(({ body }) => (body as { input: string[] }).input)).toEqual([
      ['On the second page there is rain.'],
    ]);
  });

  it('leaves a file alone in the end when it dies of it each time', async () => {
    await open();
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'ready');
    await services.deps.db.query.update(documents).set({ attempts: 5 }).where(eq(documents.fileId, id));
    await pretend(id, { state: 'reading', lease: '-1 second' });
    await awaitState(services, id, 'failed');
    expect(await documentOf(services, id)).toMatchObject({ reason: 'error' });
  });

  it('writes nothing if it was only slow and has been replaced', async () => {
    await open();
    gate.close();
    const id = await addFile(services, alice, FACTS);
    await gate.reached();
    await pretend(id, { state: 'reading', lease: '1 hour' });
    gate.open();
    const other = await addFile(services, alice, 'Another document.', { name: 'other.txt' });
    await awaitState(services, other, 'ready');
    expect(await documentOf(services, id)).toMatchObject({ state: 'reading', chunks: 0 });
    expect(await rowsOf(id)).toEqual({ chunks: 0, vectors: 0 });
  });
});

describe('turns', () => {
  it('are taken by users, so that many files of one do not hold up those of another', async () => {
    await open({});
    const bob = await services.as('bob');
    gate.close();
    const [first, second, third] = ['a1', 'a2', 'a3'].map((text) => addFile(services, alice, text, { name: text }));
    await first;
    await gate.reached();
    await Promise.all([second, third]);
    const last = await addFile(services, bob, 'b1');
    gate.open();
    await awaitState(services, last, 'ready');
    await Promise.all([first, second, third].map(async (id) => awaitState(services, (await id) ?? '', 'ready')));
    expect(order.indexOf('b1')).toBe(1);
  });

  it('come last to a file that takes long, which is then read to its end', async () => {
    await open({});
    const slow = await addFile(services, alice, 'slow');
    await awaitState(services, slow, 'ready');
    expect(order).toEqual(['slow', 'slow']);
    expect(await documentOf(services, slow)).toMatchObject({ reason: null });
  });

  it('of other files do not wait for one that takes long', async () => {
    await open({});
    const slow = await addFile(services, alice, 'slow');
    await awaitState(services, slow, 'ready');
    const { query } = services.deps.db;
    await query.delete(chunks).where(eq(chunks.fileId, slow));
    isHeldSlow = true;
    gate.close();
    const row = { state: 'queued' as const, reason: 'timed_out' as const };
    await query.update(documents).set(row).where(eq(documents.fileId, slow));
    services.deps.retrieval.wake();
    await gate.reached();
    const other = await addFile(services, alice, 'other');
    await awaitState(services, other, 'ready');
    expect(await documentOf(services, slow)).toMatchObject({ state: 'reading' });
    gate.open();
    await awaitState(services, slow, 'ready');
  });
});

describe('a text that could not be read', () => {
  it('can be read again, and one that took too long stays behind others', async () => {
    await open({});
    isTooSlow = true;
    const id = await addFile(services, alice, 'slow');
    await awaitState(services, id, 'failed');
    isTooSlow = false;
    expect(await alice.api.files.readAgain({ fileId: id })).toMatchObject({ state: 'queued', reason: 'timed_out' });
    await awaitState(services, id, 'ready');
    expect(order).toEqual(['slow', 'slow', 'slow']);
    await expect(alice.api.files.readAgain({ fileId: id })).rejects.toThrow();
  });

  it('is not read again for somebody else', async () => {
    await open({});
    trouble = new Error('the disk is broken');
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'failed');
    const bob = await services.as('bob');
    await expect(bob.api.files.readAgain({ fileId: id })).rejects.toThrow();
    expect(await documentOf(services, id)).toMatchObject({ state: 'failed' });
  });
});

describe('a shutdown', () => {
  it('gives the document back at once', async () => {
    await open();
    gate.close();
    const id = await addFile(services, alice, FACTS);
    await gate.reached();
    await services.deps.retrieval.close();
    expect(await documentOf(services, id)).toMatchObject({
      state: 'reading',
      owner: null,
      leaseUntil: null,
      attempts: 0,
    });
  });
});

describe('a file that is deleted', () => {
  it('while it is read comes to nothing', async () => {
    await open();
    gate.close();
    const id = await addFile(services, alice, FACTS);
    await gate.reached();
    await removeFiles(services.deps, alice.id, [id]);
    gate.open();
    const other = await addFile(services, alice, 'Another document.', { name: 'other.txt' });
    await awaitState(services, other, 'ready');
    expect([await documentOf(services, id), await rowsOf(id)]).toEqual([undefined, { chunks: 0, vectors: 0 }]);
  });
});

describe('an embeddings model', () => {
  it('is asked again when it fails twice', async () => {
    await open({ ...EMBEDDED, EMBEDDINGS_MODEL: 'flaky:2' });
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'ready');
    expect(await documentOf(services, id)).toMatchObject({ model: 'openAI/flaky:2' });
    expect(embeddingCalls()).toHaveLength(3);
  });

  it.each([['error-429'], ['error-500'], ['uneven'], ['few']])(
    'that answers with %s leaves the document searchable by its words',
    async (model) => {
      await open({ ...EMBEDDED, EMBEDDINGS_MODEL: model });
      const id = await addFile(services, alice, FACTS);
      await expect.poll(async () => (await rowsOf(id)).chunks).toBe(3);
      const asked = { userId: alice.id, fileIds: [id], question: 'Where do the kites nest?', tokensMax: 1000 };
      const found = await services.deps.retrieval.find(asked, new AbortController().signal);
      expect(found.map(({ body }) => body).join()).toContain('The kites nest above it.');
      // In the end it is done without.
      await awaitState(services, id, 'ready');
      expect(await documentOf(services, id)).toMatchObject({ model: null, reason: null });
    },
  );

  it('is not asked again when it refuses the key', async () => {
    await open({ ...EMBEDDED, EMBEDDINGS_MODEL: 'error-401' });
    const id = await addFile(services, alice, FACTS);
    await awaitState(services, id, 'ready');
    expect(embeddingCalls()).toHaveLength(1);
  });
});

function embeddingCalls() {
  return services.provider.requests.filter(({ path }) => path.endsWith('/embeddings'));
}

async function rowsOf(fileId: string): Promise<{ chunks: number; vectors: number }> {
  const { query } = services.deps.db;
  return {
    chunks: await query.$count(chunks, eq(chunks.fileId, fileId)),
    vectors: await query.$count(chunkVectors, eq(chunkVectors.fileId, fileId)),
  };
}

/** As if a process that is not there any more had the document. */
async function pretend(fileId: string, { state, lease }: { state: 'reading' | 'embedding'; lease: string }) {
  const leaseUntil = sql`now() + ${lease}::interval`;
  const owner = randomUUID();
  await services.deps.db.query.update(documents).set({ state, owner, leaseUntil }).where(eq(documents.fileId, fileId));
}

/** Holds back anyone who passes while it is closed. */
function createGate() {
  let opened = Promise.resolve();
  let open = () => {};
  let arrived = () => {};
  let reached = new Promise<void>((resolve) => (arrived = resolve));
  return {
    close() {
      opened = new Promise((resolve) => (open = resolve));
      reached = new Promise((resolve) => (arrived = resolve));
    },
    open: () => open(),
    reached: () => reached,
    async pass(signal: AbortSignal) {
      arrived();
      const aborted = new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
      aborted.catch(() => {});
      await Promise.race([opened, aborted]);
    },
  };
}
