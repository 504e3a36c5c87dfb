// An ordinary question is written by one statement, and by a transaction where something must be checked in it. Whichever
// it is, nobody can tell afterward.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { folders } from '@parley/db/tables/folders';
import { users } from '@parley/db/tables/users';
import { parseSettings } from '@parley/schema/settings/settings';
import type { Ask } from '@parley/server/chat/begin/ask';
import type { Permit } from '@parley/server/chat/begin/permit';
import { writeAsks } from '@parley/server/chat/begin/write-asks';
import { Refusal } from '@parley/server/platform/errors';
import { createEndedIndexer } from '@parley/server/search/index-ended';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { question } from '../../support/exchange.ts';
import { isFullRun } from '../../support/extent.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

let services: TestServices;

beforeAll(async () => (services = await openTestServices({ ANTHROPIC_API_KEY: 'fake' })));
afterAll(() => services.close());

const aSettings = fc.record(
  {
    temperature: fc.integer({ min: 0, max: 4 }).map((n) => n / 4),
    top_p: fc.constantFrom(0.25, 0.5),
    promptPrefix: fc.constantFrom('Be brief.', 'It\'s \\ "quoted"', '{"a":1}', 'ß 漢字 🦜'),
    stop: fc.array(fc.constantFrom('END', "'", '\\n'), { minLength: 1, maxLength: 2 }),
    modelLabel: fc.constantFrom('Parrot', ''),
  },
  { requiredKeys: [] },
);

/** What happened to the conversation, the message that is followed, or the user before the question comes. */
const EVENTS = [
  `convos set is_archived = true`,
  `convos set is_unread = true`,
  `convos set is_pinned = true`,
  `convos set title = 'A title', titled_by = 'user', titled_at = now()`,
  `convos set upstream = '{"conversationId":"c"}'`,
  `convos set forked_from = '{"conversationId":"c","messageId":"m"}'`,
  `convos set folder_id = (select id from folders where folders.user_id = convos.user_id)`,
  `convos set deleted_at = now()`,
  `convos set temporary_until = now() + interval '1 hour'`,
  `convos set temporary_until = now() - interval '1 hour'`,
  `convos set running = '00000000-0000-4000-8000-000000000000'`,
  `messages set deleted_at = now()`,
  `messages set finish_reason = 'length', unfinished = true, parts = '[{"type":"text","text":"Cut"}]'`,
  `messages set finish_reason = 'tool_calls', parts = '[{"type":"tool_call","call":{"id":"1","name":"look","args":"{}","state":"waiting","step":0}}]'`,
  `messages set summary = 'So far.', summary_tokens = 3`,
  `users set banned_until = now() + interval '1 hour'`,
  `users set change_seq = change_seq + 41`,
] as const;

const aQuestion = fc.record({
  /** Which of the replies that are there it follows; null begins a conversation. */
  follows: fc.option(fc.nat({ max: 20 }), { freq: 3 }),
  flaw: fc.constantFrom(...Array(6).fill(null), 'no such parent', 'the id is taken', 'said before'),
  text: fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.constantFrom('What is new?', 'it\'s {"parts":[]}', 'a\\u0000b \\', '# **bold** `code`'),
  ),
  endpoint: fc.constantFrom('openAI', 'anthropic'),
  model: fc.constantFrom('fake:echo', 'gpt-4', "a 'quoted' model"),
  settings: aSettings,
  folder: fc.constantFrom(undefined, null, 'own', 'gone', 'of another'),
  isStoppedEarly: fc.boolean(),
  events: fc.array(fc.constantFrom(...EVENTS), { maxLength: 2 }),
});
type Question = typeof aQuestion extends fc.Arbitrary<infer Value> ? Value : never;

const PLAIN: Question = {
  follows: null,
  flaw: null,
  text: 'What is new?',
  endpoint: 'openAI',
  model: 'fake:echo',
  settings: {},
  folder: 'own',
  isStoppedEarly: false,
  events: [],
};
/** Each event alone, so that no run leaves one out. */
const EXAMPLES: [Question[]][] = EVENTS.map((event) => [
  [PLAIN, { ...PLAIN, follows: 0, endpoint: 'anthropic', events: [event] }],
]);

const ONE_STATEMENT = null;
const TRANSACTION: Permit = async () => [null];

describe('a question', () => {
  it('leaves the same rows, whether one statement or a transaction writes it', async () => {
    let byStatement = 0;
    const alike = fc.asyncProperty(fc.array(aQuestion, { minLength: 2, maxLength: 6 }), async (questions) => {
      const story = createStory();
      const [one, other] = [await createWay(ONE_STATEMENT), await createWay(TRANSACTION)];
      for (const asked of questions) {
        const told = story.tell(asked);
        const [first, second] = [await ask(one, told), await ask(other, told)];
        expect(first.result).toEqual(second.result);
        byStatement += Number(first.isByStatement);
        if (!first.isByStatement) await takeBackUnusedNumber(one, other);
        expect(await readRows(one, BEGUN)).toEqual(await readRows(other, BEGUN));
        await Promise.all([end(one), end(other)]);
        await createEndedIndexer(services.deps.db, fail).run();
        expect(await readRows(one, ENDED)).toEqual(await readRows(other, ENDED));
        if (first.isBegun) story.went(told);
      }
    });
    await fc.assert(alike, {
      examples: EXAMPLES,
      numRuns: EXAMPLES.length + (isFullRun ? 100 : 3),
      endOnFailure: true,
    });
    expect(byStatement).toBeGreaterThan(10);
  });
});

/** A question with the ids that both ways use. */
interface Told extends Omit<Question, 'follows'> {
  convoId: string;
  parentId: string | null;
  messageId: string;
  replyId: string;
  run: string;
}

/** What was asked so far: the same for both ways. */
function createStory() {
  const asked: Told[] = [];
  return {
    went: (told: Told) => void asked.push(told),
    tell({ follows, ...rest }: Question): Told {
      const before = follows === null ? undefined : asked[follows % asked.length];
      const [messageId, replyId, run] = [randomUUID(), randomUUID(), randomUUID()];
      const told: Told = { ...rest, convoId: before?.convoId ?? randomUUID(), parentId: null, messageId, replyId, run };
      if (before) told.parentId = told.flaw === 'no such parent' ? randomUUID() : before.replyId;
      const earlier = asked.at(-1);
      if (earlier && told.flaw === 'the id is taken') told.messageId = earlier.messageId;
      return earlier && told.flaw === 'said before' ? { ...earlier, events: [], isStoppedEarly: false } : told;
    },
  };
}

/** A person whose questions are all written in one way. Runs have ids of their own; all others are those of the story. */
interface Way {
  userId: string;
  permit: Permit | null;
  runs: Map<string, string>;
  /** When the last question was begun. */
  beganAt: number;
}

const OWN_FOLDER = randomUUID();
const FOLDER_OF_ANOTHER = randomUUID();

async function createWay(permit: Permit | null): Promise<Way> {
  const { query } = services.deps.db;
  const people = ['one', 'another'].map((name) => ({ email: `${randomUUID()}@example.com`, name }));
  const [user, another] = await query.insert(users).values(people).returning();
  if (!user || !another) throw new Error('There are no people');
  await query.insert(folders).values([
    { userId: user.id, id: OWN_FOLDER, name: 'Own' },
    { userId: another.id, id: FOLDER_OF_ANOTHER, name: 'Of another' },
  ]);
  return { userId: user.id, permit, runs: new Map(), beganAt: 0 };
}

async function ask(way: Way, told: Told) {
  const { db } = services.deps;
  const { userId, runs } = way;
  await db.sql`update users set banned_until = null where id = ${userId}`;
  for (const event of told.events) await db.sql.unsafe(`update ${event} where ${ofEvent(event)}`, idsOf(event));
  const generationId = runs.get(told.run) ?? randomUUID();
  runs.set(told.run, generationId);
  if (told.isStoppedEarly)
    await db.sql`insert into early_stops values (${userId}, ${generationId}) on conflict do nothing`;
  // Its times are later than all others, also as milliseconds.
  await sleep(2);
  way.beganAt = Date.now();
  try {
    const asked = askOf(userId, told, generationId);
    const [begun] = await writeAsks(db, userId, [{ ask: asked, refusal: null }], way.permit);
    if (!begun) throw new Error('Nothing was begun');
    const { created, written, ...rest } = begun;
    const result = normalize(way, { created, ...rest }, await numbersOf(way));
    return { isByStatement: written !== null, isBegun: true, result };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { isByStatement: false, isBegun: false, result: normalize(way, { refused: error.reason }, new Map()) };
  }

  function idsOf(event: string): string[] {
    if (event.startsWith('users')) return [userId];
    return [userId, event.startsWith('convos') ? told.convoId : (told.parentId ?? told.messageId)];
  }
}

function ofEvent(event: string): string {
  return event.startsWith('users') ? 'id = $1' : 'user_id = $1 and id = $2';
}

function askOf(userId: string, told: Told, generationId: string): Ask {
  const { convoId, parentId, messageId, replyId, text, folder, model } = told;
  const endpoint = services.deps.endpoints.assert(told.endpoint);
  const folderIds = { own: OWN_FOLDER, gone: randomUUID(), 'of another': FOLDER_OF_ANOTHER };
  const input = question(text, {
    generationId,
    conversationId: convoId,
    replyId,
    endpoint: told.endpoint,
    model,
    folderId: folder && folderIds[folder],
    target: { kind: 'send', messageId, parentMessageId: parentId, text },
  });
  const settings = parseSettings(endpoint.type, told.settings, model);
  const ordinary = { metadata: {}, kept: null, assistant: null, callsUnasked: false, picture: null };
  return { userId, owner: OWNER, input, endpoint, model, settings, ...ordinary };
}

const OWNER = randomUUID();

/** A statement that gives up leaves a change number behind that nothing has. */
async function takeBackUnusedNumber(one: Way, other: Way): Promise<void> {
  const { sql } = services.deps.db;
  const [unused, top] = [await changeNumber(one), await changeNumber(other)];
  expect(unused - top).toBeGreaterThanOrEqual(0);
  expect(unused - top).toBeLessThanOrEqual(1);
  await sql`update users set change_seq = ${top} where id = ${one.userId}`;
  await sql`update convos set change_seq = least(change_seq, ${top}), messages_seq = least(messages_seq, ${top})
    where user_id = ${one.userId}`;
}

async function changeNumber({ userId }: Way): Promise<number> {
  const [row] = await services.deps.db.sql<
    { n: number }[]
  >`select change_seq::int as n from users where id = ${userId}`;
  return row?.n ?? 0;
}

/** As an answer ends, but for its text, which both ways have from the same code. */
async function end({ userId }: Way): Promise<void> {
  await services.deps.db.sql.begin(async (tx) => {
    await tx`set local parley.copies_search_entries = 'on'`;
    await tx`update convos set running = null where user_id = ${userId}`;
    await tx`update messages set unfinished = false, finish_reason = 'stop', parts = '[{"type":"text","text":"Well."}]'
      where user_id = ${userId} and unfinished`;
    await tx`update generations set ended_at = now(), lease_until = 'epoch', is_unindexed = true
      where user_id = ${userId} and ended_at is null`;
  });
}

/** The entries of the one statement follow at the end of the answer. */
const BEGUN = (table: string) => !table.startsWith('search_');
const ENDED = () => true;

/** All rows of a person, in all tables that have rows of persons. */
async function readRows(way: Way, isRead: (table: string) => boolean) {
  const { sql } = services.deps.db;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id'`;
  const selects = tables
    .filter(({ name }) => isRead(name))
    .map(({ name }) => `select '${name}', to_jsonb(t) from ${name} t where user_id = $1`);
  const person = `select 'users' as name, to_jsonb(t) - 'id' - 'email' as row from users t where id = $1`;
  const rows = await sql.unsafe<{ name: string; row: object }[]>([person, ...selects].join(' union all '), [
    way.userId,
  ]);
  const numbers = await numbersOf(way);
  const told = rows.map(({ name, row }) => `${name} ${JSON.stringify(normalize(way, row, numbers))}`);
  expect(told).toContainEqual(expect.stringMatching(/^users /));
  return told.toSorted();
}

/** The order of the messages by their numbers, which count the messages of everybody. */
async function numbersOf({ userId }: Way): Promise<Map<number, number>> {
  const rows = await services.deps.db.sql<{ seq: number }[]>`
    select seq::int from messages where user_id = ${userId} order by seq`;
  return new Map(rows.map(({ seq }, at) => [seq, at]));
}

const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*$/;

/** Without what differs between two people who ask the same one after the other: ids, times, numbers of words. */
function normalize({ userId, runs, beganAt }: Way, value: unknown, numbers: ReadonlyMap<number, number>): unknown {
  const names = new Map([[userId, 'the person'], ...[...runs].map(([name, id]) => [id, name] as const)]);
  return go(value, '');

  function go(part: unknown, key: string): unknown {
    if (key === 'written_at') return Number(part) / 1000 >= beganAt ? 'now' : 'before';
    // The rows, where it is `messages_seq`, are compared when it is known whether a number is unused.
    if (key === 'messagesSeq') return 'a change';
    if (key === 'id' && typeof part === 'number') return 'counted for everybody';
    if (key === 'seq') return numbers.get(Number(part)) ?? part;
    if (key === 'words' || key === 'grams') return Array.isArray(part) ? part.length : part;
    if (typeof part === 'string' && TIME.test(part)) return Date.parse(part) >= beganAt ? 'now' : 'before';
    if (typeof part === 'string') return names.get(part) ?? part;
    if (Array.isArray(part)) return part.map((one) => go(one, ''));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, go(one, name)]));
  }
}

function fail(error: unknown): never {
  throw error;
}
