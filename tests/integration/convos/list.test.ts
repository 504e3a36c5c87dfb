import { randomUUID } from 'node:crypto';
import { MANY_MAX } from '@parley/schema/convos/convos';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
beforeEach(() => services.deps.db.sql`delete from convos`);
afterAll(() => services.close());

describe('the list of conversations', () => {
  it('is newest first, in adjacent pages', async () => {
    const ids = await insert(alice, 60, (n) => `2026-01-01 00:00:00.${String(n).padStart(6, '0')}+00`);
    expect(await readPages(alice, 7)).toEqual(ids.toReversed());
  });

  it('neither skips nor repeats conversations with equal times', async () => {
    const ids = await insert(alice, 60, () => '2026-01-01 00:00:00.123456+00');
    const read = await readPages(alice, 7);
    expect(read).toHaveLength(60);
    expect(new Set(read)).toEqual(new Set(ids));
  });

  it('repeats nothing when a conversation moves to the top meanwhile', async () => {
    const ids = await insert(alice, 10, (n) => `2026-01-01 00:00:${10 + n}+00`);
    const first = await alice.api.convos.list({ limit: 5 });
    await services.deps.db.sql`update convos set updated_at = now() where id = ${ids[0] ?? ''}`;
    const second = await alice.api.convos.list({ limit: 5, cursor: first.nextCursor });
    const seen = [...first.convos, ...second.convos].map((convo) => convo.conversationId);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('has no next page after the last one', async () => {
    await insert(alice, 5, () => '2026-01-01 00:00:00+00');
    expect((await alice.api.convos.list({ limit: 5 })).nextCursor).toBeNull();
    expect((await alice.api.convos.list({ limit: 4 })).nextCursor).not.toBeNull();
    expect(await bob.api.convos.list({})).toEqual({ convos: [], nextCursor: null });
  });

  it('returns its ids up to the limit of a bulk change, without archived ones', async () => {
    const ids = await insert(alice, MANY_MAX + 1, (n) => `2026-01-01 00:00:00.${String(n).padStart(6, '0')}+00`);
    const newest = ids.toReversed().slice(0, MANY_MAX);
    expect(await alice.api.convos.ids()).toEqual({ conversationIds: newest, isAll: false });
    await alice.api.convos.archiveMany({ conversationIds: newest.slice(0, 10), isArchived: true });
    expect(await alice.api.convos.ids()).toEqual({ conversationIds: ids.toReversed().slice(10), isAll: true });
    expect(await bob.api.convos.ids()).toEqual({ conversationIds: [], isAll: true });
  });

  it('is read from an index in order, however long it is', async () => {
    const { sql } = services.deps.db;
    await insert(alice, 3000, (n) => `2026-01-01 00:00:00.${String(n).padStart(6, '0')}+00`);
    await sql`analyze convos`;
    for (const table of ['convos', 'deletions'] as const) {
      const where = table === 'convos' ? sql`deleted_at is null and not is_archived` : sql`true`;
      const time = table === 'convos' ? sql`updated_at` : sql`created_at`;
      const plan = await sql.begin(async (tx) => {
        await tx`set local enable_bitmapscan = off`;
        return tx`explain select * from ${tx(table)} where user_id = ${alice.id} and ${where}
          order by ${time} desc, id desc limit 26`;
      });
      expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan Backward/);
    }
  });

  it.each([
    'garbage',
    '|',
    `2026-01-01|${'-'.repeat(36)}`,
    `0|${randomUUID()}`,
    `Thu, 01 Jan 1970 00:00:00 GMT+0200|${randomUUID()}`,
    `2026-01-01 00:00:00+00|${randomUUID()}|more`,
  ])('refuses the cursor %s with a sentence', async (cursor) => {
    await expect(alice.api.convos.list({ cursor })).rejects.toThrow('invalid_input');
  });

  it('has numbered pages with a total, too', async () => {
    const ids = await insert(alice, 23, (n) => `2026-01-01 00:00:${10 + n}+00`);
    await insert(bob, 3, () => '2026-01-01 00:00:00+00');
    const third = await alice.api.convos.page({ pageNumber: 3, pageSize: 10 });
    expect(third.total).toBe(23);
    expect(third.convos.map((convo) => convo.conversationId)).toEqual(ids.slice(0, 3).toReversed());
    expect((await alice.api.convos.page({ pageNumber: 4, pageSize: 10 })).convos).toEqual([]);
  });

  it('includes rows written by another version', async () => {
    const [odd = ''] = await insert(alice, 3, () => '2026-01-01 00:00:00+00');
    await services.deps.db.sql`
      update convos set endpoint = 'gone', endpoint_type = 'unheard-of', settings = '[]', created_at = '2999-01-01'
      where id = ${odd}`;
    expect((await alice.api.convos.list({})).convos).toHaveLength(3);
    expect((await alice.api.convos.byId({ conversationId: odd })).endpoint).toBe('gone');
  });
});

/** Inserts so many conversations, the nth with a time of its own, and gives their ids. */
async function insert(person: Person, count: number, updatedAt: (n: number) => string): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const times = ids.map((_, n) => updatedAt(n));
  await services.deps.db.sql`
    insert into convos (user_id, id, endpoint, endpoint_type, change_seq, updated_at)
    select ${person.id}, id, 'openAI', 'openAI', 0, time::timestamptz
    from unnest(${ids}::uuid[], ${times}::text[]) as row (id, time)`;
  return ids;
}

async function readPages(person: Person, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await person.api.convos.list({ cursor, limit });
    expect(page.convos.length).toBeLessThanOrEqual(limit);
    ids.push(...page.convos.map((convo) => convo.conversationId));
    cursor = page.nextCursor;
  }
  return ids;
}
