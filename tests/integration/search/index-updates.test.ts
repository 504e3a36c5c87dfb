// What can be found follows what is written, in the transaction that writes it.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEndedIndexer } from '@parley/server/search/index-ended';
import { sweepWords } from '@parley/server/search/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question, untilIndexed } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { bracketed, find, groupsFor, write } from './library.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'fake:echo,fake:never-ending,gpt-4' });
  alice = await services.as('alice');
});
afterAll(() => services.close());

const sql = () => services.deps.db.sql;

describe('an exchange', () => {
  it('is found by its question and its answer soon after it has ended', async () => {
    const { convo, request, reply } = await exchange(services, alice.id, question('Tell me about xylophones'));
    await untilIndexed(services.deps.db);
    const [group] = await groupsFor(alice, 'xylophone');
    expect(group?.convo.conversationId).toBe(convo.conversationId);
    expect(group?.hits.map(({ messageId }) => messageId).toSorted()).toEqual(
      [request.messageId, reply.messageId].toSorted(),
    );
    await exchange(services, alice.id, followUp('And about zithers', { convo, reply }));
    await untilIndexed(services.deps.db);
    expect(await find(alice, 'zithers')).toEqual([convo.conversationId]);
  });

  it('is found by its question while the answer runs, and a fork made meanwhile is too', async () => {
    const prompt = await openTestServices({ OPENAI_MODELS: 'fake:never-ending' }, { indexQuestionMs: 0 });
    const slow = await openTestServices({ OPENAI_MODELS: 'fake:never-ending' }, { indexQuestionMs: 3_600_000 });
    try {
      const bob = await prompt.as('bob');
      const ask = question('Where is the ocarina?', { model: 'fake:never-ending' });
      await prompt.deps.askService.ask(bob.id, ask);
      while ((await find(bob, 'ocarina')).length === 0) await sleep(5);
      await prompt.deps.askService.stop(bob.id, ask.generationId);

      const carol = await slow.as('carol');
      const asked = question('Where is the bassoon?', { model: 'fake:never-ending' });
      const { request } = await slow.deps.askService.ask(carol.id, asked);
      const forkId = randomUUID();
      await carol.api.convos.fork({ conversationId: asked.conversationId, forkId, messageId: request.messageId });
      expect(await find(carol, 'bassoon')).toEqual([forkId]);
      await slow.deps.askService.stop(carol.id, asked.generationId);
      await untilIndexed(slow.deps.db);
      expect((await find(carol, 'bassoon')).toSorted()).toEqual([asked.conversationId, forkId].toSorted());
    } finally {
      await Promise.all([prompt.close(), slow.close()]);
    }
  });

  it('whose process died before its entries is found once another one looks', async () => {
    const { db } = services.deps;
    const holding = await db.sql.reserve();
    await holding`begin`;
    const { convo, reply, request } = await exchange(services, alice.id, question('Hear the didgeridoo'));
    // The entries wait for nobody who holds one of the messages.
    await holding`select from messages where id = ${reply.messageId} for update`;
    const indexer = createEndedIndexer(db, () => {});
    await indexer.run();
    await holding`commit`;
    holding.release();
    await indexer.run();
    await indexer.close();
    const [group] = await groupsFor(alice, 'didgeridoo');
    expect(group?.convo.conversationId).toBe(convo.conversationId);
    expect(group?.hits.map(({ messageId }) => messageId).toSorted()).toEqual(
      [request.messageId, reply.messageId].toSorted(),
    );
  });

  it('whose entries meet those of another process is written when these are there', async () => {
    const { db } = services.deps;
    const { reply } = await exchange(services, alice.id, question('Hear the theremin'));
    await untilIndexed(db);
    // In the place of two processes that wait for each other's words: a sequence counts what is rolled back, too.
    await db.sql.unsafe(`create sequence tries;
      create function deadlock_once() returns trigger language plpgsql as $$
        begin
          if nextval('tries') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
          return new;
        end $$;
      create trigger deadlock before insert on search_entries for each row execute function deadlock_once()`);
    // At once: the server of the test looks for such answers, too, and would find the entry that is there.
    await db.sql.begin(async (tx) => {
      await tx`delete from search_entries where id = ${reply.messageId}`;
      await tx`update generations set is_unindexed = true where reply_id = ${reply.messageId}`;
    });
    const faults: unknown[] = [];
    await createEndedIndexer(db, (fault) => faults.push(fault)).run();
    await untilIndexed(db);
    await db.sql.unsafe('drop function deadlock_once() cascade; drop sequence tries');
    expect(faults).toEqual([]);
    expect(await db.sql`select from search_entries where id = ${reply.messageId}`).toHaveLength(1);
  });

  it('of many texts that no dictionary holds is written in pieces', async () => {
    const { db } = services.deps;
    const hashes = () => Array.from({ length: 100 }, () => randomUUID()).join(' ');
    for (let n = 0; n < 3; n++) await exchange(services, alice.id, question(hashes()));
    await untilIndexed(db);
    const replies = await db.sql<{ id: string }[]>`
      update generations set is_unindexed = true
      where id in (select id from generations where user_id = ${alice.id} and kind = 'send'
        order by created_at desc limit 3)
      returning reply_id as id`;
    await db.sql`delete from search_entries where id = any(${replies.map(({ id }) => id)}::uuid[])`;
    const [first] = await db.sql<{ done: number }[]>`select search_put_ended(100) as done`;
    expect(first?.done).toBe(1);
    await createEndedIndexer(db, () => {}).run();
    const again = await db.sql`select from search_entries where id = any(${replies.map(({ id }) => id)}::uuid[])`;
    expect(again).toHaveLength(3);
  });

  it('writes no entry for an empty answer', async () => {
    const ask = question('Wait for the marimba', { model: 'fake:never-ending' });
    await services.deps.askService.ask(alice.id, ask);
    const rows = await sql()`select from search_entries where id = ${ask.replyId}`;
    expect(rows).toHaveLength(0);
    await services.deps.askService.stop(alice.id, ask.generationId);
  });
});

describe('the output of tools', () => {
  it('is found below the text of messages, also in a fork', async () => {
    const words = 'Compute it. [[calculate:271828 * 3]]';
    const { convo, reply } = await exchange(
      services,
      alice.id,
      question(words, { model: 'gpt-4', settings: { tools: ['calculator'] } }),
    );
    await untilIndexed(services.deps.db);
    const [group, ...others] = await groupsFor(alice, '815484');
    expect([group?.convo.conversationId, others]).toEqual([convo.conversationId, []]);
    expect(group?.hits.map(({ messageId, snippet }) => [messageId, bracketed(snippet)])).toEqual([
      [reply.messageId, expect.stringContaining('[815484]')],
    ]);
    const older = await write(services, alice, { texts: ['It was 815484.'], at: '2024-01-01T00:00:00Z' });
    expect(await find(alice, '815484')).toEqual([older.conversationId, convo.conversationId]);
    const fork = await alice.api.convos.fork({ conversationId: convo.conversationId, forkId: randomUUID() });
    expect(await find(alice, '815484')).toEqual([older.conversationId, fork.conversationId, convo.conversationId]);
  });
});

describe('a conversation', () => {
  it('is found by its newest title only', async () => {
    const { conversationId } = await write(services, alice, { title: 'Violins', texts: ['x'] });
    await alice.api.convos.rename({ conversationId, title: 'Violas' });
    expect(await find(alice, 'violas')).toEqual([conversationId]);
    expect(await find(alice, 'violins')).toEqual([]);
  });

  it('is not found while it is deleted, and found after it is restored', async () => {
    const { conversationId, messageIds } = await write(services, alice, {
      title: 'Trumpets',
      texts: ['a trumpet', 'it'],
    });
    const removed = await alice.api.convos.remove({ conversationId });
    expect(await find(alice, 'trumpet')).toEqual([]);
    await alice.api.convos.restore({ deletionId: removed.deletionId ?? '' });
    const [group] = await groupsFor(alice, 'trumpet');
    expect(group?.hits.map(({ messageId }) => messageId)).toEqual([messageIds[0]]);
  });

  it('is not found by a deleted message', async () => {
    const { conversationId, messageIds } = await write(services, alice, { texts: ['a bassoon', 'an oboe'] });
    await sql()`update messages set deleted_at = now() where id = ${messageIds[0] ?? ''}`;
    expect(await find(alice, 'bassoon')).toEqual([]);
    expect(await find(alice, 'oboe')).toEqual([conversationId]);
    await sql()`update messages set deleted_at = null where id = ${messageIds[0] ?? ''}`;
    expect(await find(alice, 'bassoon')).toEqual([conversationId]);
  });

  it('is found by the newest text of a message', async () => {
    const { conversationId, messageIds } = await write(services, alice, { texts: ['a tuba'] });
    const parts = [{ type: 'text', text: 'a trombone' }];
    await sql()`update messages set parts = ${sql().json(parts)} where id = ${messageIds[0] ?? ''}`;
    expect(await find(alice, 'tuba')).toEqual([]);
    expect(await find(alice, 'trombone')).toEqual([conversationId]);
  });
});

describe('words', () => {
  const knows = async (word: string) =>
    (await sql()`select from search_words where user_id = ${alice.id} and word = ${word}`).length > 0;

  it('are deleted when nothing uses them, and only then', async () => {
    const secret = `secret${randomUUID().slice(0, 8)}`;
    const gone = await write(services, alice, { title: secret, texts: [`my ${secret} clarinet`] });
    await write(services, alice, { texts: ['another clarinet'] });
    expect(await knows(secret)).toBe(true);
    await sql()`delete from convos where id = ${gone.conversationId}`;
    await sweepWords(services.deps.db);
    expect(await knows(secret)).toBe(false);
    expect(await knows('clarinet')).toBe(true);
    expect(await find(alice, 'larine')).toHaveLength(1);
    expect(await sql()`select from search_leftovers`).toHaveLength(0);
  });

  it('are deleted with their user', async () => {
    const carol = await services.as('carol');
    await write(services, carol, { title: 'Harps', texts: ['a harp'] });
    await sql()`delete from users where id = ${carol.id}`;
    expect(await sql()`select from search_words where user_id = ${carol.id}`).toHaveLength(0);
    expect(await sql()`select from search_entries where user_id = ${carol.id}`).toHaveLength(0);
  });
});

it('the backfill indexes messages from before the search', async () => {
  const { conversationId } = await write(services, alice, { title: 'Organs', texts: ['a pipe organ', '日本語'] });
  await sql()`truncate search_entries, search_words`;
  expect(await find(alice, 'organ')).toEqual([]);
  await sql()`select search_backfill()`;
  expect(await find(alice, 'rgan')).toEqual([conversationId]);
  expect(await find(alice, '本語')).toEqual([conversationId]);
});
