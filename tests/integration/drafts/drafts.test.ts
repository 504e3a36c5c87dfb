import { randomUUID } from 'node:crypto';
import { drafts } from '@parley/db/tables/drafts';
import { files } from '@parley/db/tables/files';
import { NEW_CHAT, type SaveDraft } from '@parley/schema/chat/drafts';
import { sweepTrash } from '@parley/server/trash/sweep';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { presentAttachment } from '@parley/server/files/present';
import { sweepFiles } from '@parley/server/files/sweep';
import { and, eq, ne, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { follow as followAs, type Follower } from '../convos/follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

describe('a draft', () => {
  it('is saved, listed and sent to the other browsers', async () => {
    const key = randomUUID();
    const feed = await follow(alice);
    const { draft, lost } = await save(key, 'Dear', 1);
    expect(lost).toBeNull();
    expect(draft).toEqual({ key, text: 'Dear', editedAt: timeOf(1), seq: expect.any(Number) });
    expect(await alice.api.drafts.list()).toContainEqual(draft);
    await feed.until((change) => change.type === 'draft' && change.draft.key === key);
    expect(feed.told).toEqual([{ type: 'draft', seq: draft.seq, draft }]);
  });

  it('leaves the list when it is emptied, and the others are notified', async () => {
    const key = randomUUID();
    const { draft } = await save(key, 'Sent soon', 1);
    const feed = await follow(alice);
    await save(key, '', 2, draft.seq);
    await feed.until((change) => change.type === 'draft' && change.draft.text === '');
    expect((await alice.api.drafts.list()).map((one) => one.key)).not.toContain(key);
  });

  it('has files, also without a text, until they are taken out or sent', async () => {
    const key = randomUUID();
    const file = await fileOf(alice);
    const feed = await follow(alice);
    const { draft } = await alice.api.drafts.save({ key, text: '', files: [file], editedAt: timeOf(1), basedOn: 0 });
    expect(draft).toEqual({ key, text: '', files: [file], editedAt: timeOf(1), seq: expect.any(Number) });
    expect(await alice.api.drafts.list()).toContainEqual(draft);
    await feed.until((change) => change.type === 'draft' && change.draft.key === key);
    expect(feed.told).toEqual([{ type: 'draft', seq: draft.seq, draft }]);
    await save(key, '', 2, draft.seq);
    expect((await alice.api.drafts.list()).map((one) => one.key)).not.toContain(key);
  });

  it('keeps its files for as long as it has them', async () => {
    const key = randomUUID();
    const file = await fileOf(alice);
    const { query } = services.deps.db;
    await query
      .update(files)
      .set({ expiresAt: sql`now() - interval '1 minute'` })
      .where(eq(files.id, file.fileId));
    await alice.api.drafts.save({ key, text: 'x', files: [file], editedAt: timeOf(1), basedOn: 0 });
    await sweep();
    expect(await alice.api.files.existing({ ids: [file.fileId, randomUUID()] })).toEqual([file.fileId]);
    await save(key, 'x', 2);
    await sweep();
    expect(await alice.api.files.existing({ ids: [file.fileId] })).toEqual([]);
  });

  it('takes no file from elsewhere', async () => {
    const file = { ...(await fileOf(alice)), path: 'https://elsewhere.example/pixel.png' };
    const draft = { key: randomUUID(), text: '', files: [file], editedAt: timeOf(1), basedOn: 0 };
    await expect(alice.api.drafts.save(draft)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('leaves no row when it is empty from the start', async () => {
    const key = randomUUID();
    expect(await save(key, '', 1)).toEqual({ draft: { key, text: '', editedAt: timeOf(1), seq: 0 }, lost: null });
    expect(await services.deps.db.query.$count(drafts, eq(drafts.key, key))).toBe(0);
  });

  it('for the new chat has one key per user', async () => {
    await save(NEW_CHAT, 'Of alice', 1);
    await save(NEW_CHAT, 'Of bob', 1, 0, bob);
    expect((await alice.api.drafts.list()).find(({ key }) => key === NEW_CHAT)?.text).toBe('Of alice');
    expect(await bob.api.drafts.list()).toMatchObject([{ key: NEW_CHAT, text: 'Of bob' }]);
  });

  it('is cleaned, and refused under an invalid key', async () => {
    expect((await save(randomUUID(), 'a\u0000\ud83d', 1)).draft.text).toBe('a\ufffd');
    await expect(save('old', 'x', 1)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(
      alice.api.drafts.save({ key: NEW_CHAT, text: 'x', editedAt: 'yesterday', basedOn: 0 }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('a draft edited in two browsers', () => {
  it('keeps the later keystroke and returns the other text to its browser', async () => {
    const key = randomUUID();
    const later = await save(key, 'The later', 5);
    const earlier = await save(key, 'The earlier', 3);
    expect(earlier).toEqual({ draft: later.draft, lost: 'The earlier' });
  });

  it('returns the text that the later one never saw', async () => {
    const key = randomUUID();
    const first = await save(key, 'Unseen', 1);
    const second = await save(key, 'Blind', 2);
    expect(second).toMatchObject({ draft: { text: 'Blind' }, lost: 'Unseen' });
    expect(second.draft.seq).toBeGreaterThan(first.draft.seq);
  });

  it('returns nothing when the later one continued the earlier', async () => {
    const key = randomUUID();
    const first = await save(key, 'Half', 1);
    expect((await save(key, 'Half a sentence', 2, first.draft.seq)).lost).toBeNull();
  });

  it('offers neither an equal nor an empty text', async () => {
    const key = randomUUID();
    await save(key, 'The same', 5);
    expect((await save(key, 'The same', 3)).lost).toBeNull();
    expect((await save(key, '', 2)).lost).toBeNull();
    expect((await save(key, 'The same', 6)).lost).toBeNull();
    await save(key, '', 7);
    expect((await save(key, 'Another', 8)).lost).toBeNull();
  });

  it('is offered again when it was sent in one browser and edited in the other', async () => {
    const key = randomUUID();
    const first = await save(key, 'Will be sent', 1);
    await save(key, 'Will be sent, with more', 2, first.draft.seq);
    expect(await save(key, '', 3, first.draft.seq)).toMatchObject({
      draft: { text: '' },
      lost: 'Will be sent, with more',
    });
  });

  it('ignores a clock that is ahead', async () => {
    const key = randomUUID();
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const { draft } = await alice.api.drafts.save({ key, text: 'From the future', editedAt: ahead, basedOn: 0 });
    expect(Date.parse(draft.editedAt)).toBeLessThanOrEqual(Date.now());
    await new Promise((resolve) => setTimeout(resolve, 5));
    const now = new Date().toISOString();
    expect((await alice.api.drafts.save({ key, text: 'Now', editedAt: now, basedOn: draft.seq })).draft.text).toBe(
      'Now',
    );
  });

  it('ends up the same everywhere when both edit at the same time', async () => {
    const key = randomUUID();
    const texts = Array.from({ length: 8 }, (_, n) => `Text ${n}`);
    const saved = await Promise.all(texts.map((text, n) => save(key, text, n)));
    const [kept] = (await alice.api.drafts.list()).filter((draft) => draft.key === key);
    expect(kept?.text).toBe('Text 7');
    const offered = saved.flatMap(({ lost }) => lost ?? []);
    expect([...offered, 'Text 7'].toSorted()).toEqual(texts);
  });
});

describe('drafts', () => {
  it('are at most 200 with text: the oldest are removed, and subscribers are notified', async () => {
    const carol = await services.as('carol');
    const keys = Array.from({ length: 203 }, () => randomUUID());
    await services.deps.db.sql`insert into convos (user_id, id, endpoint, endpoint_type, change_seq)
      select ${carol.id}, id, 'openAI', 'openAI', 0 from unnest(${keys}::uuid[]) as id`;
    const first = keys.slice(0, 199).map((key, n) => ({ key, text: `Draft ${n}`, editedAt: timeOf(n) }));
    await services.deps.db.query
      .insert(drafts)
      .values(first.map((row) => ({ ...row, userId: carol.id, changeSeq: 0 })));
    await save(keys[199] ?? '', 'Draft 199', 199, 0, carol);
    const feed = await follow(carol);
    for (const [n, key] of keys.slice(200).entries()) await save(key, `Draft ${200 + n}`, 200 + n, 0, carol);
    const left = (await carol.api.drafts.list()).map(({ key }) => key);
    expect(left.toSorted()).toEqual(keys.slice(3).toSorted());
    const emptied = () =>
      feed.told.flatMap((change) => (change.type === 'draft' && change.draft.text === '' ? change.draft.key : []));
    await expect.poll(() => emptied().length).toBe(3);
    expect(emptied()).toEqual(keys.slice(0, 3));
  });

  it('are at most 20 for unknown conversations, and the oldest are removed', async () => {
    const dave = await services.as('dave');
    const real = randomUUID();
    await services.deps.db.sql`insert into convos (user_id, id, endpoint, endpoint_type, change_seq)
      values (${dave.id}, ${real}, 'openAI', 'openAI', 0)`;
    await save(NEW_CHAT, 'Not sent yet', 0, 0, dave);
    await save(real, 'An answer', 0, 0, dave);
    const keys = Array.from({ length: 22 }, () => randomUUID());
    for (const [n, key] of keys.entries()) await save(key, `Draft ${n}`, n + 1, 0, dave);
    const left = (await dave.api.drafts.list()).map(({ key }) => key);
    expect(left.toSorted()).toEqual([NEW_CHAT, real, ...keys.slice(2)].toSorted());
  });

  it('and conversations arrive completely in the order of their changes', async () => {
    const { seq: cursor } = (await save(randomUUID(), 'The last change', 1, 0, bob)).draft;
    const ids = Array.from({ length: 300 }, () => randomUUID());
    const plain = services.deps.db.sql;
    // By turns a conversation and a draft, 600 changes.
    await plain`insert into convos (user_id, id, endpoint, endpoint_type, change_seq)
      select ${bob.id}, id, 'openAI', 'openAI', ${cursor} + 2 * position - 1 from unnest(${ids}::uuid[]) with ordinality as row (id, position)`;
    await plain`insert into drafts (user_id, key, text, edited_at, change_seq)
      select ${bob.id}, id, 'x', now(), ${cursor} + 2 * position from unnest(${ids}::text[]) with ordinality as row (id, position)`;
    await plain`update users set change_seq = ${cursor} + 600 where id = ${bob.id}`;
    const late = await follow(bob, cursor);
    await expect.poll(() => late.told.length).toBe(600);
    expect(late.told.map(({ seq }) => seq)).toEqual(Array.from({ length: 600 }, (_, n) => cursor + n + 1));
    expect(late.told.slice(0, 4).map(({ type }) => type)).toEqual(['convo', 'draft', 'convo', 'draft']);
  });

  it('are removed long after they were emptied, and older cursors start over', async () => {
    const key = randomUUID();
    const { draft } = await save(key, 'For a week', 1);
    await save(key, '', 2, draft.seq);
    await services.deps.db.sql`update drafts set edited_at = now() - interval '8 days' where key = ${key}`;
    await sweepTrash(services.deps.db);
    expect(await services.deps.db.query.$count(drafts, eq(drafts.key, key))).toBe(0);
    expect((await follow(alice, draft.seq)).told[0]).toMatchObject({ type: 'reset' });
    const old = and(eq(drafts.userId, alice.id), ne(drafts.text, ''));
    const before = await services.deps.db.query.$count(drafts, old);
    await services.deps.db.sql`update drafts set edited_at = now() - interval '8 days' where user_id = ${alice.id}`;
    await sweepTrash(services.deps.db);
    expect(await services.deps.db.query.$count(drafts, old)).toBe(before);
  });
});

describe('emptied drafts', () => {
  it('do not pile up: the sweep keeps the newest 500, and older cursors start over', async () => {
    const erin = await services.as('erin');
    const plain = services.deps.db.sql;
    await plain`insert into drafts (user_id, key, text, edited_at, change_seq)
      select ${erin.id}, gen_random_uuid()::text, '', now() - n * interval '1 second', 1000 - n
      from generate_series(1, 510) as n`;
    await plain`insert into drafts (user_id, key, text, edited_at, change_seq)
      select ${erin.id}, gen_random_uuid()::text, 'typed', now() - interval '1 day', 1 from generate_series(1, 3)`;
    await plain`update users set change_seq = 1000 where id = ${erin.id}`;
    await sweepTrash(services.deps.db);
    const rows = await services.deps.db.query.select().from(drafts).where(eq(drafts.userId, erin.id));
    expect(rows.filter(({ text }) => text === 'typed')).toHaveLength(3);
    const emptied = rows.filter(({ text }) => text === '').map(({ changeSeq }) => changeSeq);
    expect(emptied.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, n) => 500 + n));
    expect((await follow(erin, 400)).told[0]).toMatchObject({ type: 'reset' });
  });
});

/** A moment of a day that is over, in seconds. */
function timeOf(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
}

function save(key: SaveDraft['key'], text: string, at: number, basedOn = 0, person = alice) {
  return person.api.drafts.save({ key, text, editedAt: timeOf(at), basedOn });
}

function follow(person: Person, afterSeq: number | null = null): Promise<Follower> {
  return followAs(services, person.id, afterSeq);
}

async function fileOf({ id }: Pick<Person, 'id'>) {
  return presentAttachment(await keepTestFile(services.deps, id));
}

function sweep(): Promise<void> {
  const { db, stores, config } = services.deps;
  const onFault = (error: unknown) => {
    throw error;
  };
  return sweepFiles({ db, stores, arrivals: arrivalsFolder(config), onFault });
}
