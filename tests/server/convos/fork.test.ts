import { randomUUID } from 'node:crypto';
import { messages } from '@parley/db/tables/messages';
import { textOf } from '@parley/schema/messages';
import { titleOfCopy } from '@parley/server/convos/fork';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';
import { another } from '../messages/asks.ts';

let rooms: TestRooms;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  rooms = await openTestRooms();
  alice = await rooms.as('alice');
  bob = await rooms.as('bob');
});
afterAll(() => rooms.close());

describe('a fork', () => {
  it('has copies of the branch that ends in the message, and nothing else', async () => {
    const first = await exchange(rooms, alice.id, question('One', { settings: { temperature: 0.5 } }));
    await exchange(rooms, alice.id, another(first));
    const second = await exchange(rooms, alice.id, followUp('Two', first, { model: 'fake:reasoning' }));
    await exchange(rooms, alice.id, followUp('Three', second));
    const { conversationId } = first.convo;
    await alice.api.convos.rename({ conversationId, title: 'The talk' });
    const { messageId } = second.reply;
    const fork = await alice.api.convos.fork({ conversationId, messageId, forkId: randomUUID() });
    expect(fork).toMatchObject({
      title: 'The talk (2)',
      forkedFrom: { conversationId, messageId },
      running: null,
      isPinned: false,
      endpoint: 'openAI',
    });
    const copies = await alice.api.messages.list({ conversationId: fork.conversationId });
    expect(copies.map(textOf)).toEqual(['One', 'One', 'Two', textOf(second.reply)]);
    expect(copies.map(({ parentMessageId }) => parentMessageId)).toEqual([
      null,
      ...copies.slice(0, 3).map((copy) => copy.messageId),
    ]);
    const originals = [first.request, first.reply, second.request, second.reply];
    expect(copies.map(({ parts, createdAt, usage }) => ({ parts, createdAt, usage }))).toEqual(
      originals.map(({ parts, createdAt, usage }) => ({ parts, createdAt, usage })),
    );
    expect(new Set([...copies, ...originals].map((message) => message.messageId)).size).toBe(8);
    expect((await alice.api.convos.list({})).convos[0]).toEqual(fork);
  });

  it('without a message is of the branch that is seen by who never turned to another', async () => {
    const first = await exchange(rooms, alice.id, question('One'));
    const older = await exchange(rooms, alice.id, followUp('Older', first));
    const newer = await exchange(rooms, alice.id, followUp('Newer', first));
    const last = await exchange(rooms, alice.id, followUp('Said last, below the older', older));
    const { conversationId } = first.convo;
    const input = { conversationId, forkId: randomUUID() };
    const fork = await alice.api.convos.fork(input);
    expect(fork.forkedFrom).toEqual({ conversationId, messageId: newer.reply.messageId });
    expect(await textsOf(fork.conversationId)).toEqual(['One', 'One', 'Newer', 'Newer']);
    expect(await alice.api.convos.fork(input)).toEqual(fork);

    await alice.api.messages.prune({ conversationId, messageId: newer.request.messageId });
    const next = await alice.api.convos.fork({ conversationId, forkId: randomUUID() });
    expect(next.forkedFrom).toEqual({ conversationId, messageId: last.reply.messageId });
    expect(await textsOf(next.conversationId)).toHaveLength(6);
    expect(await alice.api.convos.fork(input)).toEqual(fork);
  });

  it('without a message, of a conversation that has none, is refused', async () => {
    const first = await exchange(rooms, alice.id, question('Soon gone'));
    const { conversationId } = first.convo;
    await alice.api.messages.prune({ conversationId, messageId: first.request.messageId });
    await expect(alice.api.convos.fork({ conversationId, forkId: randomUUID() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('goes its own way', async () => {
    const first = await exchange(rooms, alice.id, question('My name is Alice.'));
    const { conversationId } = first.convo;
    const forkId = randomUUID();
    const fork = await alice.api.convos.fork({ conversationId, messageId: first.reply.messageId, forkId });
    const [, reply] = await alice.api.messages.list({ conversationId: fork.conversationId });
    if (!reply) throw new Error('The copy has no reply');
    await exchange(rooms, alice.id, followUp('And mine?', { convo: fork, reply }));
    const asked = rooms.provider.requests.find(({ body }) => JSON.stringify(body ?? null).includes('And mine?'));
    expect(asked?.body).toMatchObject({ messages: [{ content: 'My name is Alice.' }, {}, { content: 'And mine?' }] });
    expect(await alice.api.messages.list({ conversationId })).toEqual([first.request, first.reply]);
    await alice.api.convos.remove({ conversationId });
    expect(await alice.api.messages.list({ conversationId: fork.conversationId })).toHaveLength(4);
  });

  it('asked for twice is one', async () => {
    const first = await exchange(rooms, alice.id, question('Twice'));
    const { conversationId } = first.convo;
    const input = { conversationId, messageId: first.reply.messageId, forkId: randomUUID() };
    const [one, two] = await Promise.all([alice.api.convos.fork(input), alice.api.convos.fork(input)]);
    expect(two).toEqual(one);
    expect(await alice.api.messages.list({ conversationId: one.conversationId })).toHaveLength(2);
    const other = { ...input, messageId: first.request.messageId };
    await expect(alice.api.convos.fork(other)).rejects.toMatchObject({ code: 'CONFLICT' });
    await alice.api.convos.remove({ conversationId: one.conversationId });
    await expect(alice.api.convos.fork(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of an answer that is being written is refused, of the question is not', async () => {
    const input = question('Writing', { model: 'fake:never-ending' });
    const { request, reply } = await alice.api.messages.ask(input);
    const { conversationId } = input;
    const { messageId } = reply;
    await expect(alice.api.convos.fork({ conversationId, messageId, forkId: randomUUID() })).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    });
    const fork = await alice.api.convos.fork({ conversationId, messageId: request.messageId, forkId: randomUUID() });
    expect(await alice.api.messages.list({ conversationId: fork.conversationId })).toHaveLength(1);
    await alice.api.messages.abort({ generationId: input.generationId });
  });

  it('of 20,000 messages below each other is made', async () => {
    const plain = rooms.deps.db.sql;
    const conversationId = randomUUID();
    const ids = Array.from({ length: 20_000 }, () => randomUUID());
    await plain`insert into convos (user_id, id, endpoint, endpoint_type, change_seq)
      values (${alice.id}, ${conversationId}, 'openAI', 'openAI', 0)`;
    await plain`
      insert into messages (user_id, id, convo_id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts)
      select ${alice.id}, id, ${conversationId}, lag(id) over (order by place), place - 1, true, '', 'openAI', 'openAI', '[]'
      from unnest(${ids}::uuid[]) with ordinality as row (id, place) order by place`;
    const messageId = ids.at(-1) ?? '';
    const fork = await alice.api.convos.fork({ conversationId, messageId, forkId: randomUUID() });
    const copies = await rooms.deps.db.query
      .select({ id: messages.id, parentId: messages.parentId, depth: messages.depth })
      .from(messages)
      .where(eq(messages.convoId, fork.conversationId))
      .orderBy(messages.seq);
    expect(copies).toHaveLength(20_000);
    expect(copies.every(({ parentId, depth }, n) => depth === n && parentId === (copies[n - 1]?.id ?? null))).toBe(
      true,
    );
  }, 60_000);

  it("of bob's is not found", async () => {
    const first = await exchange(rooms, alice.id, question('Private'));
    const { conversationId } = first.convo;
    const input = { conversationId, messageId: first.reply.messageId, forkId: randomUUID() };
    await expect(bob.api.convos.fork(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const his = await exchange(rooms, bob.id, question('His'));
    const mixed = { ...input, conversationId: his.convo.conversationId };
    await expect(bob.api.convos.fork(mixed)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['Talk', 'Talk (2)'],
    ['Talk (2)', 'Talk (3)'],
    ['Talk (99)', 'Talk (100)'],
    ['(2)', '(2) (2)'],
    ['2001', '2001 (2)'],
    ['x'.repeat(255), `${'x'.repeat(251)} (2)`],
  ])('of "%s" is called "%s"', (title, copy) => {
    expect(titleOfCopy(title)).toBe(copy);
  });
});

async function textsOf(conversationId: string): Promise<string[]> {
  return (await alice.api.messages.list({ conversationId })).map(textOf);
}
