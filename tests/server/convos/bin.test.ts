import { randomUUID } from 'node:crypto';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { users } from '@parley/db/tables/users';
import type { Change } from '@parley/schema/convos';
import { sweepBin } from '@parley/server/convos/sweep-bin';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';
import { follow as followAs, type Follower } from './follow.ts';

let rooms: TestRooms;
let alice: Person;
let bob: Person;
const followers: Follower[] = [];

beforeAll(async () => {
  rooms = await openTestRooms();
  alice = await rooms.as('alice');
  bob = await rooms.as('bob');
});
afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.leave();
});
afterAll(() => rooms.close());

describe('a deleted conversation', () => {
  it('is in the bin, and comes back as it was, for everyone who follows', async () => {
    const final = await exchange(rooms, alice.id, question('Bring me back'));
    const { conversationId } = final.convo;
    await alice.api.convos.rename({ conversationId, title: 'A good talk' });
    const before = await alice.api.convos.byId({ conversationId });
    const feed = await follow(alice);
    const removed = await alice.api.convos.remove({ conversationId });
    expect(removed).toMatchObject({ deletedCount: 1, deletedMessages: 2 });
    expect((await alice.api.convos.bin({})).deletions[0]).toEqual({
      deletionId: removed.deletionId,
      kind: 'convos',
      conversationId,
      label: 'A good talk',
      title: null,
      count: 1,
      deletedAt: expect.stringMatching(/Z$/),
    });
    await expect(alice.api.messages.list({ conversationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const restored = await alice.api.convos.restore({ deletionId: removed.deletionId ?? '' });
    expect(restored).toEqual({ kind: 'convos', conversationIds: [conversationId], count: 1 });
    expect(await alice.api.convos.byId({ conversationId })).toEqual(before);
    expect(await alice.api.messages.list({ conversationId })).toEqual([final.request, final.reply]);
    expect((await alice.api.convos.bin({})).deletions).toEqual([]);
    await feed.until((change) => change.type === 'convo' && change.convo.conversationId === conversationId);
    expect(feed.list.get(conversationId)).toEqual(before);
    expect(feed.told.map((change) => change.type)).toContain('removed');
  });

  it('deleted again has nothing to undo', async () => {
    const { convo } = await exchange(rooms, alice.id, question('Twice'));
    const place = { conversationId: convo.conversationId };
    await alice.api.convos.remove(place);
    expect(await alice.api.convos.remove(place)).toEqual({ deletionId: null, deletedCount: 0, deletedMessages: 0 });
  });

  it('is brought back once', async () => {
    const { convo } = await exchange(rooms, alice.id, question('Only once'));
    const deletionId = (await alice.api.convos.remove({ conversationId: convo.conversationId })).deletionId ?? '';
    const tries = await Promise.allSettled([1, 2].map(() => alice.api.convos.restore({ deletionId })));
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(bob.api.convos.restore({ deletionId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of a message names the conversation it is of, as that is called now', async () => {
    const { convo, reply } = await exchange(rooms, alice.id, question('Whose am I?'));
    const { conversationId } = convo;
    await alice.api.messages.remove({ conversationId, messageId: reply.messageId });
    await alice.api.convos.rename({ conversationId, title: 'The one' });
    const newest = async () => (await alice.api.convos.bin({})).deletions[0];
    expect(await newest()).toMatchObject({ kind: 'message', conversationId, label: 'Whose am I?', title: 'The one' });
    const { deletionId } = await alice.api.convos.remove({ conversationId });
    expect(await newest()).toMatchObject({ kind: 'convos', title: null });
    await alice.api.convos.restore({ deletionId: deletionId ?? '' });
    expect(await newest()).toMatchObject({ kind: 'message', title: 'The one' });
    await alice.api.convos.remove({ conversationId });
  });

  it('takes nobody else along, and several come back together', async () => {
    const finals = [];
    for (const text of ['One', 'Two', 'Three']) finals.push(await exchange(rooms, bob.id, question(text)));
    const ids = finals.map(({ convo }) => convo.conversationId);
    const removed = await bob.api.convos.removeMany({ conversationIds: [...ids.slice(0, 2), randomUUID()] });
    expect(removed).toMatchObject({ deletedCount: 2, deletedMessages: 4 });
    expect((await bob.api.convos.bin({})).deletions[0]).toMatchObject({ conversationId: null, count: 2 });
    const all = await bob.api.convos.clear();
    expect(all.deletedCount).toBe(1);
    expect((await bob.api.convos.list({})).convos).toEqual([]);
    await bob.api.convos.restore({ deletionId: removed.deletionId ?? '' });
    const listed = (await bob.api.convos.list({})).convos.map((convo) => convo.conversationId);
    expect(listed.toSorted()).toEqual(ids.slice(0, 2).toSorted());
  });

  it('keeps what was deleted of it before, which comes back only after it', async () => {
    const first = await exchange(rooms, alice.id, question('Part and whole'));
    const { conversationId } = first.convo;
    const part = await alice.api.messages.remove({ conversationId, messageId: first.reply.messageId });
    const whole = await alice.api.convos.remove({ conversationId });
    expect((await alice.api.convos.bin({})).deletions.map((one) => one.deletionId)).not.toContain(part.deletionId);
    await expect(alice.api.convos.restore(part)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await alice.api.convos.restore({ deletionId: whole.deletionId ?? '' });
    expect(await alice.api.messages.list({ conversationId })).toEqual([first.request]);
    await alice.api.convos.restore(part);
    expect(await alice.api.messages.list({ conversationId })).toHaveLength(2);
  });

  it('of many comes page by page from the bin', async () => {
    const carol = await rooms.as('carol');
    const deleted: (string | null)[] = [];
    for (let n = 0; n < 7; n += 1) {
      const { convo } = await exchange(rooms, carol.id, question(`Number ${n}`));
      deleted.unshift((await carol.api.convos.remove({ conversationId: convo.conversationId })).deletionId);
    }
    const read: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await carol.api.convos.bin({ cursor, limit: 3 });
      read.push(...page.deletions.map((one) => one.deletionId));
      cursor = page.nextCursor;
    }
    expect(read).toEqual(deleted);
    await expect(carol.api.convos.bin({ cursor: 'mine' })).rejects.toThrow('invalid_input');
  });
});

describe('deleting while something is running', () => {
  it('does not wait for a process that died, and what it wrote comes back with the conversation', async () => {
    const input = question('Died writing', { model: 'fake:silent' });
    await alice.api.messages.ask(input);
    await rooms.provider.waitForRequest(isAskedAbout('Died writing'), 5000);
    const query = rooms.deps.db.query;
    await query.update(generations).set({ owner: randomUUID() }).where(eq(generations.id, input.generationId));
    await expect.poll(() => rooms.provider.openStreams(), { timeout: 5000 }).toBe(0);
    await lease(input.generationId, '1 hour');
    const removed = await alice.api.convos.remove({ conversationId: input.conversationId });
    expect(removed.deletedCount).toBe(1);
    await alice.api.convos.restore({ deletionId: removed.deletionId ?? '' });
    await lease(input.generationId, '-1 second');
    const final = await alice.api.messages.abort({ generationId: input.generationId });
    expect(final).toMatchObject({ reply: { unfinished: true }, convo: { running: null } });
  });

  it('stops it, wherever it runs', async () => {
    const input = question('Soon stopped', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    const heard = await rooms.provider.waitForRequest(isAskedAbout('Soon stopped'), 5000);
    const removed = await alice.api.convos.removeMany({ conversationIds: [input.conversationId] });
    await expect.poll(() => heard.closedEarly, { timeout: 10_000 }).toBe(true);
    await alice.api.convos.restore({ deletionId: removed.deletionId ?? '' });
    const place = { conversationId: input.conversationId };
    await expect.poll(async () => (await alice.api.convos.byId(place)).running, { timeout: 10_000 }).toBeNull();
    expect((await alice.api.messages.list(place)).at(-1)).toMatchObject({ finishReason: 'incomplete', reason: null });
  });
});

describe('after the days of the bin', () => {
  it('a conversation is gone for good, with its messages and its draft, and old followers start anew', async () => {
    const carol = await rooms.as('carol');
    const kept = await exchange(rooms, carol.id, question('Stays'));
    const gone = await exchange(rooms, carol.id, question('Goes'));
    const { conversationId } = gone.convo;
    await carol.api.drafts.save({
      key: conversationId,
      text: 'Unsent',
      editedAt: new Date().toISOString(),
      basedOn: 0,
    });
    const old = await counterOf(carol);
    const removed = await carol.api.convos.remove({ conversationId });
    await age(carol.id);
    const after = await counterOf(carol);
    await sweepBin(rooms.deps.db);
    expect(await rowsOf(conversationId)).toEqual([]);
    expect((await carol.api.drafts.list()).map(({ key }) => key)).not.toContain(conversationId);
    expect((await carol.api.convos.bin({})).deletions).toEqual([]);
    const deletionId = removed.deletionId ?? '';
    await expect(carol.api.convos.restore({ deletionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const late = await follow(carol, old);
    expect(late.told).toEqual([{ type: 'reset', seq: after }]);
    const current = await follow(carol, after);
    expect(current.told).toEqual([]);
    expect((await carol.api.convos.list({})).convos.map((convo) => convo.conversationId)).toContain(
      kept.convo.conversationId,
    );
  });

  it('a message is gone for good, the tree stays as it was seen, and what went later still comes back', async () => {
    const first = await exchange(rooms, alice.id, question('First'));
    const second = await exchange(rooms, alice.id, followUp('Second', first));
    const place = { conversationId: first.convo.conversationId };
    await alice.api.messages.remove({ ...place, messageId: first.reply.messageId });
    await age(alice.id);
    const later = await alice.api.messages.remove({ ...place, messageId: second.request.messageId });
    const before = await alice.api.messages.list(place);
    await sweepBin(rooms.deps.db);
    expect(await alice.api.messages.list(place)).toEqual(before);
    expect((await rowsOf(place.conversationId)).map((row) => row.id)).not.toContain(first.reply.messageId);
    await alice.api.convos.restore(later);
    const thread = await alice.api.messages.list(place);
    expect(thread.map(({ messageId, parentMessageId }) => [messageId, parentMessageId])).toEqual([
      [first.request.messageId, null],
      [second.request.messageId, first.request.messageId],
      [second.reply.messageId, second.request.messageId],
    ]);
    expect((await rowsOf(place.conversationId)).map((row) => row.movedFrom)).toEqual([null, null, null]);
  });

  it('what is younger stays, and two who sweep at once do not disturb each other', async () => {
    const { convo } = await exchange(rooms, alice.id, question('Still young'));
    const removed = await alice.api.convos.remove({ conversationId: convo.conversationId });
    await Promise.all([1, 2, 3].map(() => sweepBin(rooms.deps.db)));
    expect(await alice.api.convos.restore({ deletionId: removed.deletionId ?? '' })).toMatchObject({ count: 1 });
  });
});

async function follow(person: Person, afterSeq: number | null = null): Promise<Follower> {
  const follower = await followAs(rooms, person.id, afterSeq);
  followers.push(follower);
  return follower;
}

async function counterOf(person: Person): Promise<Change['seq']> {
  const [row] = await rooms.deps.db.query.select().from(users).where(eq(users.id, person.id));
  return row?.changeSeq ?? 0;
}

async function rowsOf(convoId: string) {
  return rooms.deps.db.query.select().from(messages).where(eq(messages.convoId, convoId)).orderBy(messages.seq);
}

async function lease(generationId: string, ends: string): Promise<void> {
  const leaseUntil = sql`now() + ${ends}::interval`;
  await rooms.deps.db.query.update(generations).set({ leaseUntil }).where(eq(generations.id, generationId));
}

/** Eight days pass over the bin of a user. */
async function age(userId: string): Promise<void> {
  const plain = rooms.deps.db.sql;
  await plain`update convos set deleted_at = deleted_at - interval '8 days' where user_id = ${userId}`;
  await plain`update messages set deleted_at = deleted_at - interval '8 days' where user_id = ${userId}`;
  await plain`update deletions set created_at = created_at - interval '8 days' where user_id = ${userId}`;
}
