import { randomUUID } from 'node:crypto';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { withServices } from '../../support/services.ts';
import { another } from '../chat/asks.ts';
import { threadLength } from '../../support/extent.ts';

const given = withServices();

describe('a deleted message', () => {
  it('leaves its children to its parent, and is restored between them', async () => {
    const first = await exchange(given.services, given.alice.id, question('One'));
    const second = await exchange(given.services, given.alice.id, followUp('Two', first));
    const convoRef = { conversationId: first.convo.conversationId };
    const before = await list(convoRef);
    const { deletionId } = await given.alice.api.messages.remove({ ...convoRef, messageId: first.reply.messageId });
    expect(shapeOf(await list(convoRef))).toEqual([
      [first.request.messageId, null],
      [second.request.messageId, first.request.messageId],
      [second.reply.messageId, second.request.messageId],
    ]);
    expect(await given.alice.api.convos.restore({ deletionId })).toEqual({
      kind: 'message',
      conversationIds: [convoRef.conversationId],
      count: 1,
    });
    expect(shapeOf(await list(convoRef))).toEqual(shapeOf(before));
    expect(await depthsOf(convoRef)).toEqual([0, 1, 2, 3]);
  });

  it('may be the root, which leaves several roots', async () => {
    const first = await exchange(given.services, given.alice.id, question('Root'));
    const second = await exchange(given.services, given.alice.id, another(first));
    const convoRef = { conversationId: first.convo.conversationId };
    const { deletionId } = await given.alice.api.messages.remove({ ...convoRef, messageId: first.request.messageId });
    expect(shapeOf(await list(convoRef))).toEqual([
      [first.reply.messageId, null],
      [second.reply.messageId, null],
    ]);
    await given.alice.api.convos.restore({ deletionId });
    expect(shapeOf(await list(convoRef))).toEqual([
      [first.request.messageId, null],
      [first.reply.messageId, first.request.messageId],
      [second.reply.messageId, first.request.messageId],
    ]);
  });

  it('is restored to its position whatever else was deleted and restored meanwhile', async () => {
    const chain = await insertChain(6);
    const convoRef = { conversationId: chain.convoId };
    const before = shapeOf(await list(convoRef));
    const remove = async (n: number) =>
      (await given.alice.api.messages.remove({ ...convoRef, messageId: chain.ids[n] ?? '' })).deletionId;
    const [third, second, fourth] = [await remove(2), await remove(1), await remove(3)];
    expect(shapeOf(await list(convoRef))).toEqual([
      [chain.ids[0], null],
      [chain.ids[4], chain.ids[0]],
      [chain.ids[5], chain.ids[4]],
    ]);
    for (const deletionId of [second, fourth, third]) await given.alice.api.convos.restore({ deletionId });
    expect(shapeOf(await list(convoRef))).toEqual(before);
    expect(await depthsOf(convoRef)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('is hidden from every procedure', async () => {
    const first = await exchange(given.services, given.alice.id, question('Nowhere'));
    const messageRef = { conversationId: first.convo.conversationId, messageId: first.reply.messageId };
    await given.alice.api.messages.remove(messageRef);
    await expect(given.alice.api.messages.remove(messageRef)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(given.alice.api.messages.prune(messageRef)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(given.alice.api.messages.edit({ ...messageRef, text: 'x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(given.alice.api.messages.ask(followUp('Below?', first))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(given.alice.api.convos.fork({ ...messageRef, forkId: randomUUID() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is not sent to the model', async () => {
    const first = await exchange(given.services, given.alice.id, question('A secret'));
    const { conversationId } = first.convo;
    await given.alice.api.messages.remove({ conversationId, messageId: first.request.messageId });
    await exchange(given.services, given.alice.id, followUp('What did I say?', first));
    const asked = await given.services.provider.waitForRequest(({ body }) =>
      JSON.stringify(body ?? null).includes('What did I say?'),
    );
    expect(asked.body).toMatchObject({ messages: [{ role: 'assistant' }, { role: 'user' }] });
  });

  it('is numbered as a change of its messages, as is its restoration', async () => {
    const first = await exchange(given.services, given.alice.id, question('Numbered'));
    const convoRef = { conversationId: first.convo.conversationId };
    const seqs = [await seqOf(convoRef)];
    const { deletionId } = await given.alice.api.messages.remove({ ...convoRef, messageId: first.reply.messageId });
    seqs.push(await seqOf(convoRef));
    await given.alice.api.convos.restore({ deletionId });
    seqs.push(await seqOf(convoRef));
    await given.alice.api.messages.edit({ ...convoRef, messageId: first.request.messageId, text: 'Other words' });
    seqs.push(await seqOf(convoRef));
    await given.alice.api.convos.rename({ ...convoRef, title: 'No change of messages' });
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
    expect(seqs).toHaveLength(4);
    expect(await seqOf(convoRef)).toBe(seqs[3]);
  });
});

describe('a branch', () => {
  it('is deleted with all messages below, and restored whole', async () => {
    const first = await exchange(given.services, given.alice.id, question('Trunk'));
    const left = await exchange(given.services, given.alice.id, followUp('Left', first));
    await exchange(given.services, given.alice.id, followUp('Further left', left));
    const right = await exchange(given.services, given.alice.id, followUp('Right', first));
    const convoRef = { conversationId: first.convo.conversationId };
    const before = await list(convoRef);
    const { deletionId, count } = await given.alice.api.messages.prune({
      ...convoRef,
      messageId: left.request.messageId,
    });
    expect(count).toBe(4);
    expect(await list(convoRef)).toEqual([first.request, first.reply, right.request, right.reply]);
    expect((await given.alice.api.convos.trash({})).deletions[0]).toMatchObject({
      deletionId,
      kind: 'branch',
      conversationId: convoRef.conversationId,
      label: 'Left',
      count: 4,
    });
    expect(await given.alice.api.convos.restore({ deletionId })).toMatchObject({ kind: 'branch', count: 4 });
    expect(await list(convoRef)).toEqual(before);
  });

  it('is deleted and restored with thousands of nested messages', async () => {
    const chain = await insertChain(threadLength);
    const convoRef = { conversationId: chain.convoId };
    const top = chain.ids[1] ?? '';
    const pruned = await given.alice.api.messages.prune({ ...convoRef, messageId: top });
    expect(pruned.count).toBe(threadLength - 1);
    expect(await list(convoRef)).toHaveLength(1);
    await given.alice.api.convos.restore({ deletionId: pruned.deletionId });
    const removed = await given.alice.api.messages.remove({ ...convoRef, messageId: top });
    const depths = await depthsOf(convoRef);
    expect([depths.length, depths.at(-1)]).toEqual([threadLength - 1, threadLength - 2]);
    await given.alice.api.convos.restore({ deletionId: removed.deletionId });
    expect((await depthsOf(convoRef)).at(-1)).toBe(threadLength - 1);
  });

  it('stays apart from earlier deletions in it', async () => {
    const chain = await insertChain(4);
    const convoRef = { conversationId: chain.convoId };
    const [, second = '', third = ''] = chain.ids;
    const one = await given.alice.api.messages.remove({ ...convoRef, messageId: third });
    const branch = await given.alice.api.messages.prune({ ...convoRef, messageId: second });
    expect(branch.count).toBe(2);
    await given.alice.api.convos.restore({ deletionId: branch.deletionId });
    expect(shapeOf(await list(convoRef)).map(([id]) => id)).not.toContain(third);
    await given.alice.api.convos.restore({ deletionId: one.deletionId });
    expect(shapeOf(await list(convoRef))).toEqual(chain.ids.map((id, n) => [id, n === 0 ? null : chain.ids[n - 1]]));
  });
});

describe('while an answer is being written', () => {
  it('neither it, nor its question, nor a branch with it can be deleted; other messages can', async () => {
    const first = await exchange(given.services, given.alice.id, question('Before'));
    const input = followUp('Go on', first, { model: 'fake:never-ending' });
    const { request, reply } = await given.alice.api.messages.ask(input);
    const convoRef = { conversationId: first.convo.conversationId };
    const busy = { code: 'TOO_MANY_REQUESTS' };
    for (const { messageId } of [request, reply]) {
      await expect(given.alice.api.messages.remove({ ...convoRef, messageId })).rejects.toMatchObject(busy);
      await expect(given.alice.api.messages.prune({ ...convoRef, messageId })).rejects.toMatchObject(busy);
    }
    const root = { ...convoRef, messageId: first.request.messageId };
    await expect(given.alice.api.messages.prune(root)).rejects.toMatchObject(busy);
    await expect(
      given.alice.api.messages.edit({ ...convoRef, messageId: reply.messageId, text: 'x' }),
    ).rejects.toMatchObject(busy);
    await given.alice.api.messages.edit({ ...root, text: 'Before all' });
    await given.alice.api.messages.remove(root);
    const final = await given.alice.api.messages.abort({ generationId: input.generationId });
    expect(final?.reply).toMatchObject({ finishReason: 'incomplete' });
    await given.alice.api.messages.prune({ ...convoRef, messageId: request.messageId });
    expect(shapeOf(await list(convoRef))).toEqual([[first.reply.messageId, null]]);
  });

  it("a dead process's answer is recovered and then deleted", async () => {
    const input = question('Dead', { model: 'fake:silent' });
    const { reply } = await given.alice.api.messages.ask(input);
    const messageRef = { conversationId: input.conversationId, messageId: reply.messageId };
    await abandon(input.generationId);
    await given.alice.api.messages.remove(messageRef);
    expect(await list(messageRef)).toHaveLength(1);
    expect((await convoOf(messageRef)).running).toBeNull();
  });
});

describe('editing the text of a message', () => {
  it('is recorded, and its tokens are counted again', async () => {
    const first = await exchange(given.services, given.alice.id, question('helo wrld'));
    const messageRef = { conversationId: first.convo.conversationId, messageId: first.request.messageId };
    const edited = await given.alice.api.messages.edit({ ...messageRef, text: 'hello\u0000 world' });
    expect(edited).toMatchObject({ isEdited: true, messageId: messageRef.messageId, seq: first.request.seq });
    expect(messageText(edited)).toBe('hello world');
    expect((await list(messageRef))[0]).toEqual(edited);
    expect(await tokensOf(messageRef.messageId)).toBe(2);
    expect((await convoOf(messageRef)).updatedAt).toBe(first.convo.updatedAt);
  });

  it('keeps its other parts', async () => {
    const first = await exchange(given.services, given.alice.id, question('Think', { model: 'fake:reasoning' }));
    const messageRef = { conversationId: first.convo.conversationId, messageId: first.reply.messageId };
    const edited = await given.alice.api.messages.edit({ ...messageRef, text: 'Shorter' });
    expect(edited.parts).toEqual([first.reply.parts[0], { type: 'text', text: 'Shorter' }]);
    expect(edited).toMatchObject({ isEdited: true, usage: first.reply.usage });
  });

  it('leaves exactly one text part', async () => {
    const tool = {
      type: 'tool_call' as const,
      call: { id: 'c', kind: 'function' as const, name: 'f', input: '', output: null, progress: 1 },
    };
    const first = await exchange(given.services, given.alice.id, question('Parts'));
    const messageRef = { conversationId: first.convo.conversationId, messageId: first.reply.messageId };
    const texts = ['a', 'b'].map((text) => ({ type: 'text' as const, text }));
    await setParts(messageRef.messageId, [tool, ...texts]);
    expect((await given.alice.api.messages.edit({ ...messageRef, text: 'One' })).parts).toEqual([
      tool,
      { type: 'text', text: 'One' },
    ]);
    await setParts(messageRef.messageId, [tool]);
    expect((await given.alice.api.messages.edit({ ...messageRef, text: 'Two' })).parts).toEqual([
      tool,
      { type: 'text', text: 'Two' },
    ]);
  });

  it('is refused without a text, where the endpoint allows no editing, and in a deleted conversation', async () => {
    const first = await exchange(given.services, given.alice.id, question('Keep me'));
    const messageRef = { conversationId: first.convo.conversationId, messageId: first.request.messageId };
    await expect(given.alice.api.messages.edit({ ...messageRef, text: ' \u0000 ' })).rejects.toMatchObject({
      message: 'invalid_input',
    });
    await given.services.deps.db.query
      .update(messages)
      .set({ endpointType: 'assistants' })
      .where(eq(messages.id, messageRef.messageId));
    await expect(given.alice.api.messages.edit({ ...messageRef, text: 'x' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await given.alice.api.convos.remove({ conversationId: messageRef.conversationId });
    await expect(
      given.alice.api.messages.edit({ ...messageRef, messageId: first.reply.messageId, text: 'x' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

function list({ conversationId }: { conversationId: string }): Promise<Message[]> {
  return given.alice.api.messages.list({ conversationId });
}

async function seqOf(convoRef: { conversationId: string }): Promise<number> {
  return (await convoOf(convoRef)).messagesSeq;
}

function convoOf({ conversationId }: { conversationId: string }) {
  return given.alice.api.convos.byId({ conversationId });
}

/** Each message with its parent, oldest first. */
function shapeOf(thread: readonly Message[]) {
  return thread.map(({ messageId, parentMessageId }) => [messageId, parentMessageId]);
}

async function depthsOf({ conversationId }: { conversationId: string }): Promise<number[]> {
  const rows = await given.services.deps.db.query
    .select({ depth: messages.depth })
    .from(messages)
    .where(and(eq(messages.convoId, conversationId), sql`${messages.deletedAt} is null`))
    .orderBy(messages.seq);
  return rows.map(({ depth }) => depth);
}

async function tokensOf(id: string) {
  const [row] = await given.services.deps.db.query.select().from(messages).where(eq(messages.id, id));
  return row?.tokenCount;
}

async function setParts(id: string, parts: Message['parts']): Promise<void> {
  await given.services.deps.db.query.update(messages).set({ parts }).where(eq(messages.id, id));
}

/** Takes a run from its living process, as if its lease had ended long ago. */
async function abandon(generationId: string): Promise<void> {
  const { query } = given.services.deps.db;
  await query.update(generations).set({ owner: randomUUID() }).where(eq(generations.id, generationId));
  await expect.poll(() => given.services.provider.openStreams()).toBe(0);
  const leaseUntil = sql`now() - interval '1 second'`;
  await query.update(generations).set({ leaseUntil }).where(eq(generations.id, generationId));
}

/** A conversation of so many messages below each other. */
async function insertChain(count: number) {
  const convoId = randomUUID();
  const ids = Array.from({ length: count }, () => randomUUID());
  const plain = given.services.deps.db.sql;
  await plain`insert into convos (user_id, id, endpoint, endpoint_type, change_seq)
    values (${given.alice.id}, ${convoId}, 'openAI', 'openAI', 0)`;
  await plain`
    insert into messages (user_id, id, convo_id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts)
    select ${given.alice.id}, id, ${convoId}, lag(id) over (order by position), position - 1, position % 2 = 1, '', 'openAI', 'openAI', '[]'
    from unnest(${ids}::uuid[]) with ordinality as row (id, position) order by position`;
  return { convoId, ids };
}
