import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { files } from '@parley/db/tables/files';
import { messages } from '@parley/db/tables/messages';
import { users } from '@parley/db/tables/users';
import { exchangeIdsOf, QUEUED_MAX } from '@parley/schema/chat/queue';
import { messageText } from '@parley/schema/messages/messages';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { presentAttachment } from '@parley/server/files/present';
import { sweepFiles } from '@parley/server/files/sweep';
import { sendDueQuestions } from '@parley/server/queue/send-due';
import { sweepTrash } from '@parley/server/trash/sweep';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { follow } from '../convos/follow.ts';

const ASKED = { endpoint: 'openAI', model: 'gpt-4' };

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

describe('a question that waits', () => {
  it('is listed in order, changed, taken out, and the other browsers are notified', async () => {
    const conversationId = await startConvo();
    const [first, second] = [randomUUID(), randomUUID()];
    const feed = await follow(services, alice.id);
    await alice.api.queue.add({ id: first, conversationId, text: 'First' });
    await alice.api.queue.add({ id: second, conversationId, text: 'Second' });
    await alice.api.queue.add({ id: first, conversationId, text: 'Sent again' });
    await alice.api.queue.edit({ id: second, text: 'Second, changed' });
    expect(await listOf(conversationId)).toEqual([
      { id: first, conversationId, text: 'First', files: [] },
      { id: second, conversationId, text: 'Second, changed', files: [] },
    ]);
    await feed.until((change) => change.type === 'queue');
    await alice.api.queue.remove({ id: first });
    await alice.api.queue.remove({ id: first });
    expect((await listOf(conversationId)).map(({ id }) => id)).toEqual([second]);
    await expect(alice.api.queue.edit({ id: first, text: 'Too late' })).rejects.toThrow();
  });

  it('is asked once, however many browsers send it', async () => {
    const conversationId = await startConvo();
    const id = randomUUID();
    await alice.api.queue.add({ id, conversationId, text: 'Ask me once' });
    const parentMessageId = (await alice.api.messages.list({ conversationId })).at(-1)?.messageId ?? null;
    const ask = () =>
      alice.api.messages.ask({
        ...exchangeIdsOf(id),
        conversationId,
        endpoint: 'openAI',
        model: 'gpt-4',
        target: { kind: 'send', messageId: id, parentMessageId, text: 'Ask me once' },
      });
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(other?.request.messageId).toBe(one?.request.messageId);
    await expect.poll(async () => (await alice.api.convos.byId({ conversationId })).running).toBeNull();
    expect((await ask()).reply.messageId).toBe(exchangeIdsOf(id).replyId);
    const thread = await alice.api.messages.list({ conversationId });
    expect(thread.filter((message) => messageText(message) === 'Ask me once')).toHaveLength(1);
  });

  it('goes below the answers of those before it, from a page that has not seen them, and stays in its branch', async () => {
    const conversationId = await startConvo();
    const elder = await newestOf(conversationId);
    const ask = async (id: string, parentMessageId: string, hasWaited = true) => {
      const target = { kind: 'send', messageId: id, parentMessageId, text: 'Next', hasWaited } as const;
      const { request } = await alice.api.messages.ask({ ...exchangeIdsOf(id), conversationId, ...ASKED, target });
      await expectIdle(conversationId);
      return request.parentMessageId;
    };
    const sibling = randomUUID();
    await ask(sibling, elder, false);
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of [first, second, third]) await alice.api.queue.add({ id, conversationId, text: 'Next' });
    expect(await ask(first, elder)).toBe(elder);
    const isHere = and(eq(convos.userId, alice.id), eq(convos.id, conversationId));
    const { query } = services.deps.db;
    await query.update(convos).set({ running: randomUUID() }).where(isHere);
    await expect(ask(second, elder)).rejects.toMatchObject({ cause: { reason: { type: 'conflict' } } });
    await query.update(convos).set({ running: null }).where(isHere);
    expect(await ask(second, elder)).toBe(exchangeIdsOf(first).replyId);
    expect(await ask(third, exchangeIdsOf(sibling).replyId)).toBe(exchangeIdsOf(sibling).replyId);
  });

  it('keeps its files, and goes with its conversation', async () => {
    const conversationId = await startConvo();
    const file = presentAttachment(await keepTestFile(services.deps, alice.id));
    const isFile = and(eq(files.userId, alice.id), eq(files.id, file.fileId));
    await services.deps.db.query
      .update(files)
      .set({ expiresAt: sql`now() - interval '1 hour'` })
      .where(isFile);
    await alice.api.queue.add({ id: randomUUID(), conversationId, text: '', files: [file] });
    const { db, stores } = services.deps;
    const arrivals = arrivalsFolder(services.deps.config);
    await sweepFiles({ db, stores, arrivals, onFault: (error) => expect.unreachable(String(error)) });
    expect(await db.query.select().from(files).where(isFile)).toHaveLength(1);
    await alice.api.convos.remove({ conversationId });
    await db.query
      .update(convos)
      .set({ deletedAt: sql`now() - interval '8 days'` })
      .where(eq(convos.id, conversationId));
    await sweepTrash(db);
    expect(await listOf(conversationId)).toEqual([]);
  });

  it('belongs to its user', async () => {
    const conversationId = await startConvo();
    const id = randomUUID();
    await alice.api.queue.add({ id, conversationId, text: 'Mine' });
    await expect(bob.api.queue.add({ id: randomUUID(), conversationId, text: 'Not mine' })).rejects.toThrow();
    await expect(bob.api.queue.edit({ id, text: 'Taken' })).rejects.toThrow();
    await bob.api.queue.remove({ id });
    expect(await bob.api.queue.list()).toEqual([]);
    expect((await listOf(conversationId)).map(({ text }) => text)).toEqual(['Mine']);
  });

  it('is one of few', async () => {
    const conversationId = await startConvo();
    const add = () => alice.api.queue.add({ id: randomUUID(), conversationId, text: 'One more' });
    for (let n = 0; n < QUEUED_MAX; n++) await add();
    await expect(add()).rejects.toMatchObject({ cause: { reason: { text: 'At most 20 questions can wait' } } });
    expect(await listOf(conversationId)).toHaveLength(QUEUED_MAX);
    await expect(alice.api.queue.add({ id: randomUUID(), conversationId, text: ' ' })).rejects.toThrow();
  });
});

describe('a question whose reply has ended, with no page that sends it', () => {
  it('is sent by one of the servers, with what it was asked with, and then the next one', async () => {
    const conversationId = await startConvo();
    const parentId = await newestOf(conversationId);
    const [first, second] = [randomUUID(), randomUUID()];
    const target = { endpoint: 'openAI', model: 'gpt-3.5-turbo', settings: { temperature: 0.3 } };
    await alice.api.queue.add({ id: first, conversationId, text: 'First in line', target });
    await alice.api.queue.add({ id: second, conversationId, text: 'Second in line' });
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    expect((await listOf(conversationId)).map(({ id }) => id)).toEqual([second]);
    await expectIdle(conversationId);
    const [, , question, answer] = await alice.api.messages.list({ conversationId });
    expect(question).toMatchObject({ messageId: first, parentMessageId: parentId });
    expect(answer).toMatchObject({ messageId: exchangeIdsOf(first).replyId, model: 'gpt-3.5-turbo' });
    expect((await alice.api.convos.byId({ conversationId })).settings).toMatchObject({ temperature: 0.3 });
    await sendDue();
    await expectIdle(conversationId);
    expect(await questionsOf(conversationId)).toEqual(['Hello', 'First in line', 'Second in line']);
    expect(await listOf(conversationId)).toEqual([]);
  });

  it('asks another model once where the question says so, and the conversation keeps its own', async () => {
    const conversationId = await startConvo();
    const id = randomUUID();
    const keeps = { endpoint: 'openAI', model: 'gpt-4', settings: { temperature: 0.2 } };
    const once = { endpoint: 'openAI', model: 'gpt-3.5-turbo', settings: { temperature: 0.7 } };
    const target = { ...once, keeps, name: 'The quick one' };
    await alice.api.queue.add({ id, conversationId, text: 'Only this one', target });
    expect(await listOf(conversationId)).toEqual([
      { id, conversationId, text: 'Only this one', files: [], once: { ...once, name: 'The quick one' } },
    ]);
    await alice.api.queue.edit({ id, text: 'Only this one, changed' });
    expect((await listOf(conversationId))[0]).toMatchObject({ text: 'Only this one, changed', once });
    await sendDue();
    await expectIdle(conversationId);
    const answer = (await alice.api.messages.list({ conversationId })).at(-1);
    expect(answer).toMatchObject({ messageId: exchangeIdsOf(id).replyId, model: 'gpt-3.5-turbo' });
    expect(await alice.api.convos.byId({ conversationId })).toMatchObject(keeps);
    const nobody = { ...target, keeps: { ...keeps, settings: 'none' } };
    const bad = { id: randomUUID(), conversationId, text: 'Bad', target: nobody };
    await expect(alice.api.queue.add(bad as never)).rejects.toThrow();
  });

  it('waits while the reply runs, for the pages first, and while one of them holds it', async () => {
    const conversationId = await startConvo();
    const id = randomUUID();
    await alice.api.queue.add({ id, conversationId, text: 'Not yet' });
    await sendDue(60_000);
    await alice.api.queue.hold({ conversationId, isHeld: true });
    await sendDue();
    await alice.api.queue.hold({ conversationId, isHeld: false });
    await services.deps.db.query
      .update(convos)
      .set({ running: randomUUID() })
      .where(and(eq(convos.userId, alice.id), eq(convos.id, conversationId)));
    await sendDue();
    expect(await questionsOf(conversationId)).toEqual(['Hello']);
    expect((await listOf(conversationId)).map((one) => one.id)).toEqual([id]);
  });

  it.each([
    ['stopped', { finishReason: 'incomplete' }],
    ['failed', { reason: { type: 'provider_broke_off' } }],
    ['broken off', { unfinished: true }],
    ['waiting for a decision', { finishReason: 'tool_calls' }],
  ] as const)('waits for its person when the answer before it is %s', async (_, end) => {
    const conversationId = await startConvo();
    await services.deps.db.query
      .update(messages)
      .set(end)
      .where(and(eq(messages.userId, alice.id), eq(messages.id, await newestOf(conversationId))));
    await alice.api.queue.add({ id: randomUUID(), conversationId, text: 'Held back' });
    await sendDue();
    expect(await questionsOf(conversationId)).toEqual(['Hello']);
    expect(await listOf(conversationId)).toHaveLength(1);
  });

  it('waits while its person is banned or leaves', async () => {
    const conversationId = await startConvo();
    const { query } = services.deps.db;
    const mine = eq(users.id, alice.id);
    await alice.api.queue.add({ id: randomUUID(), conversationId, text: 'Held back' });
    await query.update(users).set({ bannedUntil: 'infinity' }).where(mine);
    await sendDue();
    await query.update(users).set({ bannedUntil: null, deletionDueAt: 'infinity' }).where(mine);
    await sendDue();
    await query.update(users).set({ deletionDueAt: null }).where(mine);
    expect(await questionsOf(conversationId)).toEqual(['Hello']);
  });

  it('stays in the list when it is refused for long, and is not tried again', async () => {
    const conversationId = await startConvo();
    const target = { endpoint: 'nowhere', settings: {} };
    await alice.api.queue.add({ id: randomUUID(), conversationId, text: 'To nobody', target });
    await sendDue();
    await sendDue();
    expect(await questionsOf(conversationId)).toEqual(['Hello']);
    expect(await listOf(conversationId)).toHaveLength(1);
  });

  it('is shown as refused where a limit refuses it, and the next one waits', async () => {
    const limited = await openTestServices({ LIMIT_MESSAGE_USER: 'true', MESSAGE_USER_MAX: '1' });
    try {
      const { api } = await limited.as('carol');
      const conversationId = await startConvo(api);
      for (const text of ['Too many', 'Held back']) await api.queue.add({ id: randomUUID(), conversationId, text });
      const { db, askService } = limited.deps;
      for (let n = 0; n < 3; n++) await sendDueQuestions({ db, askService, graceMs: 0 });
      const thread = await api.messages.list({ conversationId });
      expect(thread.at(-1)).toMatchObject({ reason: { type: 'message_limit' } });
      expect(thread).toHaveLength(4);
      expect((await api.queue.list()).map(({ text }) => text)).toEqual(['Held back']);
    } finally {
      await limited.close();
    }
  });
});

function sendDue(graceMs = 0): Promise<void> {
  const { db, askService } = services.deps;
  return sendDueQuestions({ db, askService, graceMs });
}

async function newestOf(conversationId: string): Promise<string> {
  return (await alice.api.messages.list({ conversationId })).at(-1)?.messageId ?? '';
}

async function questionsOf(conversationId: string): Promise<string[]> {
  const thread = await alice.api.messages.list({ conversationId });
  return thread.filter((message) => message.isCreatedByUser).map((message) => messageText(message));
}

async function expectIdle(conversationId: string, api = alice.api): Promise<void> {
  await expect.poll(async () => (await api.convos.byId({ conversationId })).running).toBeNull();
}

async function listOf(conversationId: string) {
  return (await alice.api.queue.list()).filter((one) => one.conversationId === conversationId);
}

async function startConvo(api = alice.api): Promise<string> {
  const conversationId = randomUUID();
  await api.messages.ask({
    generationId: randomUUID(),
    replyId: randomUUID(),
    conversationId,
    endpoint: 'openAI',
    model: 'gpt-4',
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Hello' },
  });
  await expectIdle(conversationId, api);
  return conversationId;
}
