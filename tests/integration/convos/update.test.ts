import { randomUUID } from 'node:crypto';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow } from './follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  // Titles would be reported among the changes, whenever they come.
  services = await openTestServices({ TITLE_CONVO: 'false' });
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

describe('a pinned conversation', () => {
  it('is listed among the pinned ones, newest first, and keeps its position in the list', async () => {
    const [older, newer] = [await begin('Older'), await begin('Newer')];
    await update(newer, { isPinned: true });
    await update(older, { isPinned: true });
    expect(idsOf(await alice.api.convos.pinned())).toEqual([newer, older]);
    expect(idsOf((await alice.api.convos.list({})).convos).slice(0, 2)).toEqual([newer, older]);
    await update(newer, { isPinned: false });
    expect(idsOf(await alice.api.convos.pinned())).toEqual([older]);
    await update(older, { isPinned: false });
  });

  it('is not listed as pinned while it is archived or deleted', async () => {
    const [archived, deleted] = [await begin('Archived'), await begin('Deleted')];
    for (const id of [archived, deleted]) await update(id, { isPinned: true });
    await update(archived, { isArchived: true });
    await alice.api.convos.remove({ conversationId: deleted });
    expect(await alice.api.convos.pinned()).toEqual([]);
  });
});

describe('the order of pinned conversations', () => {
  it('is what their user has given them; a new one stands above it, and one that was unpinned has no place left', async () => {
    const [a, b, c] = [await begin('A'), await begin('B'), await begin('C')];
    for (const id of [a, b, c]) await update(id, { isPinned: true });
    expect(idsOf(await alice.api.convos.pinned())).toEqual([c, b, a]);
    const feed = await follow(services, alice.id);
    await alice.api.convos.arrangePins({ conversationIds: [a, c, randomUUID(), a, b] });
    expect(idsOf(await alice.api.convos.pinned())).toEqual([a, c, b]);
    await feed.until((change) => change.type === 'convo' && change.convo.conversationId === b);
    const moved = feed.told.filter((change) => change.type === 'convo');
    expect(new Set(moved.map(({ seq }) => seq)).size).toBe(3);

    const d = await begin('D');
    await update(d, { isPinned: true });
    expect(idsOf(await alice.api.convos.pinned())).toEqual([d, a, c, b]);
    await update(c, { isPinned: false });
    await update(c, { isPinned: true });
    expect(idsOf(await alice.api.convos.pinned())).toEqual([d, c, a, b]);
    expect((await alice.api.convos.byId({ conversationId: c })).pinPosition).toBeUndefined();

    const before = await changeCounter();
    await bob.api.convos.arrangePins({ conversationIds: [b, a] });
    expect(idsOf(await alice.api.convos.pinned())).toEqual([d, c, a, b]);
    expect(await changeCounter()).toBe(before);
    for (const id of [a, b, c, d]) await update(id, { isPinned: false });
  });
});

describe('an archived conversation', () => {
  it('is listed in the archive only, until it is restored', async () => {
    const id = await begin('Away for a while');
    const feed = await follow(services, alice.id);
    expect(await update(id, { isArchived: true })).toMatchObject({ isArchived: true, isPinned: false });
    expect(idsOf((await alice.api.convos.list({})).convos)).not.toContain(id);
    expect(idsOf((await alice.api.convos.list({ archived: true })).convos)).toContain(id);
    expect(
      (await alice.api.convos.page({ pageNumber: 1, pageSize: 100 })).convos.map((one) => one.isArchived),
    ).not.toContain(true);
    await update(id, { isArchived: false });
    expect(idsOf((await alice.api.convos.list({})).convos)).toContain(id);
    await feed.until((change) => change.type === 'convo' && !change.convo.isArchived);
  });

  it('is reported under its own number when many are archived at once', async () => {
    const ids = [await begin('A'), await begin('B'), await begin('C')];
    const feed = await follow(services, alice.id);
    const conversationIds = [...ids, randomUUID()];
    expect(await alice.api.convos.archiveMany({ conversationIds, isArchived: true })).toEqual({ count: 3 });
    expect(await alice.api.convos.archiveMany({ conversationIds, isArchived: true })).toEqual({ count: 0 });
    const archived = () => feed.told.filter((change) => change.type === 'convo' && change.convo.isArchived);
    await expect.poll(() => archived().length).toBe(3);
    expect(new Set(archived().map(({ seq }) => seq)).size).toBe(3);
  });
});

describe('an unread answer', () => {
  it('is marked when it ends, and read once the person has seen it, without moving the conversation', async () => {
    const [id, newer] = [await begin('Unread'), await begin('Newer than the unread one')];
    const ended = await alice.api.convos.byId({ conversationId: id });
    expect(ended.isUnread).toBe(true);
    const feed = await follow(services, alice.id);
    await alice.api.convos.markRead({ conversationId: id, messagesSeq: ended.messagesSeq });
    await feed.until((change) => change.type === 'convo' && !change.convo.isUnread);
    const read = await alice.api.convos.byId({ conversationId: id });
    expect(read).toMatchObject({ isUnread: false, updatedAt: ended.updatedAt, messagesSeq: ended.messagesSeq });
    expect(idsOf((await alice.api.convos.list({})).convos).slice(0, 2)).toEqual([newer, id]);
    const before = await changeCounter();
    await alice.api.convos.markRead({ conversationId: id, messagesSeq: ended.messagesSeq });
    expect(await changeCounter()).toBe(before);
    expect(await update(id, { isUnread: true })).toMatchObject({ isUnread: true, updatedAt: ended.updatedAt });
  });

  it('stays unread for a reader of older messages, and for other users', async () => {
    const id = await begin('Answered again');
    const { messagesSeq } = await alice.api.convos.byId({ conversationId: id });
    await alice.api.convos.markRead({ conversationId: id, messagesSeq: messagesSeq - 1 });
    await bob.api.convos.markRead({ conversationId: id, messagesSeq });
    expect((await alice.api.convos.byId({ conversationId: id })).isUnread).toBe(true);
  });
});

describe('marking all as read', () => {
  it('marks every unread conversation, tells the other browsers, and is undone for those', async () => {
    await alice.api.convos.markAllRead();
    const [read, first, second] = [await begin('Read'), await begin('First'), await begin('Second')];
    await update(read, { isUnread: false });
    await bob.api.convos.markAllRead();
    expect(await unread()).toEqual(new Set([first, second]));
    const feed = await follow(services, alice.id);
    const order = idsOf((await alice.api.convos.list({})).convos);
    const { count, conversationIds } = await alice.api.convos.markAllRead();
    expect({ count, ids: new Set(conversationIds) }).toEqual({ count: 2, ids: new Set([first, second]) });
    expect(await unread()).toEqual(new Set());
    expect(idsOf((await alice.api.convos.list({})).convos)).toEqual(order);
    const told = () => feed.told.filter((change) => change.type === 'convo' && !change.convo.isUnread);
    await expect.poll(() => told().length).toBe(2);
    expect(new Set(told().map(({ seq }) => seq)).size).toBe(2);

    const before = await changeCounter();
    expect(await alice.api.convos.markAllRead()).toEqual({ count: 0, conversationIds: [] });
    expect(await changeCounter()).toBe(before);
    await bob.api.convos.markUnread({ conversationIds });
    expect(await unread()).toEqual(new Set());
    await alice.api.convos.markUnread({ conversationIds });
    expect(await unread()).toEqual(new Set([first, second]));
  });
});

describe('updating', () => {
  it('a missing conversation or one of another user is not found', async () => {
    const id = await begin('Mine');
    const refused = { code: 'NOT_FOUND' };
    await expect(bob.api.convos.update({ conversationId: id, isPinned: true })).rejects.toMatchObject(refused);
    await expect(update(randomUUID(), { isArchived: true })).rejects.toMatchObject(refused);
    expect(await bob.api.convos.archiveMany({ conversationIds: [id], isArchived: true })).toEqual({ count: 0 });
    expect(await alice.api.convos.byId({ conversationId: id })).toMatchObject({ isPinned: false, isArchived: false });
  });
});

async function begin(text: string): Promise<string> {
  return (await exchange(services, alice.id, question(text))).convo.conversationId;
}

async function unread(): Promise<Set<string>> {
  const { convos } = await alice.api.convos.list({ limit: 100 });
  return new Set(idsOf(convos.filter((one) => one.isUnread)));
}

async function changeCounter(): Promise<number | undefined> {
  const [user] = await services.deps.db.query.select().from(users).where(eq(users.id, alice.id));
  return user?.changeSeq;
}

function update(conversationId: string, change: { isPinned?: boolean; isArchived?: boolean; isUnread?: boolean }) {
  return alice.api.convos.update({ conversationId, ...change });
}

function idsOf(convos: { conversationId: string }[]): string[] {
  return convos.map(({ conversationId }) => conversationId);
}
