// Indexes one document: its bytes become chunks, in one transaction, and its chunks vectors, batch by batch.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Db, Tx } from '@parley/db/client';
import { documents } from '@parley/db/tables/documents';
import { blobs, files } from '@parley/db/tables/files';
import { cleanText } from '@parley/schema/clean-text';
import { and, eq, sql } from 'drizzle-orm';
import { storageKey, type FileStores } from '../storage/file-store.ts';
import { BATCH, type Embedder } from './embed.ts';
import type { Chunk, ExtractOutcome, Extractor, FileToExtract } from './extracted.ts';
import { isOurs, queueAsSlow, complete, type Claim } from './leases.ts';
import { pack } from './vectors.ts';

export interface Indexing {
  db: Db;
  stores: FileStores;
  extractor: Pick<Extractor, 'extract'>;
  embedder: Embedder | null;
  /** For copies of files, which the extractor reads from the disk. */
  folder: string;
}

/** Chunks written by one statement. */
const BATCH_CHUNKS = 500;

/** Thrown when the document is gone or another process has it. */
export class LostDocument extends Error {
  override name = 'LostDocument';
}

/** Time of the processor within which most files are read, in milliseconds. What takes longer waits behind others. */
const FIRST_CPU_MS = 5_000;

/** Reads the file and saves its chunks; a bad file is settled with its reason. Returns whether there is text. */
export async function readDocument(indexing: Indexing, claim: Claim, signal: AbortSignal): Promise<boolean> {
  const { extractor } = indexing;
  const cpuMs = claim.isSlow ? undefined : FIRST_CPU_MS;
  const outcome = await withCopy(indexing, claim, signal, (file) => extractor.extract(file, signal, cpuMs));
  if (outcome.type === 'unreadable' && outcome.reason === 'timed_out' && !claim.isSlow) {
    await queueAsSlow(indexing.db, claim);
    return false;
  }
  if (outcome.type === 'unreadable' || outcome.chunks.length === 0) {
    const { reason = 'no_text', pages } = outcome.type === 'unreadable' ? outcome : {};
    await complete(indexing.db, claim, { reason, ...(pages !== undefined && { pages }) });
    return false;
  }
  await saveChunks(indexing.db, claim, outcome);
  return true;
}

/** Calls `handle` with a copy of the file on this machine's disk. @throws LostDocument when the file is gone */
export async function withCopy<Result>(
  { db, stores, folder }: Pick<Indexing, 'db' | 'stores' | 'folder'>,
  { userId, fileId }: Claim,
  signal: AbortSignal,
  handle: (file: FileToExtract) => Promise<Result>,
): Promise<Result> {
  const [file] = await db.query
    .select({ name: files.name, mime: files.mime, hash: blobs.hash, store: blobs.store })
    .from(files)
    .innerJoin(blobs, and(eq(blobs.userId, files.userId), eq(blobs.hash, files.hash)))
    .where(and(eq(files.userId, userId), eq(files.id, fileId)));
  if (!file) throw new LostDocument();
  const path = join(folder, randomUUID());
  try {
    await mkdir(folder, { recursive: true });
    const bytes = await stores.of(file.store).read(storageKey(userId, file.hash));
    await pipeline(bytes, createWriteStream(path, { flags: 'wx' }), { signal });
    return await handle({ path, mime: file.mime, name: file.name });
  } finally {
    await rm(path, { force: true });
  }
}

async function saveChunks(db: Db, claim: Claim, outcome: Extract<ExtractOutcome, { type: 'text' }>): Promise<void> {
  const { chunks, pages, encoding = null } = outcome;
  const { userId, fileId } = claim;
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
  await db.query.transaction(async (tx) => {
    await tx.execute(sql`delete from chunks where user_id = ${userId} and file_id = ${fileId}`);
    for (let at = 0; at < chunks.length; at += BATCH_CHUNKS)
      await insertChunks(tx, claim, chunks.slice(at, at + BATCH_CHUNKS));
    // Last, so that renewing the lease does not wait for all of this.
    const saved = await tx
      .update(documents)
      .set({ state: 'embedding', reason: null, encoding, pages, chunks: chunks.length, tokens, attempts: 0 })
      .where(isOurs(claim))
      .returning({ fileId: documents.fileId });
    if (saved.length === 0) throw new LostDocument();
  });
}

async function insertChunks(tx: Tx, { userId, fileId }: Claim, some: readonly Chunk[]): Promise<void> {
  await tx.execute(sql`
    insert into chunks (user_id, file_id, n, page, heading, body, tokens)
    select ${userId}::uuid, ${fileId}::uuid, * from unnest(
      ${sql.param(some.map(({ n }) => n))}::int[], ${sql.param(some.map(({ page }) => page))}::int[],
      ${sql.param(some.map(({ heading }) => heading && cleanText(heading)))}::text[],
      ${sql.param(some.map(({ body }) => cleanText(body)))}::text[],
      ${sql.param(some.map(({ tokens }) => tokens))}::int[]
    )`);
}

/** Embeds the chunks that have no vectors of this model yet, and settles the document. */
export async function embedDocument(
  { db, embedder }: Pick<Indexing, 'db' | 'embedder'>,
  claim: Claim,
  signal: AbortSignal,
): Promise<void> {
  while (embedder) {
    const batch = await listUnembedded(db, claim, embedder.model);
    if (batch.length === 0) break;
    const texts = batch.map(({ heading, body }) => (heading ? `${heading}\n${body}` : body));
    const vectors = await embedder.embed(claim.userId, texts, signal);
    const places = batch.map(({ n }) => n);
    await saveVectors(db, claim, embedder.model, places, vectors);
  }
  await complete(db, claim, { model: embedder?.model ?? null });
}

interface Unembedded extends Record<string, unknown> {
  n: number;
  heading: string | null;
  body: string;
}

async function listUnembedded({ query }: Db, { userId, fileId }: Claim, model: string): Promise<Unembedded[]> {
  return query.execute<Unembedded>(sql`
    select n, heading, body from chunks c
    where user_id = ${userId} and file_id = ${fileId} and not exists (
      select from chunk_vectors v
      where v.user_id = c.user_id and v.file_id = c.file_id and v.n = c.n and v.model = ${model}
    )
    order by n limit ${BATCH}`);
}

/** @throws LostDocument when another process has taken the document over, or it is gone */
async function saveVectors(
  { query }: Db,
  { userId, fileId, owner }: Claim,
  model: string,
  places: readonly number[],
  vectors: readonly Float32Array[],
): Promise<void> {
  const packed = vectors.map(pack);
  const saved = await query.execute(sql`
    with ours as (
      update documents set attempts = 0
      where user_id = ${userId} and file_id = ${fileId} and owner = ${owner} returning file_id
    )
    insert into chunk_vectors (user_id, file_id, n, model, bits, vec, scale)
    select ${userId}::uuid, ours.file_id, one.n, ${model}, one.bits::varbit, decode(one.vec, 'base64'), one.scale
    from ours, unnest(
      ${sql.param(places)}::int[], ${sql.param(packed.map(({ bits }) => bits))}::text[],
      ${sql.param(packed.map(({ vec }) => Buffer.from(vec.buffer).toString('base64')))}::text[],
      ${sql.param(packed.map(({ scale }) => scale))}::real[]
    ) as one (n, bits, vec, scale)
    on conflict (user_id, file_id, n) do update
      set model = excluded.model, bits = excluded.bits, vec = excluded.vec, scale = excluded.scale
    returning n`);
  if (saved.length === 0) throw new LostDocument();
}
