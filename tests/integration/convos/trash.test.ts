import { randomUUID } from 'node:crypto';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { users } from '@parley/db/tables/users';
import type { Change } from '@parley/schema/convos/convos';
import { sweepTrash } from '@parley/server/trash/sweep';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow as followAs, type Follower } from './follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

describe('a deleted conversation', () => {
  it('is in the trash and can be restored as it was, for every subscriber', async () => {
    const final = await exchange(services, alice.id, question('Bring me back'));
    const { conversationId } = final.convo;
    await alice.api.convos.rename({ conversationId, title: 'A good talk' });
    const before = await alice.api.convos.byId({ conversationId });
    const feed = await follow(alice);
    const removed = await alice.api.convos.remove({ conversationId });
    expect(removed).toMatchObject({ deletedCount: 1, deletedMessages: 2 });
    await feed.until((change) => change.type === 'removed' && change.conversationId === conversationId);
    expect((await alice.api.convos.trash({})).deletions[0]).toEqual({
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
    expect((await alice.api.convos.trash({})).deletions).toEqual([]);
    await feed.until((change) => change.type === 'convo' && change.convo.conversationId === conversationId);
    expect(feed.list.get(conversationId)).toEqual(before);
  });

  it('can be deleted again without effect', async () => {
    const { convo } = await exchange(services, alice.id, question('Twice'));
    const convoRef = { conversationId: convo.conversationId };
    await alice.api.convos.remove(convoRef);
    expect(await alice.api.convos.remove(convoRef)).toEqual({ deletionId: null, deletedCount: 0, deletedMessages: 0 });
  });

  it('is restored once', async () => {
    const { convo } = await exchange(services, alice.id, question('Only once'));
    const deletionId = (await alice.api.convos.remove({ conversationId: convo.conversationId })).deletionId ?? '';
    const tries = await Promise.allSettled([1, 2].map(() => alice.api.convos.restore({ deletionId })));
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(bob.api.convos.restore({ deletionId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('whose message is deleted is named by its current title in the trash', async () => {
    const { convo, reply } = await exchange(services, alice.id, question('Whose am I?'));
    const { conversationId } = convo;
    await alice.api.messages.remove({ conversationId, messageId: reply.messageId });
    await alice.api.convos.rename({ conversationId, title: 'The one' });
    const newest = async () => (await alice.api.convos.trash({})).deletions[0];
    expect(await newest()).toMatchObject({ kind: 'message', conversationId, label: 'Whose am I?', title: 'The one' });
    const { deletionId } = await alice.api.convos.remove({ conversationId });
    expect(await newest()).toMatchObject({ kind: 'convos', title: null });
    await alice.api.convos.restore({ deletionId: deletionId ?? '' });
    expect(await newest()).toMatchObject({ kind: 'message', title: 'The one' });
    await alice.api.convos.remove({ conversationId });
  });

  it('does not affect other users, and several can be restored together', async () => {
    const finals = [];
    for (const text of ['One', 'Two', 'Three']) finals.push(await exchange(services, bob.id, question(text)));
    const ids = finals.map(({ convo }) => convo.conversationId);
    const removed = await bob.api.convos.removeMany({ conversationIds: [...ids.slice(0, 2), randomUUID()] });
    expect(removed).toMatchObject({ deletedCount: 2, deletedMessages: 4 });
    expect((await bob.api.convos.trash({})).deletions[0]).toMatchObject({ conversationId: null, count: 2 });
    const all = await bob.api.convos.clear();
    expect(all.deletedCount).toBe(1);
    expect((await bob.api.convos.list({})).convos).toEqual([]);
    await bob.api.convos.restore({ deletionId: removed.deletionId ?? '' });
    const listed = (await bob.api.convos.list({})).convos.map((convo) => convo.conversationId);
    expect(listed.toSorted()).toEqual(ids.slice(0, 2).toSorted());
  });

  it('keeps earlier deletions of its messages, which can be restored only after it', async () => {
    const first = await exchange(services, alice.id, question('Part and whole'));
    const { conversationId } = first.convo;
    const part = await alice.api.messages.remove({ conversationId, messageId: first.reply.messageId });
    const whole = await alice.api.convos.remove({ conversationId });
    expect((await alice.api.convos.trash({})).deletions.map((one) => one.deletionId)).not.toContain(part.deletionId);
    await expect(alice.api.convos.restore(part)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await alice.api.convos.restore({ deletionId: whole.deletionId ?? '' });
    expect(await alice.api.messages.list({ conversationId })).toEqual([first.request]);
    await alice.api.convos.restore(part);
    expect(await alice.api.messages.list({ conversationId })).toHaveLength(2);
  });

  it('is listed page by page in the trash', async () => {
    const carol = await services.as('carol');
    const deleted: (string | null)[] = [];
    for (let n = 0; n < 7; n += 1) {
      const { convo } = await exchange(services, carol.id, question(`Number ${n}`));
      deleted.unshift((await carol.api.convos.remove({ conversationId: convo.conversationId })).deletionId);
    }
    const read: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await carol.api.convos.trash({ cursor, limit: 3 });
      read.push(...page.deletions.map((one) => one.deletionId));
      cursor = page.nextCursor;
    }
    expect(read).toEqual(deleted);
    await expect(carol.api.convos.trash({ cursor: 'mine' })).rejects.toThrow('invalid_input');
  });
});

describe('deleting a conversation with a running answer', () => {
  it('does not wait for a dead process, and its text returns with the conversation', async () => {
    const input = question('Died writing', { model: 'fake:silent' });
    await alice.api.messages.ask(input);
    await services.provider.waitForRequest(isAskedAbout('Died writing'));
    const query = services.deps.db.query;
    await query.update(generations).set({ owner: randomUUID() }).where(eq(generations.id, input.generationId));
    await expect.poll(() => services.provider.openStreams()).toBe(0);
    await lease(input.generationId, '1 hour');
    const removed = await alice.api.convos.remove({ conversationId: input.conversationId });
    expect(removed.deletedCount).toBe(1);
    await alice.api.convos.restore({ deletionId: removed.deletionId ?? '' });
    await lease(input.generationId, '-1 second');
    const final = await alice.api.messages.abort({ generationId: input.generationId });
    expect(final).toMatchObject({ reply: { unfinished: true }, convo: { running: null } });
  });

  it('stops the answer in whichever process it runs', async () => {
    const input = question('Soon stopped', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    const heard = await services.provider.waitForRequest(isAskedAbout('Soon stopped'));
    const removed = await alice.api.convos.removeMany({ conversationIds: [input.conversationId] });
    await expect.poll(() => heard.closedEarly).toBe(true);
    await alice.api.convos.restore({ deletionId: removed.deletionId ?? '' });
    const convoRef = { conversationId: input.conversationId };
    await expect.poll(async () => (await alice.api.convos.byId(convoRef)).running).toBeNull();
    expect((await alice.api.messages.list(convoRef)).at(-1)).toMatchObject({
      finishReason: 'incomplete',
      reason: null,
    });
  });
});

describe('after the retention period of the trash', () => {
  it('a conversation is removed with its messages and draft, and old cursors start over', async () => {
    const carol = await services.as('carol');
    const kept = await exchange(services, carol.id, question('Stays'));
    const gone = await exchange(services, carol.id, question('Goes'));
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
    await sweepTrash(services.deps.db);
    expect(await rowsOf(conversationId)).toEqual([]);
    expect((await carol.api.drafts.list()).map(({ key }) => key)).not.toContain(conversationId);
    expect((await carol.api.convos.trash({})).deletions).toEqual([]);
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

  it('a message is removed, the tree looks the same, and later deletions can still be restored', async () => {
    const first = await exchange(services, alice.id, question('First'));
    const second = await exchange(services, alice.id, followUp('Second', first));
    const convoRef = { conversationId: first.convo.conversationId };
    await alice.api.messages.remove({ ...convoRef, messageId: first.reply.messageId });
    await age(alice.id);
    const later = await alice.api.messages.remove({ ...convoRef, messageId: second.request.messageId });
    const before = await alice.api.messages.list(convoRef);
    await sweepTrash(services.deps.db);
    expect(await alice.api.messages.list(convoRef)).toEqual(before);
    expect((await rowsOf(convoRef.conversationId)).map((row) => row.id)).not.toContain(first.reply.messageId);
    await alice.api.convos.restore(later);
    const thread = await alice.api.messages.list(convoRef);
    expect(thread.map(({ messageId, parentMessageId }) => [messageId, parentMessageId])).toEqual([
      [first.request.messageId, null],
      [second.request.messageId, first.request.messageId],
      [second.reply.messageId, second.request.messageId],
    ]);
    expect((await rowsOf(convoRef.conversationId)).map((row) => row.movedFrom)).toEqual([null, null, null]);
  });

  it('newer deletions stay, and two simultaneous sweeps do not conflict', async () => {
    const { convo } = await exchange(services, alice.id, question('Still young'));
    const removed = await alice.api.convos.remove({ conversationId: convo.conversationId });
    await Promise.all([1, 2, 3].map(() => sweepTrash(services.deps.db)));
    expect(await alice.api.convos.restore({ deletionId: removed.deletionId ?? '' })).toMatchObject({ count: 1 });
  });
});

function follow(person: Person, afterSeq: number | null = null): Promise<Follower> {
  return followAs(services, person.id, afterSeq);
}

async function counterOf(person: Person): Promise<Change['seq']> {
  const [row] = await services.deps.db.query.select().from(users).where(eq(users.id, person.id));
  return row?.changeSeq ?? 0;
}

async function rowsOf(convoId: string) {
  return services.deps.db.query.select().from(messages).where(eq(messages.convoId, convoId)).orderBy(messages.seq);
}

async function lease(generationId: string, ends: string): Promise<void> {
  const leaseUntil = sql`now() + ${ends}::interval`;
  await services.deps.db.query.update(generations).set({ leaseUntil }).where(eq(generations.id, generationId));
}

/** Eight days pass over the trash of a user. */
async function age(userId: string): Promise<void> {
  const plain = services.deps.db.sql;
  await plain`update convos set deleted_at = deleted_at - interval '8 days' where user_id = ${userId}`;
  await plain`update messages set deleted_at = deleted_at - interval '8 days' where user_id = ${userId}`;
  await plain`update deletions set created_at = created_at - interval '8 days' where user_id = ${userId}`;
}
