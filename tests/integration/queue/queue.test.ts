import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { files } from '@parley/db/tables/files';
import { exchangeIdsOf, QUEUED_MAX } from '@parley/schema/chat/queue';
import { textOf } from '@parley/schema/messages/messages';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { presentAttachment } from '@parley/server/files/present';
import { sweepFiles } from '@parley/server/files/sweep';
import { sweepTrash } from '@parley/server/trash/sweep';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { follow } from '../convos/follow.ts';

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
  it('is listed in order, changed, taken out, and the other browsers are told', async () => {
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
    expect(thread.filter((message) => textOf(message) === 'Ask me once')).toHaveLength(1);
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

async function listOf(conversationId: string) {
  return (await alice.api.queue.list()).filter((one) => one.conversationId === conversationId);
}

async function startConvo(): Promise<string> {
  const conversationId = randomUUID();
  await alice.api.messages.ask({
    generationId: randomUUID(),
    replyId: randomUUID(),
    conversationId,
    endpoint: 'openAI',
    model: 'gpt-4',
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Hello' },
  });
  await expect.poll(async () => (await alice.api.convos.byId({ conversationId })).running).toBeNull();
  return conversationId;
}
