import { randomUUID } from 'node:crypto';
import { messages } from '@parley/db/tables/messages';
import { messageText } from '@parley/schema/messages/messages';
import { outlineNodes } from '@parley/schema/messages/thread';
import { BODIES_MAX } from '@parley/schema/messages/thread-inputs';
import { buildTree, latestLeaf, pathTo } from '@parley/schema/messages/tree';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertThread } from '@parley/scripts/seed/threads';
import { exchange, followUp, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { threadLength } from '../../support/extent.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'fake:echo,gpt-4' });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('an opened conversation', () => {
  it('shows the tree of its messages', async () => {
    const first = await exchange(services, alice.id, question('One'));
    const second = await exchange(services, alice.id, followUp('Two', first));
    await exchange(services, alice.id, followUp('Two, otherwise', first));
    const { conversationId } = first.convo;
    const { outline, bodies, messagesSeq, runningReplies } = await alice.api.messages.open({ conversationId });
    const all = await alice.api.messages.list({ conversationId });
    expect(
      outlineNodes(outline).map(({ messageId, parentMessageId, seq }) => [messageId, parentMessageId, seq]),
    ).toEqual(all.map(({ messageId, parentMessageId, seq }) => [messageId, parentMessageId, seq]));
    expect(outlineNodes(outline).map(({ isCreatedByUser, version }) => [isCreatedByUser, version])).toEqual(
      all.map(({ isCreatedByUser, updatedAt }) => [isCreatedByUser, Date.parse(updatedAt)]),
    );
    expect(bodies).toEqual(all.filter(({ messageId }) => bodies.some((body) => body.messageId === messageId)));
    expect(bodies.map(messageText)).toEqual(['One', 'One', 'Two, otherwise', 'Two, otherwise']);
    expect(bodies).not.toContainEqual(second.request);
    expect(messagesSeq).toBe((await alice.api.convos.byId({ conversationId })).messagesSeq);
    expect(runningReplies).toEqual([]);
  });

  it('comes with the messages of the branch it is opened at, else with the newest', async () => {
    const first = await exchange(services, alice.id, question('One'));
    const second = await exchange(services, alice.id, followUp('Two', first));
    await exchange(services, alice.id, followUp('Two, otherwise', first));
    const { conversationId } = first.convo;
    const at = (messageId: string) => alice.api.messages.open({ conversationId, messageId });
    expect((await at(second.request.messageId)).bodies.map(messageText)).toEqual(['One', 'One', 'Two', 'Two']);
    expect((await at(randomUUID())).bodies.map(messageText)).toEqual([
      'One',
      'One',
      'Two, otherwise',
      'Two, otherwise',
    ]);
  });

  it('comes with the newest message, even below an older answer', async () => {
    const first = await exchange(services, alice.id, question('One'));
    const { conversationId } = first.convo;
    const target = { kind: 'regenerate' as const, parentMessageId: first.request.messageId };
    const second = await exchange(services, alice.id, question('', { conversationId, target }));
    const { request } = await exchange(services, alice.id, followUp('Two', first));
    const shown = async (messageId?: string) => {
      const { bodies } = await alice.api.messages.open({ conversationId, messageId });
      return bodies.map((body) => body.messageId);
    };
    expect(await shown()).toContain(request.messageId);
    expect(await shown()).not.toContain(second.reply.messageId);
    expect(await shown(second.reply.messageId)).toEqual([first.request.messageId, second.reply.messageId]);
  });

  it('brings enough to fill a screen and no more, wherever it is opened', async () => {
    const { ids, conversationId } = await insertThread(services.deps.db, alice.id, 200);
    const newest = await alice.api.messages.open({ conversationId });
    expect(newest.bodies.map(({ messageId }) => messageId)).toEqual(ids.slice(-30));
    const middle = await alice.api.messages.open({ conversationId, messageId: ids[100] });
    expect(middle.bodies).toHaveLength(30);
    expect(middle.bodies.map(({ messageId }) => messageId)).toContain(ids[100]);
  });

  it('brings fewer of very long messages, and at least one', async () => {
    const { ids, conversationId } = await insertThread(services.deps.db, alice.id, 10, () => noise(300_000));
    const { bodies, outline } = await alice.api.messages.open({ conversationId });
    expect(bodies.map(({ messageId }) => messageId)).toEqual(ids.slice(-1));
    expect(Math.min(...outline.sizes)).toBeGreaterThan(100_000);
  });

  it('is empty when all its messages are deleted', async () => {
    const { conversationId } = await insertThread(services.deps.db, alice.id, 2);
    await services.deps.db.query
      .update(messages)
      .set({ deletedAt: sql`now()` })
      .where(and(eq(messages.userId, alice.id), eq(messages.convoId, conversationId)));
    const { outline, bodies } = await alice.api.messages.open({ conversationId });
    expect([outline.ids, bodies]).toEqual([[], []]);
  });

  it('names the running reply and brings its text so far', async () => {
    const asked = question('[[never-ending]] Go on', { model: 'gpt-4' });
    const { reply } = await services.deps.askService.ask(alice.id, asked);
    const { conversationId } = asked;
    await expect
      .poll(async () => messageText((await alice.api.messages.open({ conversationId })).bodies[1] ?? { parts: [] }), {
        timeout: 10_000,
      })
      .not.toBe('');
    expect((await alice.api.messages.open({ conversationId })).runningReplies).toEqual([reply.messageId]);
    await alice.api.messages.abort({ generationId: asked.generationId });
    await readAll(services, alice.id, asked.generationId);
    expect((await alice.api.messages.open({ conversationId })).runningReplies).toEqual([]);
  });

  it('may be thousands of messages deep or have 500 siblings', async () => {
    const deep = await insertThread(services.deps.db, alice.id, threadLength);
    const { outline, bodies } = await alice.api.messages.open({ conversationId: deep.conversationId });
    const tree = buildTree(outlineNodes(outline));
    expect(pathTo(tree, latestLeaf(tree)?.messageId ?? '')).toHaveLength(threadLength);
    expect(bodies).toHaveLength(30);

    const wide = await insertThread(
      services.deps.db,
      alice.id,
      501,
      (n) => `Answer ${n}`,
      (n) => (n === 0 ? null : 0),
    );
    const opened = await alice.api.messages.open({ conversationId: wide.conversationId });
    expect(opened.outline.parents).toEqual([-1, ...Array<number>(500).fill(0)]);
  });
});

describe('messages by their ids', () => {
  it('come oldest first, without those of other conversations', async () => {
    const { ids, conversationId } = await insertThread(services.deps.db, alice.id, 5);
    const other = await insertThread(services.deps.db, alice.id, 1);
    const messageIds = [ids[3], ids[1], other.ids[0], randomUUID()].map(String);
    const bodies = await alice.api.messages.bodies({ conversationId, messageIds });
    expect(bodies.map(({ messageId }) => messageId)).toEqual([ids[1], ids[3]]);
  });

  it('come within eight megabytes, and at least one: those asked for first', async () => {
    const text = 'x'.repeat(3_000_000);
    const long = await insertThread(services.deps.db, alice.id, 6, (n) => (n === 0 ? text.repeat(3) : text));
    const { conversationId } = long;
    const read = async (messageIds: string[]) =>
      (await alice.api.messages.bodies({ conversationId, messageIds })).map((body) => long.ids.indexOf(body.messageId));
    expect(await read([5, 4, 1, 3, 2].map((n) => long.ids[n] ?? ''))).toEqual([1, 4, 5]);
    expect(await read([...long.ids])).toEqual([0]);
    const { bodies } = await alice.api.messages.open({ conversationId });
    expect(bodies.map((body) => long.ids.indexOf(body.messageId))).toEqual([3, 4, 5]);
  });

  it('come at most a hundred at a time', async () => {
    const messageIds = Array.from({ length: BODIES_MAX + 1 }, () => randomUUID());
    await expect(alice.api.messages.bodies({ conversationId: randomUUID(), messageIds })).rejects.toThrow();
  });

  it('are refused for other users', async () => {
    const { ids, conversationId } = await insertThread(services.deps.db, alice.id, 2);
    const bob = await services.as('bob');
    await expect(bob.api.messages.open({ conversationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(bob.api.messages.bodies({ conversationId, messageIds: ids })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

/** Text that no compression makes short. */
function noise(length: number): string {
  const words = Array.from({ length: Math.ceil(length / 36) }, () => randomUUID());
  return words.join('').slice(0, length);
}
