import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { drafts } from '@parley/db/tables/drafts';
import { files } from '@parley/db/tables/files';
import { messages } from '@parley/db/tables/messages';
import { sweepFiles } from '@parley/server/files/sweep';
import { sweepWords } from '@parley/server/search/sweep';
import { sweepTemporary } from '@parley/server/trash/sweep';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { follow } from './follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

const HOUR = 3_600_000;

/** The first exchange of a temporary conversation. */
function begin(text: string) {
  return exchange(services, alice.id, question(text, { isTemporary: true }));
}

function setEnd(conversationId: string, end: string) {
  return services.deps.db.query
    .update(convos)
    .set({ temporaryUntil: sql`now() + ${end}::interval` })
    .where(eq(convos.id, conversationId));
}

function rowsOf(conversationId: string) {
  return services.deps.db.query.$count(convos, eq(convos.id, conversationId));
}

async function secondsLeft(conversationId: string): Promise<number> {
  const { temporaryUntil = '' } = await alice.api.convos.byId({ conversationId });
  return (Date.parse(temporaryUntil) - Date.now()) / 1000;
}

describe('a temporary conversation', () => {
  it('of another installation, where it was to last for longer, keeps its end when it is shown, left and asked in', async () => {
    const one = await begin('Brought along');
    const { conversationId } = one.convo;
    await services.deps.db.query
      .update(convos)
      .set({ createdAt: sql`now() - interval '20 days'`, temporaryUntil: sql`now() + interval '10 days'` })
      .where(eq(convos.id, conversationId));
    const { temporaryUntil } = await alice.api.convos.byId({ conversationId });
    await alice.api.convos.show({ conversationId });
    await alice.api.convos.leave({ conversationId });
    await alice.api.convos.show({ conversationId });
    expect(await alice.api.convos.byId({ conversationId })).toMatchObject({ temporaryUntil });
    await exchange(services, alice.id, followUp('And more', one));
    expect(await alice.api.convos.byId({ conversationId })).toMatchObject({ temporaryUntil });
  });

  it('is shared once it is kept, not before', async () => {
    const { convo } = await exchange(services, bob.id, question('A secret', { isTemporary: true }));
    const { conversationId } = convo;
    const share = { conversationId, leafId: null, showsName: false, days: null };
    await expect(bob.api.shares.create(share)).rejects.toThrow('conflict');
    await bob.api.convos.keep({ conversationId });
    expect(await bob.api.shares.create(share)).toMatchObject({ conversationId });
  });

  it('is in no list, no search, no feed and no folder, and can be read by its id', async () => {
    const folder = { id: randomUUID(), name: 'Work' };
    await alice.api.folders.create(folder);
    const feed = await follow(services, alice.id);
    const first = question('Where is the zanzibarite?', { isTemporary: true, folderId: folder.id });
    const one = await exchange(services, alice.id, first);
    const { conversationId } = one.convo;
    const two = await exchange(services, alice.id, followUp('More of the zanzibarite', one));
    expect(two.convo).toMatchObject({ folderId: null, isUnread: false, title: null });
    expect(Date.parse(two.convo.temporaryUntil ?? '') - Date.parse(two.convo.createdAt)).toBe(24 * HOUR);

    const listed = await exchange(services, alice.id, question('Listed as usual'));
    await feed.until((change) => change.type === 'convo' && change.convo.isUnread);
    expect([...feed.list.keys()]).toEqual([listed.convo.conversationId]);
    const usual = [listed.convo.conversationId];
    expect((await alice.api.convos.list({})).convos.map((convo) => convo.conversationId)).toEqual(usual);
    expect((await alice.api.convos.page({ pageNumber: 1, pageSize: 9 })).total).toBe(1);
    expect((await alice.api.convos.ids()).conversationIds).toEqual(usual);
    expect((await alice.api.convos.search({ query: 'zanzibarite' })).groups).toEqual([]);

    expect((await alice.api.convos.byId({ conversationId })).conversationId).toBe(conversationId);
    expect(await alice.api.messages.list({ conversationId })).toHaveLength(4);
    await expect(bob.api.messages.list({ conversationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leaves no words in the search index', async () => {
    await begin('The secret word is quetzalcoatlus');
    await sweepWords(services.deps.db);
    const found = await services.deps.db.sql`
      select word from search_words where user_id = ${alice.id} and word like 'quetzal%'`;
    expect(found).toHaveLength(0);
  });

  it('cannot be pinned, renamed, moved or copied', async () => {
    const { convo } = await begin('Leave me as I am');
    const { conversationId } = convo;
    const missing = { code: 'NOT_FOUND' };
    await expect(alice.api.convos.rename({ conversationId, title: 'Named' })).rejects.toMatchObject(missing);
    await expect(alice.api.convos.update({ conversationId, isPinned: true })).rejects.toMatchObject(missing);
    await expect(alice.api.convos.fork({ conversationId, forkId: randomUUID() })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const archived = await alice.api.convos.archiveMany({ conversationIds: [conversationId], isArchived: true });
    expect(archived.count).toBe(0);
  });

  it('ends at once without an undo when it is deleted', async () => {
    const { convo } = await begin('Delete me');
    const { conversationId } = convo;
    const removed = await alice.api.convos.remove({ conversationId });
    expect(removed).toEqual({ deletionId: null, deletedCount: 1, deletedMessages: 0 });
    await expect(alice.api.convos.byId({ conversationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await alice.api.convos.trash({})).deletions).toEqual([]);
  });
});

describe('the end of a temporary conversation', () => {
  it('comes soon after its page has left it, unless a page shows it again', async () => {
    const one = await begin('Shall I stay?');
    const { conversationId } = one.convo;
    await bob.api.convos.leave({ conversationId });
    expect(await secondsLeft(conversationId)).toBeGreaterThan(86_000);
    await alice.api.convos.leave({ conversationId });
    expect(await secondsLeft(conversationId)).toBeLessThan(121);
    await alice.api.convos.show({ conversationId });
    expect(await secondsLeft(conversationId)).toBeGreaterThan(86_000);
    await alice.api.convos.leave({ conversationId });
    await exchange(services, alice.id, followUp('I am still here', one));
    expect(await secondsLeft(conversationId)).toBeGreaterThan(86_000);
  });

  it('is not put off once it has come', async () => {
    const one = await begin('Too late');
    const { conversationId } = one.convo;
    await setEnd(conversationId, '-1 second');
    const missing = { code: 'NOT_FOUND' };
    await alice.api.convos.show({ conversationId });
    await expect(alice.api.convos.keep({ conversationId })).rejects.toMatchObject(missing);
    await expect(alice.api.convos.byId({ conversationId })).rejects.toMatchObject(missing);
    await expect(alice.api.messages.open({ conversationId })).rejects.toMatchObject(missing);
    await expect(services.deps.askService.ask(alice.id, followUp('And?', one))).rejects.toThrow();
  });

  it('takes its messages, its draft and, an hour later, its files', async () => {
    const { id: fileId } = await keepTestFile(services.deps, alice.id);
    const first = question('Read this', { isTemporary: true });
    if (first.target.kind === 'send') first.target.files = [fileId];
    const { convo } = await exchange(services, alice.id, first);
    const { conversationId } = convo;
    const lasting = await exchange(services, alice.id, question('I stay'));
    await alice.api.drafts.save({
      key: conversationId,
      text: 'Half a question',
      editedAt: new Date().toISOString(),
      basedOn: 0,
    });
    await sweepTemporary(services.deps.db);
    expect(await rowsOf(conversationId)).toBe(1);
    await setEnd(conversationId, '-1 second');
    await sweepTemporary(services.deps.db);
    expect(await rowsOf(conversationId)).toBe(0);
    const { query } = services.deps.db;
    expect(await query.$count(messages, eq(messages.convoId, conversationId))).toBe(0);
    expect(await query.$count(drafts, eq(drafts.key, conversationId))).toBe(0);
    expect(await rowsOf(lasting.convo.conversationId)).toBe(1);

    const sweeping = { db: services.deps.db, stores: services.deps.stores, arrivals: createFolder(), onFault: fail };
    await sweepFiles(sweeping);
    const ofFile = and(eq(files.userId, alice.id), eq(files.id, fileId));
    const [unused] = await query.select().from(files).where(ofFile);
    expect(unused?.expiresAt).not.toBeNull();
    await query
      .update(files)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(ofFile);
    await sweepFiles(sweeping);
    expect(await query.$count(files, ofFile)).toBe(0);
  });

  it('stops an answer that is still being written, before it is purged', async () => {
    const asked = question('Go on and on', { isTemporary: true, model: 'fake:never-ending' });
    await services.deps.askService.ask(alice.id, asked);
    const { conversationId } = asked;
    await setEnd(conversationId, '-1 second');
    await sweepTemporary(services.deps.db);
    await expect
      .poll(async () => {
        await sweepTemporary(services.deps.db);
        return rowsOf(conversationId);
      })
      .toBe(0);
  });
});

describe('a temporary conversation that is kept', () => {
  it('is listed, sent to other browsers, found and titled', async () => {
    const { convo } = await begin('What is a xylophage?');
    const { conversationId } = convo;
    const feed = await follow(services, alice.id);
    await expect(bob.api.convos.keep({ conversationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const kept = await alice.api.convos.keep({ conversationId });
    expect(kept).not.toHaveProperty('temporaryUntil');
    await feed.until((change) => change.type === 'convo' && change.convo.title !== null);
    expect(feed.list.has(conversationId)).toBe(true);
    expect((await alice.api.convos.list({})).convos[0]?.conversationId).toBe(conversationId);
    const { groups } = await alice.api.convos.search({ query: 'xylophage' });
    expect(groups.map((group) => group.convo.conversationId)).toEqual([conversationId]);
    expect(await alice.api.convos.keep({ conversationId })).toMatchObject({ conversationId });
    await sweepTemporary(services.deps.db);
    expect(await rowsOf(conversationId)).toBe(1);
  });

  it('is titled by the end of its answer when it is kept while that is written', async () => {
    const asked = question('Keep me in time', { isTemporary: true, model: 'fake:never-ending' });
    await services.deps.askService.ask(alice.id, asked);
    const { conversationId } = asked;
    await alice.api.convos.keep({ conversationId });
    await services.deps.askService.stop(alice.id, asked.generationId);
    await expect.poll(async () => (await alice.api.convos.byId({ conversationId })).title).not.toBeNull();
    expect((await alice.api.convos.search({ query: 'keep me in time' })).groups).toHaveLength(1);
  });
});

function fail(error: unknown): never {
  throw error;
}
