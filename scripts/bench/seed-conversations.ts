// Test data for the search bench: one user with very many messages, others with some, and a natural distribution of
// word frequencies. The same every time.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '@parley/db/client';

export interface Library {
  /** The user with messages and conversations, and the user with conversations only. */
  reader: string;
  lister: string;
  messages: number;
  convos: number;
  listed: number;
}

const WORDS = 60_000;
const WORDS_PER_MESSAGE = 25;
const WORDS_PER_TITLE = 5;
const OTHERS = 10;
/** The other users' messages together, as a share of the first user's. */
const OTHERS_SHARE = 0.25;
const DAY_MS = 24 * 60 * 60_000;
const NEWEST = Date.UTC(2026, 0, 1);

/** Rare words, common ones, several, parts of words, a phrase, letters, and words without a match. */
export function searchQueries(): string[] {
  const ranks = [3, 30, 300, 3000, 20_000, 50_000];
  const single = ranks.map(wordAt);
  return [
    ...single,
    ...single.map((word) => word.slice(1, 5)),
    `${wordAt(20)} ${wordAt(50)}`,
    `${wordAt(200)} ${wordAt(900)}`,
    `${wordAt(7)} ${wordAt(25_000)}`,
    `"${wordAt(5)} ${wordAt(8)}"`,
    `${wordAt(2)}.${wordAt(9)}`,
    'ka',
    'x',
    'nowhere',
    'kalo nowhere',
  ];
}

/** Writes all rows in bulk without triggers, and builds the indexes at the end. */
export async function fillLibrary(db: Db, library: Library): Promise<void> {
  const random = createRandom(1);
  const others = await addOthers(db);
  const owned = [
    { userId: library.reader, messages: library.messages, convos: library.convos },
    ...others.map((userId) => ({
      userId,
      messages: Math.floor((library.messages * OTHERS_SHARE) / OTHERS),
      convos: Math.ceil((library.convos * OTHERS_SHARE) / OTHERS),
    })),
    { userId: library.lister, messages: 0, convos: library.listed },
  ];
  const sql = await db.sql.reserve();
  await sql`set session_replication_role = replica`;
  await sql`set maintenance_work_mem = '512MB'`;
  const convos = sql`
    copy convos (user_id, id, title, endpoint, endpoint_type, change_seq, created_at, updated_at) from stdin`;
  await pipeline(Readable.from(inChunks(convoLines(owned, random))), await convos.writable());
  const messages = sql`
    copy messages (user_id, id, convo_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts,
      created_at, updated_at) from stdin`;
  await pipeline(Readable.from(inChunks(messageLines(owned, random))), await messages.writable());
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename like 'search%' and indexdef like '%USING gin%'`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  await sql`select search_backfill()`;
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql`set session_replication_role = origin`;
  await sql`
    update users set change_seq = (select coalesce(max(change_seq), 0) from convos where user_id = users.id)`;
  await sql`vacuum analyze`;
  sql.release();
}

interface Owned {
  userId: string;
  messages: number;
  convos: number;
}

async function addOthers(db: Db): Promise<string[]> {
  const rows = await db.sql<{ id: string }[]>`
    insert into users (email, name) select 'other' || n || '@example.com', 'other' || n
    from generate_series(1, ${OTHERS}) as n returning id`;
  return rows.map(({ id }) => id);
}

function* convoLines(owned: Owned[], random: () => number): Generator<string> {
  for (const [owner, { userId, convos }] of owned.entries())
    for (let n = 0; n < convos; n++) {
      const at = timeOf(n, convos);
      yield row(userId, idOf(owner, 'c', n), textOf(WORDS_PER_TITLE, random), 'openAI', 'openAI', n, at, at);
    }
}

function* messageLines(owned: Owned[], random: () => number): Generator<string> {
  for (const [owner, { userId, messages, convos }] of owned.entries())
    for (let n = 0; n < messages; n++) {
      const convo = Math.floor((n * convos) / messages);
      const parts = JSON.stringify([{ type: 'text', text: textOf(WORDS_PER_MESSAGE, random) }]);
      const at = timeOf(convo, convos);
      const position = [userId, idOf(owner, 'a', n), idOf(owner, 'c', convo), n % 20, n % 2 === 0];
      yield row(...position, 'User', 'openAI', 'openAI', parts, at, at);
    }
}

/** A line for COPY; no value needs escaping. */
function row(...values: (string | number | boolean)[]): string {
  return `${values.join('\t')}\n`;
}

function* inChunks(lines: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < 1 << 18) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** The last one is the newest; they span a year. */
function timeOf(n: number, count: number): string {
  return new Date(NEWEST - ((count - n) / count) * 365 * DAY_MS).toISOString();
}

function idOf(owner: number, kind: 'a' | 'c', n: number): string {
  const digits = n.toString(16).padStart(12, '0');
  return `${owner.toString(16).padStart(8, '0')}-0000-4000-${kind}000-${digits}`;
}

/** Text of words drawn by rank, the most common first. */
function textOf(words: number, random: () => number): string {
  return Array.from({ length: words }, () => wordAt(Math.floor(WORDS ** random()))).join(' ');
}

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ter',
  'sun',
  've',
  'ra',
  'po',
  'ni',
  'gal',
  'est',
  'du',
  'cha',
  'bri',
  'om',
  'zet',
];
const known: string[] = [];

function wordAt(rank: number): string {
  return (known[rank] ??= spell(rank));
}

/** Spells a rank as syllables: longer words are rarer, and all are distinct. */
function spell(rank: number): string {
  let rest = rank;
  let word = '';
  do {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return word;
}

/** Park and Miller's minimal standard: from 0 to before 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
