// The search entries of imported messages: the server makes most of them, and they are those of the database's triggers.
import { randomUUID } from 'node:crypto';
import { messages } from '@parley/db/tables/messages';
import type { MessagePart } from '@parley/schema/messages/messages';
import { naturalText } from '@parley/scripts/seed/natural-text';
import { createEntries } from '@parley/server/search/entries';
import { mirrorsDatabase } from '@parley/server/search/mirror';
import { createSlices } from '@parley/server/platform/event-loop';
import { prepareSource, type Prepared } from '@parley/server/transfer/prepare';
import { saveConvos } from '@parley/server/transfer/save';
import type { SourceMessage } from '@parley/server/transfer/source';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServices, type TestServices } from '../../support/services.ts';
import { allLetters, mixedTexts, SAMPLES } from '../search/many-scripts.ts';

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services?.close());

const ENDPOINT = { endpoint: 'openAI', endpointType: 'openAI' as const, model: 'gpt-4' };
const POLICY = { keepsIds: true, mirrorsDatabase: true };

interface Said extends Partial<SourceMessage> {
  parts: MessagePart[];
}

async function convoOf(said: readonly Said[], id: string = randomUUID()): Promise<Prepared> {
  const sources = said.map(({ id: own = randomUUID(), parts, ...given }, at) => ({
    ...ENDPOINT,
    id: own,
    parentId: null,
    isCreatedByUser: at % 2 === 0,
    sender: 'User',
    parts,
    finishReason: null,
    reason: null,
    unfinished: false,
    isEdited: false,
    usage: null,
    context: null,
    createdAt: Date.UTC(2024, 0, 1, 0, 0, 0, at),
    updatedAt: null,
    ...given,
  }));
  const times = { createdAt: null, updatedAt: null };
  const source = {
    ...ENDPOINT,
    ...times,
    id,
    title: null,
    settings: {},
    isArchived: false,
    messages: sources,
    dropped: 0,
  };
  const item = await prepareSource(source, { index: 0, size: 0 }, Date.now(), createSlices(10_000));
  if ('reason' in item) throw new Error(item.reason);
  return item;
}

const text = (words: string): Said => ({ parts: [{ type: 'text', text: words }] });

function toolCall(output: string): MessagePart {
  return { type: 'tool_call', call: { id: '1:0', kind: 'function', name: 'find', input: '{}', output, progress: 1 } };
}

function chunked(letters: readonly string[], separator: string): Said[] {
  return Array.from({ length: Math.ceil(letters.length / 500) }, (_, at) =>
    text(letters.slice(at * 500, at * 500 + 500).join(separator)),
  );
}

/** Of Chinese and Korean and of seldom planes a few. */
const LETTERS = allLetters().filter((_, at) => at < 0x3400 || at % 101 === 0);

const MANY: Said[] = [
  ...SAMPLES.map(text),
  ...mixedTexts(60).map(text),
  ...Array.from({ length: 70 }, (_, seed) => text(naturalText(seed, 120, seed))),
  ...chunked(LETTERS, ' '),
  ...chunked(LETTERS.slice(0, 3000), ''),
  ...['', ' … ', '\u001e', `said\n\u001etold`, 'a'.repeat(65), '𝛼'.repeat(70), '👩‍👩‍👧🏳️‍🌈'.repeat(40)].map(text),
  text(Array.from({ length: 1100 }, (_, at) => (at % 36).toString(36)).join('')),
  { parts: [] },
  { parts: [{ type: 'reasoning', text: 'Only thought' }] },
  {
    parts: [
      { type: 'text', text: 'One ' },
      { type: 'reasoning', text: 'thought' },
      { type: 'text', text: 'two' },
    ],
  },
  {
    parts: [{ type: 'text', text: 'Looked up' }, toolCall('What the tool found'), { type: 'text', text: ' and said' }],
  },
  { parts: [toolCall('Only a tool')] },
];

async function entriesOf(userId: string) {
  const { sql } = services.deps.db;
  const entries = await sql`
    select id, convo_id, written_at, seq, body, said_length, array(select unnest(words) order by 1) as words
    from search_entries where user_id = ${userId} and not is_title order by id`;
  const words = await sql`select word, grams from search_words where user_id = ${userId} order by word`;
  return { entries: [...entries], words: [...words] };
}

/** Has the triggers write all entries of a user anew. */
async function reindex(userId: string) {
  await services.deps.db.sql.begin(async (sql) => {
    await sql`delete from search_words where user_id = ${userId}`;
    await sql`create temp table before on commit drop as select id, parts from messages where user_id = ${userId}`;
    await sql`update messages set parts = '[]' where user_id = ${userId}`;
    await sql`
      update messages set parts = before.parts from before where messages.user_id = ${userId} and messages.id = before.id`;
  });
}

test('entries of imported messages are those of the triggers, and so are the words of the dictionary', async () => {
  const { db } = services.deps;
  const { id } = await services.as('alice');
  expect(await mirrorsDatabase(db)).toBe(true);
  const byServer = MANY.filter((said) => createEntries(id).of(said) !== null);
  expect(byServer.length).toBeGreaterThan(150);
  expect(byServer.length).toBeLessThan(MANY.length);
  const half = Math.floor(MANY.length / 2);
  const items = [await convoOf(MANY.slice(0, half)), await convoOf(MANY.slice(half))];
  await saveConvos(db, id, items, POLICY);
  const made = await entriesOf(id);
  await reindex(id);
  expect(made.entries.length).toBeGreaterThan(byServer.length / 2);
  expect(made).toEqual(await entriesOf(id));
  await saveConvos(db, id, items, POLICY);
  expect(await entriesOf(id)).toEqual(made);
});

test('a message that is left out because it is here adds no word to the dictionary', async () => {
  const {
    db,
    db: { sql },
  } = services.deps;
  const { id } = await services.as('bob');
  const [convoId, messageId] = [randomUUID(), randomUUID()];
  const first = await convoOf([{ id: messageId, ...text('wordhere') }], convoId);
  const second = await convoOf([{ id: messageId, ...text('wordelsewhere') }], convoId);
  await saveConvos(db, id, [first, second], POLICY);
  const words = await sql<{ word: string }[]>`select word from search_words where user_id = ${id}`;
  expect(words.map(({ word }) => word)).toEqual(['wordhere']);
});

test('names, numbers and records of messages are stored as they are, whatever signs they have', async () => {
  const { db } = services.deps;
  const { id } = await services.as('carol');
  const odd = ['null', 'NULL', '', '{a,"b"}', 'a\\"b\\\\', ' \t\n', "it's", '\u001e', 'Ä 漢 👩'];
  const said = odd.map((sign, at) => ({
    ...text(`Said ${sign} so`),
    id: randomUUID(),
    isCreatedByUser: false,
    sender: sign,
    endpoint: sign,
    endpointType: 'custom' as const,
    model: at === 0 ? null : sign,
    finishReason: at % 2 === 0 ? null : ('stop' as const),
    reason: at % 3 === 0 ? { type: 'unknown' as const, text: sign } : null,
    unfinished: at % 2 === 0,
    isEdited: at % 2 === 1,
    usage: at % 2 === 0 ? null : { input: at, output: 2 },
    tokenCount: at % 2 === 0 ? null : at,
  }));
  await saveConvos(db, id, [await convoOf(said)], POLICY);
  const rows = await db.query.select().from(messages).where(eq(messages.userId, id)).orderBy(messages.seq);
  expect(rows).toMatchObject(said);
});

test('a database that folds otherwise makes the entries itself', async () => {
  const { sql } = services.deps.db;
  const [before] = await sql<{ source: string }[]>`select pg_get_functiondef('search_fold'::regproc) as source`;
  await sql.unsafe(
    `create or replace function search_fold(raw text) returns text language sql immutable as 'select lower(raw collate "C")'`,
  );
  expect(await mirrorsDatabase(services.deps.db)).toBe(false);
  await sql.unsafe(before?.source ?? '');
  expect(await mirrorsDatabase(services.deps.db)).toBe(true);
});
