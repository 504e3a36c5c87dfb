// More than one statement looks through: what was said long ago is found as what was said lately is.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  await fill();
});
afterAll(() => services.close());

/** What a conversation is about, how many there are in a row, and how many messages each has. */
const LIBRARY = [
  { title: 'Tale', text: 'zebrafish', convos: 30, messages: 2 },
  { title: 'Walrus', text: 'tusks of a walrus', convos: 5, messages: 1 },
  { title: 'Talk', text: 'walrus', convos: 60, messages: 101 },
  { title: 'Hay', text: 'hay', convos: 1, messages: 52_000 },
  { title: 'Ledger', text: 'nothing', convos: 600, messages: 1 },
  { title: 'Tale', text: 'zebrafish', convos: 25, messages: 2 },
  // Goes on through all of it.
  { title: 'Tale', text: 'zebrafish', convos: 1, messages: 0 },
];

/** A minute for each message, the last is the newest. */
async function fill(): Promise<void> {
  const sql = await services.deps.db.sql.reserve();
  await sql`set session_replication_role = replica`;
  let minute = 0;
  for (const [row, { title, text, convos, messages }] of LIBRARY.entries()) {
    const parts = JSON.stringify([{ type: 'text', text }]);
    await sql`
      insert into convos (user_id, id, title, endpoint, endpoint_type, change_seq, created_at)
      select ${alice.id}, ('00000000-0000-4000-8000-' || lpad(${row} || lpad(n::text, 6, '0'), 12, '0'))::uuid,
        ${title}::text || ' ' || n, 'openAI', 'openAI', 0, timestamptz '2020-01-01' + ${minute} * interval '1 minute'
      from generate_series(1, ${convos}::integer) as n`;
    await sql`
      insert into messages (user_id, id, convo_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts,
        created_at)
      select ${alice.id}, gen_random_uuid(),
        ('00000000-0000-4000-8000-' || lpad(${row} || lpad(n::text, 6, '0'), 12, '0'))::uuid, m, true, 'User', 'openAI',
        'openAI', ${parts}::text::jsonb,
        timestamptz '2020-01-01' + (${minute} + n * ${messages}::integer + m) * interval '1 minute'
      from generate_series(1, ${convos}::integer) as n, generate_series(1, ${messages}::integer) as m`;
    minute += convos * messages + 1000;
  }
  await sql`
    insert into messages (user_id, id, convo_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts,
      created_at)
    select user_id, gen_random_uuid(), '00000000-0000-4000-8000-000006000001', 0, true, 'User', 'openAI', 'openAI', parts,
      created_at + interval '1 second'
    from messages where user_id = ${alice.id} and parts::text like '%zebrafish%'`;
  await sql`select search_backfill()`;
  await sql`set session_replication_role = origin`;
  await sql`analyze convos, messages, search_entries`;
  sql.release();
}

/** Of each conversation on all pages its id and how many messages were found. */
async function readAll(query: string): Promise<{ id: string; count: number }[]> {
  const seen: { id: string; count: number }[] = [];
  let cursor: string | null = null;
  do {
    const page = await alice.api.convos.search({ query, cursor });
    if (page.nextCursor) expect(page.groups).toHaveLength(25);
    seen.push(...page.groups.map(({ convo, hits, more }) => ({ id: convo.conversationId, count: hits.length + more })));
    cursor = page.nextCursor;
  } while (cursor);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  return seen;
}

async function readNumbered(query: string): Promise<{ ids: string[]; pages: number[] }> {
  const ids: string[] = [];
  const pages: number[] = [];
  for (let pageNumber = 1; pageNumber <= (pages.at(-1) ?? 1); pageNumber++) {
    const page = await alice.api.convos.searchPage({ query, pageNumber });
    ids.push(...page.convos.map(({ conversationId }) => conversationId));
    pages.push(page.pages);
  }
  expect(new Set(ids).size).toBe(ids.length);
  return { ids, pages };
}

it('finds rare words in old and new messages, each conversation once', async () => {
  const found = await readAll('zebrafish');
  expect(found).toHaveLength(56);
  expect(found[0]).toEqual({ id: '00000000-0000-4000-8000-000006000001', count: 110 });
  expect(found.slice(1).every(({ count }) => count === 2)).toBe(true);
  expect(found.map(({ id }) => id)).toEqual(
    found
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
});

it('finds every conversation of a frequent word, with all its messages', async () => {
  const found = await readAll('walrus');
  expect(found).toHaveLength(65);
  expect(found.slice(0, 5).every(({ count }) => count === 1)).toBe(true);
  expect(found.slice(5).every(({ count }) => count === 101)).toBe(true);
});

it('finds all titles', async () => {
  expect(await readAll('ledger')).toHaveLength(600);
});

it.each([
  ['zebrafish', 56],
  ['walrus', 65],
  ['ledger', 600],
])('returns all pages of %s by their number', async (query, count) => {
  const { ids, pages } = await readNumbered(query);
  expect(ids).toHaveLength(count);
  expect(pages.at(-1)).toBe(Math.ceil(count / 25));
});
