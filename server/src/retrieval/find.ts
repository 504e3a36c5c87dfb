// Finds the passages of files that a question is about: by its words, and by its meaning where an embeddings model is
// configured.
import type { Db } from '@parley/db/client';
import { sql, type SQL } from 'drizzle-orm';
import { withDeadline } from '../platform/deadline.ts';
import { refuse } from '../platform/errors.ts';
import type { Embedder } from './embed.ts';
import { joinNeighbours, type FoundPassage, type StoredChunk } from './passages.ts';
import { fuse, scoreByWords, distinctWords } from './rank.ts';
import { signBits, similarity } from './vectors.ts';

export interface Finding {
  userId: string;
  fileIds: readonly string[];
  question: string;
  /** The most tokens of all passages together. */
  tokensMax: number;
  /** Called for each file that could not be searched, where a service finds. */
  onUnreachable?(fileId: string): void;
  /** Where the files have more chunks, words are looked up in the index. */
  scannedChunksMax?: number;
}

export interface Finder {
  db: Db;
  embedder: Embedder | null;
}

const PASSAGES_MAX = 8;
/** Of all files of a question: comparing the vectors of so many takes a second or less. */
const CHUNKS_MAX = 100_000;
/** The first hits of each order that are merged. */
const HITS_MAX = 50;
/** A word in more chunks than this narrows nothing. */
const RARE_CHUNKS_MAX = 1000;
/** Of all files of a question: so many are asked one by one. */
const SCANNED_CHUNKS_MAX = 5000;
/** Chunks looked at to know which words are common. */
const SAMPLE_CHUNKS = 200;
/** How many times over that a sample must say that a word is: chance makes it up once in many thousand questions. */
const SAMPLE_MARGIN_FACTOR = 4;
/** The least share of the best score that a hit by words has. */
const SCORE_SHARE_MIN = 0.25;
/** Chunks whose words are compared. */
const COMPARED_CHUNKS_MAX = 400;
/** Chunks whose whole vectors are compared: the signs alone misplace the best ones within about as many. */
const RERANKED_CHUNKS_MAX = 200;
const EMBED_MS = 5000;

/**
 * The best passages, neighbours joined, in the order of their files and places. Where nothing is found, and for what is
 * left of the places, the beginnings of the files. An embeddings model that fails is done without.
 * @throws Refusal `files_too_long` when the files have more chunks than one question can search
 */
export async function findPassages(finder: Finder, finding: Finding, signal: AbortSignal): Promise<FoundPassage[]> {
  const total = await countChunks(finder.db, finding);
  if (total > CHUNKS_MAX) refuse({ type: 'files_too_long', passages: total, max: CHUNKS_MAX });
  const [byWords, byMeaning] = await Promise.all([
    findByWords(finder.db, finding, total),
    findByMeaning(finder, finding, signal),
  ]);
  const found = fuse([byWords, byMeaning]);
  const keys = [...new Set([...found.slice(0, PASSAGES_MAX), ...beginningsOf(finding.fileIds)])].slice(0, PASSAGES_MAX);
  const chunks = await readChunksAt(finder.db, finding.userId, keys);
  return joinNeighbours(withinTokens(chunks, finding.tokensMax), finding.fileIds);
}

async function countChunks({ query }: Db, { userId, fileIds }: Finding): Promise<number> {
  const [all] = await query.execute<{ total: number }>(sql`
    select coalesce(sum(chunks), 0)::int as total from documents
    where user_id = ${userId} and file_id = any(${sql.param(fileIds)}::uuid[])`);
  return all?.total ?? 0;
}

/** The best first: those that fit. */
function withinTokens(chunks: readonly StoredChunk[], tokensMax: number): StoredChunk[] {
  let left = tokensMax;
  return chunks.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

/** The first chunks of each file, one file after the other. */
function beginningsOf(fileIds: readonly string[]): string[] {
  const each = Math.ceil(PASSAGES_MAX / Math.max(fileIds.length, 1));
  return Array.from({ length: each }, (_, n) => fileIds.map((fileId) => keyOf({ fileId, n }))).flat();
}

interface AskedWord extends Record<string, unknown> {
  word: string;
  /** The word's number in each of the files. */
  hashes: number[];
  /** In how many chunks it is, at most one more than `RARE_CHUNKS_MAX`. */
  count: number;
}

/** Keys of chunks, the best first. `total` is how many chunks the files have. */
async function findByWords(
  { query }: Db,
  { userId, fileIds, question, scannedChunksMax = SCANNED_CHUNKS_MAX }: Finding,
  total: number,
): Promise<string[]> {
  const words = distinctWords(question);
  if (words.length === 0) return [];
  const asking = { userId, fileIds, words, total };
  const { frequencies, rows } = await (total <= scannedChunksMax ? scanChunks : lookUpChunks)(query, asking);
  const items = rows.map(({ file_id: fileId, n, text }) => ({ fileId, n, text }));
  const scored = scoreByWords(items, words, { frequencies, total });
  // What shares only common words would take the places of better hits, since the merging looks at places alone.
  const enough = (scored[0]?.score ?? 0) * SCORE_SHARE_MIN;
  return scored
    .slice(0, HITS_MAX)
    .filter(({ score }) => score >= enough)
    .map(({ item }) => keyOf(item));
}

interface Asking {
  userId: string;
  fileIds: readonly string[];
  words: readonly string[];
  total: number;
}

/** The chunks whose words are compared, and in how many chunks each of the words is that are in any. */
interface Compared {
  rows: readonly { file_id: string; n: number; text: string }[];
  frequencies: ReadonlyMap<string, number>;
}

const NONE: Compared = { rows: [], frequencies: new Map() };

/** Asks each chunk for each word. In many files a lookup asks for the word under as many numbers, in each chunk. */
async function scanChunks(query: Db['query'], { userId, fileIds, words }: Asking): Promise<Compared> {
  const files = sql`unnest(${sql.param(fileIds)}::uuid[]) as file`;
  const matches = await query.execute<{ file_id: string; n: number; words: string[] }>(sql`
    with asked as materialized (
      select file, word, search_hash(word, file) as hash from ${files}
        cross join unnest(${sql.param(words)}::text[]) as word
    )
    select file_id, n, array_agg(word) as words from asked
      join chunks on user_id = ${userId} and file_id = file and words @> array[hash]
    group by file_id, n`);
  const frequencies = new Map<string, number>();
  for (const word of matches.flatMap((match) => match.words)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  const isCandidate = hasRarest([...frequencies].map(([word, count]) => ({ word, count })).toSorted(byRarity));
  const best = matches
    .filter((match) => isCandidate(match.words))
    .toSorted((a, b) => b.words.length - a.words.length || compareText(a.file_id, b.file_id) || a.n - b.n)
    .slice(0, COMPARED_CHUNKS_MAX);
  if (best.length === 0) return NONE;
  const rows = await query.execute<Compared['rows'][number] & Record<string, unknown>>(sql`
    select chunks.file_id, chunks.n, concat_ws(' ', heading, body) as text
    from unnest(${sql.param(best.map((one) => one.file_id))}::uuid[], ${sql.param(best.map(({ n }) => n))}::int[])
      as asked (file_id, n)
    join chunks on chunks.user_id = ${userId} and chunks.file_id = asked.file_id and chunks.n = asked.n`);
  return { rows, frequencies };
}

/** Whether a chunk with these words has one of the rarest, as `rarestOf` chooses them. */
function hasRarest(sorted: readonly Pick<AskedWord, 'word' | 'count'>[]): (words: readonly string[]) => boolean {
  let sum = 0;
  const chosen = new Set(sorted.filter(({ count }) => (sum += count) <= RARE_CHUNKS_MAX).map(({ word }) => word));
  if (chosen.size > 0) return (words) => words.some((word) => chosen.has(word));
  const both = sorted.slice(0, 2).map(({ word }) => word);
  return (words) => both.every((word) => words.includes(word));
}

function byRarity(a: Pick<AskedWord, 'count'>, b: Pick<AskedWord, 'count'>): number {
  return a.count - b.count;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Looks the words up in the index, under the numbers that they have in the files. */
async function lookUpChunks(query: Db['query'], { userId, fileIds, words, total }: Asking): Promise<Compared> {
  const files = sql`${sql.param(fileIds)}::uuid[]`;
  const own = sql`user_id = ${userId} and file_id = any(${files})`;
  const asked = await countWords(query, own, { words, files, total });
  const present = asked.filter(({ count }) => count > 0).toSorted(byRarity);
  if (present.length === 0) return NONE;
  const rows = await query.execute<Compared['rows'][number] & Record<string, unknown>>(sql`
    select file_id, n, concat_ws(' ', heading, body) as text from (
      select file_id, n, heading, body, words from chunks where ${rarestOf(present)} and ${own} limit ${RARE_CHUNKS_MAX}
    ) as candidates
    order by cardinality(array(
      select unnest(words) intersect select unnest(${numbers(present.flatMap(({ hashes }) => hashes))})
    )) desc, file_id, n limit ${COMPARED_CHUNKS_MAX}`);
  return { rows, frequencies: new Map(present.map(({ word, count }) => [word, count])) };
}

/**
 * In how many chunks each word is. A word that a sample shows to be in many times `RARE_CHUNKS_MAX` is not counted: the
 * index would list each of its chunks.
 */
async function countWords(
  query: Db['query'],
  own: SQL,
  { words, files, total }: { words: readonly string[]; files: SQL; total: number },
): Promise<AskedWord[]> {
  const step = Math.max(1, Math.ceil(total / SAMPLE_CHUNKS));
  const seenOften = Math.ceil((SAMPLE_MARGIN_FACTOR * RARE_CHUNKS_MAX) / step);
  return query.execute<AskedWord>(sql`
    with sample as materialized (
      select chunks.words from documents
        cross join generate_series(0, documents.chunks - 1, ${step}) as place
        join chunks using (user_id, file_id)
      where ${own} and chunks.n = place
    ), asked as materialized (
      select word, array(select search_hash(word, file) from unnest(${files}) as file) as hashes
      from unnest(${sql.param(words)}::text[]) as word
    )
    select word, hashes, case
      when (select count(*) from sample where sample.words && hashes) >= ${seenOften} then ${RARE_CHUNKS_MAX + 1}
      else (
        select count(*)::int from (
          select from chunks where chunks.words && hashes and ${own} limit ${RARE_CHUNKS_MAX + 1}
        ) as having_it
      ) end as count
    from asked`);
}

function numbers(hashes: readonly number[]) {
  return sql`${sql.param(hashes)}::int[]`;
}

/**
 * Chunks with one of the rarest words, of those whose chunks can all be compared; where even the rarest word is common,
 * chunks with that one and the next.
 */
function rarestOf(byRarity: readonly AskedWord[]): SQL {
  let sum = 0;
  const chosen = byRarity.filter(({ count }) => (sum += count) <= RARE_CHUNKS_MAX);
  if (chosen.length > 0) return sql`words && ${numbers(chosen.flatMap(({ hashes }) => hashes))}`;
  const both = byRarity.slice(0, 2).map(({ hashes }) => sql`words && ${numbers(hashes)}`);
  return sql.join(both, sql` and `);
}

interface Candidate {
  file_id: string;
  n: number;
  vec: Buffer;
  scale: number;
}

/** Keys of chunks, the best first: by the signs of the vectors first, then by their values. */
async function findByMeaning({ db, embedder }: Finder, finding: Finding, signal: AbortSignal): Promise<string[]> {
  const { userId, fileIds, question } = finding;
  if (!embedder || question.trim() === '') return [];
  const vector = await embedQuestion(embedder, userId, question, signal);
  if (!vector) return [];
  const signs = signBits(vector);
  // The cast stands in a materialized part: in place it would be repeated for each row once the plan is generic.
  const rows = await db.sql<Candidate[]>`
    with asked as materialized (select ${signs}::text::varbit as signs), nearest as (
      select user_id, file_id, n from chunk_vectors, asked
      where user_id = ${userId} and file_id = any(${[...fileIds]}::uuid[]) and model = ${embedder.model}
        and length(bits) = ${signs.length}
      order by bit_count(bits # asked.signs) limit ${RERANKED_CHUNKS_MAX}
    )
    select file_id, n, vec, scale from nearest join chunk_vectors using (user_id, file_id, n)`;
  const scored = rows.map(({ file_id: fileId, n, vec, scale }) => ({
    key: keyOf({ fileId, n }),
    score: similarity(vector, { vec: new Int8Array(vec.buffer, vec.byteOffset, vec.length), scale }),
  }));
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, HITS_MAX)
    .map(({ key }) => key);
}

async function embedQuestion(
  embedder: Embedder,
  userId: string,
  question: string,
  signal: AbortSignal,
): Promise<Float32Array | null> {
  try {
    const [vector] = await embedder.embed(userId, [question.slice(0, QUESTION_MAX)], withDeadline(EMBED_MS, signal));
    return vector ?? null;
  } catch {
    return null;
  }
}

/** Embeddings models take some 8,000 tokens; what a question is about stands in fewer characters than this. */
const QUESTION_MAX = 4000;

/** In the order of `keys`; those that do not exist are left out. */
async function readChunksAt({ query }: Db, userId: string, keys: readonly string[]): Promise<StoredChunk[]> {
  const places = keys.map(placeOf);
  const rows = await query.execute<StoredChunk & Record<string, unknown>>(sql`
    select chunks.file_id as "fileId", chunks.n, page, heading, body, tokens
    from unnest(${sql.param(places.map(({ fileId }) => fileId))}::uuid[], ${sql.param(places.map(({ n }) => n))}::int[])
      with ordinality as asked (file_id, n, place)
    join chunks on chunks.user_id = ${userId} and chunks.file_id = asked.file_id and chunks.n = asked.n
    order by place`);
  return [...rows];
}

function keyOf({ fileId, n }: { fileId: string; n: number }): string {
  return `${fileId} ${n}`;
}

function placeOf(key: string): { fileId: string; n: number } {
  const [fileId = '', n] = key.split(' ');
  return { fileId, n: Number(n) };
}
