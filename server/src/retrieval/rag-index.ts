// Documents that the service at RAG_API_URL indexes and searches. A row of `documents` has its state; of the text
// this server keeps only the passages that models got, so that citations can be opened.
import type { Db } from '@parley/db/client';
import { chunks, documents } from '@parley/db/tables/documents';
import { cleanText } from '@parley/schema/clean-text';
import { isTextType } from '@parley/schema/files/file-types';
import { and, eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { estimateTokens } from '../catalog/count-tokens.ts';
import { logError } from '../platform/log-error.ts';
import type { Finding } from './find.ts';
import { withCopy, type Indexing } from './index-document.ts';
import type { Indexer } from './index-queue.ts';
import { isOurs, RAG_MODEL, complete, type Claim } from './leases.ts';
import type { FoundPassage } from './passages.ts';
import type { RagApi, RagPassage } from './rag-api.ts';
import { fuse } from './rank.ts';

interface From extends Pick<Indexing, 'db' | 'stores' | 'folder'> {
  api: RagApi;
  usesFullContext: boolean;
  log: Logger;
}

const PASSAGES_MAX = 8;
const PASSAGE_LENGTH = 8000;
/** Passages of the service overlap and have no places: no two that are kept are neighbours. */
const NUMBER_STEP = 2;
const QUESTION_MAX = 4000;
const BYTES_PER_TOKEN = 4;
/** Of a file that is no plain text, such as a PDF with its fonts and images. */
const DOCUMENT_BYTES_PER_TOKEN = 40;

/** Sends files to the service. */
export function createRagIndexer({ api, usesFullContext, log, ...from }: From): Indexer {
  const { db } = from;
  return {
    async begin() {
      if (!(await api.isUp())) log.warn({ event: 'index.failed' }, 'The service at RAG_API_URL does not answer');
      await queueForService(db);
    },
    async advance(claim, signal) {
      const { userId, fileId } = claim;
      // Before the service has it: deleted from now on, it is forgotten there too.
      await db.query.update(documents).set({ model: RAG_MODEL }).where(isOurs(claim));
      const embed = () => withCopy(from, claim, signal, (file) => api.embed(userId, fileId, file, signal));
      const reason = await embed().finally(() => forgetIfDeleted(db, claim));
      if (reason) return complete(db, claim, { reason, model: RAG_MODEL });
      const text = usesFullContext ? await api.context(userId, fileId, signal).catch(() => null) : null;
      await saveTokens(db, claim, text);
      await complete(db, claim, { model: RAG_MODEL });
    },
  };
}

/** Those that were indexed here before, or could not be indexed: the service may read other kinds of files. */
async function queueForService({ sql: plain }: Db): Promise<void> {
  await plain`
    update documents set state = 'queued', reason = null, attempts = 0, lease_until = null
    where state in ('embedding', 'ready', 'failed') and (model is distinct from ${RAG_MODEL} or reason = 'error')`;
}

/** A file that was deleted while it was on its way may have arrived after the service was asked to forget it. */
async function forgetIfDeleted({ sql: plain }: Db, { userId, fileId }: Claim): Promise<void> {
  await plain`
    insert into rag_removals (user_id, file_id) select ${userId}, ${fileId}
    where not exists (select from documents where user_id = ${userId} and file_id = ${fileId})
    on conflict (user_id, file_id) do update set attempts = 0, retry_at = now()`;
}

/** An estimate, by the text where the service returns it. */
async function saveTokens({ query }: Db, { userId, fileId }: Claim, text: string | null): Promise<void> {
  const [file] = await query.execute<{ mime: string; bytes: number }>(sql`
    select mime, bytes from files where user_id = ${userId} and id = ${fileId}`);
  const perToken = isTextType(file?.mime ?? '') ? BYTES_PER_TOKEN : DOCUMENT_BYTES_PER_TOKEN;
  const tokens = text === null ? Math.ceil((file?.bytes ?? 0) / perToken) : estimateTokens(text);
  await query
    .update(documents)
    .set({ tokens, pages: null })
    .where(and(eq(documents.userId, userId), eq(documents.fileId, fileId)));
}

/** Asks for the passages of each file; of a file for which the service fails, `onUnreachable` is called. */
export async function findInService(
  { db, api, log }: Pick<From, 'db' | 'api' | 'log'>,
  { userId, fileIds, question, tokensMax, onUnreachable }: Finding,
  signal: AbortSignal,
): Promise<FoundPassage[]> {
  const asked = question.trim().slice(0, QUESTION_MAX) || 'Summary';
  const found = await Promise.all(
    fileIds.map(async (fileId) => {
      try {
        return await savePassages(db, userId, fileId, await api.query(userId, fileId, asked, signal));
      } catch (error) {
        if (!signal.aborted) logError(log, error, { event: 'index.failed', userId });
        onUnreachable?.(fileId);
        return [];
      }
    }),
  );
  const all = new Map(found.flat().map((passage) => [keyOf(passage), passage]));
  const order = fuse(found.map((passages) => passages.map(keyOf)));
  let left = tokensMax;
  const chosen = order.slice(0, PASSAGES_MAX).flatMap((key) => {
    const passage = all.get(key);
    const tokens = estimateTokens(passage?.body ?? '');
    if (!passage || tokens > left) return [];
    left -= tokens;
    return [passage];
  });
  // The same order as of our own index: recovery counts on it.
  return fileIds.flatMap((fileId) => chosen.filter((passage) => passage.fileId === fileId));
}

/** Gives each passage its number in the file: the same text has the same one for ever. */
async function savePassages(
  db: Db,
  userId: string,
  fileId: string,
  found: readonly RagPassage[],
): Promise<FoundPassage[]> {
  const told = found
    .map(({ text, page }) => ({ body: cleanText(text.slice(0, PASSAGE_LENGTH).toWellFormed()).trim(), page }))
    .filter(({ body }) => body !== '');
  return db.query.transaction(async (tx) => {
    const ofFile = and(eq(chunks.userId, userId), eq(chunks.fileId, fileId));
    // Two questions at once would give one number twice.
    const owned = await tx
      .select({ one: sql`1` })
      .from(documents)
      .where(and(eq(documents.userId, userId), eq(documents.fileId, fileId)))
      .for('update');
    if (owned.length === 0) return [];
    const stored = await tx.select({ n: chunks.n, body: chunks.body }).from(chunks).where(ofFile);
    const numbers = new Map(stored.map(({ n, body }) => [body, n]));
    let next = stored.reduce((most, { n }) => Math.max(most, n + NUMBER_STEP), 0);
    const passages: FoundPassage[] = [];
    for (const { body, page } of told) {
      const known = numbers.get(body);
      const n = known ?? next;
      if (known === undefined) {
        await tx.insert(chunks).values({ userId, fileId, n, page, heading: null, body, tokens: estimateTokens(body) });
        numbers.set(body, n);
        next += NUMBER_STEP;
      }
      passages.push({ fileId, n, page, heading: null, body });
    }
    return passages;
  });
}

function keyOf({ fileId, n }: FoundPassage): string {
  return `${fileId} ${n}`;
}
