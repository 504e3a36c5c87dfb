import { randomUUID } from 'node:crypto';
import { messages } from '@parley/db/tables/messages';
import { messageText } from '@parley/schema/messages/messages';
import { titleOfCopy } from '@parley/server/forks/fork';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question, untilIndexed } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { another } from '../chat/asks.ts';
import { insertThread } from '../context/long-thread.ts';
import { threadLength } from '../../support/extent.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

describe('a fork', () => {
  it('has the same tree when the branch takes several statements', async () => {
    const thread = { count: 1201, model: 'gpt-4', textAt: (n: number) => `Message ${n}` };
    const { all, convo } = await insertThread(services.deps.db, alice, thread);
    const { conversationId } = convo;
    const fork = await alice.api.convos.fork({ conversationId, forkId: randomUUID() });
    const copies = await alice.api.messages.list({ conversationId: fork.conversationId });
    expect(copies.map(messageText)).toEqual(all.map(messageText));
    const above = [null, ...copies.slice(0, -1).map(({ messageId }) => messageId)];
    expect(copies.map(({ parentMessageId }) => parentMessageId)).toEqual(above);
    const depths = await services.deps.db.query
      .select({ depth: messages.depth })
      .from(messages)
      .where(eq(messages.convoId, fork.conversationId))
      .orderBy(messages.seq);
    expect(depths.map(({ depth }) => depth)).toEqual(all.map((_, n) => n));
  });

  it("of a long branch doesn't block other changes of its user", async () => {
    const first = await exchange(services, alice.id, question('One'));
    const { conversationId } = first.convo;
    const forkId = randomUUID();
    let take = () => {};
    let release = () => {};
    const taken = new Promise<void>((resolve) => (take = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    // Its id is being taken: the fork waits in the middle of its transaction, as in a long copy.
    const blocking = services.deps.db.sql
      .begin(async (sql) => {
        await sql`insert into convos (user_id, id, endpoint, endpoint_type, change_seq)
          values (${alice.id}, ${forkId}, 'openAI', 'openAI', 0)`;
        take();
        await released;
        throw new Error('Take it back');
      })
      .catch(() => undefined);
    await taken;
    const forking = alice.api.convos.fork({ conversationId, forkId });
    await expect.poll(countWaiting).toBe(1);
    await alice.api.convos.rename({ conversationId, title: 'Renamed meanwhile' });
    expect(await countWaiting()).toBe(1);
    release();
    await blocking;
    expect((await forking).conversationId).toBe(forkId);
  });

  it('copies the search entries of the branch without reading its texts again', async () => {
    const { sql } = services.deps.db;
    const thread = { count: 40, model: 'gpt-4', textAt: (n: number) => `Penguin ${n}, ÉCOLE 日本語` };
    const { convo } = await insertThread(services.deps.db, alice, thread);
    const { conversationId } = convo;
    await sql.unsafe(`create sequence reads; alter function search_tokens(text) rename to search_tokens_in;
      create function search_tokens(folded text) returns text[] language plpgsql as
      $$ begin
        -- Titles and answers of other conversations may be read meanwhile.
        if folded like '%penguin%' then perform nextval('reads'); end if;
        return search_tokens_in(folded);
      end $$`);
    const fork = await alice.api.convos.fork({ conversationId, forkId: randomUUID() });
    const reads = await sql`select from reads where is_called`;
    await sql.unsafe(`drop function search_tokens(text); alter function search_tokens_in(text) rename to search_tokens;
      drop sequence reads`);
    expect(reads).toHaveLength(0);
    const entriesOf = (id: string) => sql`
      select e.body, e.words, e.written_at, e.seq = m.seq as fits, m.depth
      from messages m join search_entries e on e.user_id = m.user_id and e.id = m.id and not e.is_title
      where m.convo_id = ${id} and e.convo_id = m.convo_id order by m.seq`;
    const copied = await entriesOf(fork.conversationId);
    expect(copied).toHaveLength(40);
    expect(copied.every(({ fits }) => fits)).toBe(true);
    expect([...copied]).toEqual([...(await entriesOf(conversationId))]);
    const { groups } = await alice.api.convos.search({ query: 'penguin 39' });
    expect(groups.map((group) => group.convo.conversationId)).toContain(fork.conversationId);
    // Messages that are written afterward are read again.
    const reply = (await alice.api.messages.list({ conversationId: fork.conversationId })).at(-1);
    if (!reply) throw new Error('The fork is empty');
    await exchange(services, alice.id, followUp('A walrus', { convo: fork, reply }));
    await untilIndexed(services.deps.db);
    expect((await alice.api.convos.search({ query: 'walrus' })).groups).toHaveLength(1);
  });

  it('copies the branch that ends in the message, and nothing else', async () => {
    const first = await exchange(services, alice.id, question('One', { settings: { temperature: 0.5 } }));
    await exchange(services, alice.id, another(first));
    const second = await exchange(services, alice.id, followUp('Two', first, { model: 'fake:reasoning' }));
    await exchange(services, alice.id, followUp('Three', second));
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
    expect(copies.map(messageText)).toEqual(['One', 'One', 'Two', messageText(second.reply)]);
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

  it('copies the branch shown by default when it names no message', async () => {
    const first = await exchange(services, alice.id, question('One'));
    const older = await exchange(services, alice.id, followUp('Older', first));
    const newer = await exchange(services, alice.id, followUp('Newer', first));
    const last = await exchange(services, alice.id, followUp('Said last, below the older', older));
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

  it('is refused for an empty conversation when it names no message', async () => {
    const first = await exchange(services, alice.id, question('Soon gone'));
    const { conversationId } = first.convo;
    await alice.api.messages.prune({ conversationId, messageId: first.request.messageId });
    await expect(alice.api.convos.fork({ conversationId, forkId: randomUUID() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('changes independently', async () => {
    const first = await exchange(services, alice.id, question('My name is Alice.'));
    const { conversationId } = first.convo;
    const forkId = randomUUID();
    const fork = await alice.api.convos.fork({ conversationId, messageId: first.reply.messageId, forkId });
    const [, reply] = await alice.api.messages.list({ conversationId: fork.conversationId });
    if (!reply) throw new Error('The copy has no reply');
    await exchange(services, alice.id, followUp('And mine?', { convo: fork, reply }));
    const asked = services.provider.requests.find(({ body }) => JSON.stringify(body ?? null).includes('And mine?'));
    expect(asked?.body).toMatchObject({ messages: [{ content: 'My name is Alice.' }, {}, { content: 'And mine?' }] });
    expect(await alice.api.messages.list({ conversationId })).toEqual([first.request, first.reply]);
    await alice.api.convos.remove({ conversationId });
    expect(await alice.api.messages.list({ conversationId: fork.conversationId })).toHaveLength(4);
  });

  it('asked for twice is made once', async () => {
    const first = await exchange(services, alice.id, question('Twice'));
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

  it('is refused from a running answer, but not from its question', async () => {
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

  it('copies thousands of nested messages', async () => {
    const plain = services.deps.db.sql;
    const conversationId = randomUUID();
    const ids = Array.from({ length: threadLength }, () => randomUUID());
    await plain`insert into convos (user_id, id, endpoint, endpoint_type, change_seq)
      values (${alice.id}, ${conversationId}, 'openAI', 'openAI', 0)`;
    await plain`
      insert into messages (user_id, id, convo_id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts)
      select ${alice.id}, id, ${conversationId}, lag(id) over (order by position), position - 1, true, '', 'openAI', 'openAI', '[]'
      from unnest(${ids}::uuid[]) with ordinality as row (id, position) order by position`;
    const messageId = ids.at(-1) ?? '';
    const fork = await alice.api.convos.fork({ conversationId, messageId, forkId: randomUUID() });
    const copies = await services.deps.db.query
      .select({ id: messages.id, parentId: messages.parentId, depth: messages.depth })
      .from(messages)
      .where(eq(messages.convoId, fork.conversationId))
      .orderBy(messages.seq);
    expect(copies).toHaveLength(threadLength);
    expect(copies.every(({ parentId, depth }, n) => depth === n && parentId === (copies[n - 1]?.id ?? null))).toBe(
      true,
    );
  });

  it("of another user's conversation is not found", async () => {
    const first = await exchange(services, alice.id, question('Private'));
    const { conversationId } = first.convo;
    const input = { conversationId, messageId: first.reply.messageId, forkId: randomUUID() };
    await expect(bob.api.convos.fork(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const his = await exchange(services, bob.id, question('His'));
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

/** The number of transactions that wait for another one. */
async function countWaiting(): Promise<number> {
  const rows = await services.deps.db.sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
}

async function textsOf(conversationId: string): Promise<string[]> {
  return (await alice.api.messages.list({ conversationId })).map(messageText);
}
