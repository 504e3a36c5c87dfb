import { randomUUID } from 'node:crypto';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { textOf, type Message } from '@parley/schema/messages';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';
import { another } from './asks.ts';

let rooms: TestRooms;
let alice: Person;

beforeAll(async () => {
  rooms = await openTestRooms();
  alice = await rooms.as('alice');
});
afterAll(() => rooms.close());

describe('a deleted message', () => {
  it('leaves what hung below it to its parent, and comes back between them', async () => {
    const first = await exchange(rooms, alice.id, question('One'));
    const second = await exchange(rooms, alice.id, followUp('Two', first));
    const place = { conversationId: first.convo.conversationId };
    const before = await list(place);
    const { deletionId } = await alice.api.messages.remove({ ...place, messageId: first.reply.messageId });
    expect(shapeOf(await list(place))).toEqual([
      [first.request.messageId, null],
      [second.request.messageId, first.request.messageId],
      [second.reply.messageId, second.request.messageId],
    ]);
    expect(await alice.api.convos.restore({ deletionId })).toEqual({
      kind: 'message',
      conversationIds: [place.conversationId],
      count: 1,
    });
    expect(shapeOf(await list(place))).toEqual(shapeOf(before));
    expect(await depthsOf(place)).toEqual([0, 1, 2, 3]);
  });

  it('may be the root: then there are several', async () => {
    const first = await exchange(rooms, alice.id, question('Root'));
    const second = await exchange(rooms, alice.id, another(first));
    const place = { conversationId: first.convo.conversationId };
    const { deletionId } = await alice.api.messages.remove({ ...place, messageId: first.request.messageId });
    expect(shapeOf(await list(place))).toEqual([
      [first.reply.messageId, null],
      [second.reply.messageId, null],
    ]);
    await alice.api.convos.restore({ deletionId });
    expect(shapeOf(await list(place))).toEqual([
      [first.request.messageId, null],
      [first.reply.messageId, first.request.messageId],
      [second.reply.messageId, first.request.messageId],
    ]);
  });

  it('comes back in its place whatever else was deleted and came back meanwhile', async () => {
    const chain = await insertChain(6);
    const place = { conversationId: chain.convoId };
    const before = shapeOf(await list(place));
    const remove = async (n: number) =>
      (await alice.api.messages.remove({ ...place, messageId: chain.ids[n] ?? '' })).deletionId;
    const [third, second, fourth] = [await remove(2), await remove(1), await remove(3)];
    expect(shapeOf(await list(place))).toEqual([
      [chain.ids[0], null],
      [chain.ids[4], chain.ids[0]],
      [chain.ids[5], chain.ids[4]],
    ]);
    for (const deletionId of [second, fourth, third]) await alice.api.convos.restore({ deletionId });
    expect(shapeOf(await list(place))).toEqual(before);
    expect(await depthsOf(place)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('is not there for anything any more', async () => {
    const first = await exchange(rooms, alice.id, question('Nowhere'));
    const place = { conversationId: first.convo.conversationId, messageId: first.reply.messageId };
    await alice.api.messages.remove(place);
    await expect(alice.api.messages.remove(place)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(alice.api.messages.prune(place)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(alice.api.messages.edit({ ...place, text: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(alice.api.messages.ask(followUp('Below?', first))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(alice.api.convos.fork({ ...place, forkId: randomUUID() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is what the model is not told', async () => {
    const first = await exchange(rooms, alice.id, question('A secret'));
    const { conversationId } = first.convo;
    await alice.api.messages.remove({ conversationId, messageId: first.request.messageId });
    await exchange(rooms, alice.id, followUp('What did I say?', first));
    const asked = await rooms.provider.waitForRequest(
      ({ body }) => JSON.stringify(body ?? null).includes('What did I say?'),
      5000,
    );
    expect(asked.body).toMatchObject({ messages: [{ role: 'assistant' }, { role: 'user' }] });
  });

  it('is numbered as a change of its messages, and so is its coming back', async () => {
    const first = await exchange(rooms, alice.id, question('Numbered'));
    const place = { conversationId: first.convo.conversationId };
    const seqs = [await seqOf(place)];
    const { deletionId } = await alice.api.messages.remove({ ...place, messageId: first.reply.messageId });
    seqs.push(await seqOf(place));
    await alice.api.convos.restore({ deletionId });
    seqs.push(await seqOf(place));
    await alice.api.messages.edit({ ...place, messageId: first.request.messageId, text: 'Other words' });
    seqs.push(await seqOf(place));
    await alice.api.convos.rename({ ...place, title: 'No change of messages' });
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
    expect(seqs).toHaveLength(4);
    expect(await seqOf(place)).toBe(seqs[3]);
  });
});

describe('a branch', () => {
  it('goes with all below it, and comes back whole', async () => {
    const first = await exchange(rooms, alice.id, question('Trunk'));
    const left = await exchange(rooms, alice.id, followUp('Left', first));
    await exchange(rooms, alice.id, followUp('Further left', left));
    const right = await exchange(rooms, alice.id, followUp('Right', first));
    const place = { conversationId: first.convo.conversationId };
    const before = await list(place);
    const { deletionId, count } = await alice.api.messages.prune({ ...place, messageId: left.request.messageId });
    expect(count).toBe(4);
    expect(await list(place)).toEqual([first.request, first.reply, right.request, right.reply]);
    expect((await alice.api.convos.bin({})).deletions[0]).toMatchObject({
      deletionId,
      kind: 'branch',
      conversationId: place.conversationId,
      label: 'Left',
      count: 4,
    });
    expect(await alice.api.convos.restore({ deletionId })).toMatchObject({ kind: 'branch', count: 4 });
    expect(await list(place)).toEqual(before);
  });

  it('of 20,000 messages below each other goes and comes back', async () => {
    const chain = await insertChain(20_000);
    const place = { conversationId: chain.convoId };
    const top = chain.ids[1] ?? '';
    const pruned = await alice.api.messages.prune({ ...place, messageId: top });
    expect(pruned.count).toBe(19_999);
    expect(await list(place)).toHaveLength(1);
    await alice.api.convos.restore({ deletionId: pruned.deletionId });
    const removed = await alice.api.messages.remove({ ...place, messageId: top });
    const depths = await depthsOf(place);
    expect([depths.length, depths.at(-1)]).toEqual([19_999, 19_998]);
    await alice.api.convos.restore({ deletionId: removed.deletionId });
    expect((await depthsOf(place)).at(-1)).toBe(19_999);
  }, 60_000);

  it('keeps apart from what was deleted of it before', async () => {
    const chain = await insertChain(4);
    const place = { conversationId: chain.convoId };
    const [, second = '', third = ''] = chain.ids;
    const one = await alice.api.messages.remove({ ...place, messageId: third });
    const branch = await alice.api.messages.prune({ ...place, messageId: second });
    expect(branch.count).toBe(2);
    await alice.api.convos.restore({ deletionId: branch.deletionId });
    expect(shapeOf(await list(place)).map(([id]) => id)).not.toContain(third);
    await alice.api.convos.restore({ deletionId: one.deletionId });
    expect(shapeOf(await list(place))).toEqual(chain.ids.map((id, n) => [id, n === 0 ? null : chain.ids[n - 1]]));
  });
});

describe('while an answer is being written', () => {
  it('neither it nor its question nor a branch with it is deleted; what stands elsewhere is', async () => {
    const first = await exchange(rooms, alice.id, question('Before'));
    const input = followUp('Go on', first, { model: 'fake:never-ending' });
    const { request, reply } = await alice.api.messages.ask(input);
    const place = { conversationId: first.convo.conversationId };
    const busy = { code: 'TOO_MANY_REQUESTS' };
    for (const { messageId } of [request, reply]) {
      await expect(alice.api.messages.remove({ ...place, messageId })).rejects.toMatchObject(busy);
      await expect(alice.api.messages.prune({ ...place, messageId })).rejects.toMatchObject(busy);
    }
    const root = { ...place, messageId: first.request.messageId };
    await expect(alice.api.messages.prune(root)).rejects.toMatchObject(busy);
    await expect(alice.api.messages.edit({ ...place, messageId: reply.messageId, text: 'x' })).rejects.toMatchObject(
      busy,
    );
    await alice.api.messages.edit({ ...root, text: 'Before all' });
    await alice.api.messages.remove(root);
    const final = await alice.api.messages.abort({ generationId: input.generationId });
    expect(final?.reply).toMatchObject({ finishReason: 'incomplete' });
    await alice.api.messages.prune({ ...place, messageId: request.messageId });
    expect(shapeOf(await list(place))).toEqual([[first.reply.messageId, null]]);
  });

  it('by a process that died, it is settled and then deleted', async () => {
    const input = question('Dead', { model: 'fake:silent' });
    const { reply } = await alice.api.messages.ask(input);
    const place = { conversationId: input.conversationId, messageId: reply.messageId };
    await abandon(input.generationId);
    await alice.api.messages.remove(place);
    expect(await list(place)).toHaveLength(1);
    expect((await convoOf(place)).running).toBeNull();
  });
});

describe('a message with another text', () => {
  it('says so, and has its tokens counted again', async () => {
    const first = await exchange(rooms, alice.id, question('helo wrld'));
    const place = { conversationId: first.convo.conversationId, messageId: first.request.messageId };
    const edited = await alice.api.messages.edit({ ...place, text: 'hello\u0000 world' });
    expect(edited).toMatchObject({ isEdited: true, messageId: place.messageId, seq: first.request.seq });
    expect(textOf(edited)).toBe('hello world');
    expect((await list(place))[0]).toEqual(edited);
    expect(await tokensOf(place.messageId)).toBe(2);
    expect((await convoOf(place)).updatedAt).toBe(first.convo.updatedAt);
  });

  it('keeps what it said beside its text', async () => {
    const first = await exchange(rooms, alice.id, question('Think', { model: 'fake:reasoning' }));
    const place = { conversationId: first.convo.conversationId, messageId: first.reply.messageId };
    const edited = await alice.api.messages.edit({ ...place, text: 'Shorter' });
    expect(edited.parts).toEqual([first.reply.parts[0], { type: 'text', text: 'Shorter' }]);
    expect(edited).toMatchObject({ isEdited: true, usage: first.reply.usage });
  });

  it('has one text part however many it had, and gets one when it had none', async () => {
    const tool = {
      type: 'tool_call' as const,
      call: { id: 'c', kind: 'function' as const, name: 'f', input: '', output: null, progress: 1 },
    };
    const first = await exchange(rooms, alice.id, question('Parts'));
    const place = { conversationId: first.convo.conversationId, messageId: first.reply.messageId };
    const texts = ['a', 'b'].map((text) => ({ type: 'text' as const, text }));
    await setParts(place.messageId, [tool, ...texts]);
    expect((await alice.api.messages.edit({ ...place, text: 'One' })).parts).toEqual([
      tool,
      { type: 'text', text: 'One' },
    ]);
    await setParts(place.messageId, [tool]);
    expect((await alice.api.messages.edit({ ...place, text: 'Two' })).parts).toEqual([
      tool,
      { type: 'text', text: 'Two' },
    ]);
  });

  it('is refused without a text, where the endpoint allows none, and in a deleted conversation', async () => {
    const first = await exchange(rooms, alice.id, question('Keep me'));
    const place = { conversationId: first.convo.conversationId, messageId: first.request.messageId };
    await expect(alice.api.messages.edit({ ...place, text: ' \u0000 ' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await rooms.deps.db.query
      .update(messages)
      .set({ endpointType: 'assistants' })
      .where(eq(messages.id, place.messageId));
    await expect(alice.api.messages.edit({ ...place, text: 'x' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await alice.api.convos.remove({ conversationId: place.conversationId });
    await expect(
      alice.api.messages.edit({ ...place, messageId: first.reply.messageId, text: 'x' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

function list({ conversationId }: { conversationId: string }): Promise<Message[]> {
  return alice.api.messages.list({ conversationId });
}

async function seqOf(place: { conversationId: string }): Promise<number> {
  return (await convoOf(place)).messagesSeq;
}

function convoOf({ conversationId }: { conversationId: string }) {
  return alice.api.convos.byId({ conversationId });
}

/** Each message with its parent, oldest first. */
function shapeOf(thread: readonly Message[]) {
  return thread.map(({ messageId, parentMessageId }) => [messageId, parentMessageId]);
}

async function depthsOf({ conversationId }: { conversationId: string }): Promise<number[]> {
  const rows = await rooms.deps.db.query
    .select({ depth: messages.depth })
    .from(messages)
    .where(and(eq(messages.convoId, conversationId), sql`${messages.deletedAt} is null`))
    .orderBy(messages.seq);
  return rows.map(({ depth }) => depth);
}

async function tokensOf(id: string) {
  const [row] = await rooms.deps.db.query.select().from(messages).where(eq(messages.id, id));
  return row?.tokenCount;
}

async function setParts(id: string, parts: Message['parts']): Promise<void> {
  await rooms.deps.db.query.update(messages).set({ parts }).where(eq(messages.id, id));
}

/** Takes a run from its living process, as if its lease had ended long ago. */
async function abandon(generationId: string): Promise<void> {
  const { query } = rooms.deps.db;
  await query.update(generations).set({ owner: randomUUID() }).where(eq(generations.id, generationId));
  await expect.poll(() => rooms.provider.openStreams(), { timeout: 5000 }).toBe(0);
  const leaseUntil = sql`now() - interval '1 second'`;
  await query.update(generations).set({ leaseUntil }).where(eq(generations.id, generationId));
}

/** A conversation of so many messages below each other. */
async function insertChain(count: number) {
  const convoId = randomUUID();
  const ids = Array.from({ length: count }, () => randomUUID());
  const plain = rooms.deps.db.sql;
  await plain`insert into convos (user_id, id, endpoint, endpoint_type, change_seq)
    values (${alice.id}, ${convoId}, 'openAI', 'openAI', 0)`;
  await plain`
    insert into messages (user_id, id, convo_id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts)
    select ${alice.id}, id, ${convoId}, lag(id) over (order by place), place - 1, place % 2 = 1, '', 'openAI', 'openAI', '[]'
    from unnest(${ids}::uuid[]) with ordinality as row (id, place) order by place`;
  return { convoId, ids };
}
