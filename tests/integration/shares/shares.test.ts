// Links to copies of conversations: who may read them, what they hold, and when they end.
import { randomUUID } from 'node:crypto';
import { deletions } from '@parley/db/tables/deletions';
import { shares } from '@parley/db/tables/shares';
import { users } from '@parley/db/tables/users';
import type { FinalEvent } from '@parley/schema/generation/events';
import { createCaller, type Api } from '@parley/server/router';
import { sweepShares } from '@parley/server/shares/shares';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
let visitor: Api;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'fake:echo,gpt-4,fake:plain,fake:usage,fake:no-usage' });
  alice = await services.as('alice');
  bob = await services.as('bob');
  visitor = visitorOf(services);
});
afterAll(() => services.close());

const GONE = { cause: { reason: { type: 'not_found', what: 'share' } } };

function visitorOf({ deps }: TestServices): Api {
  return createCaller({ deps, http: null, socket: null, token: null, signedIn: null });
}

/** An exchange, and one that follows it. */
async function talk(text: string): Promise<{ first: FinalEvent; second: FinalEvent; conversationId: string }> {
  const first = await exchange(services, alice.id, question(text));
  const { conversationId } = first.convo;
  const second = await goOn(first, 'And then?');
  return { first, second, conversationId };
}

function goOn({ convo, reply }: FinalEvent, text: string): Promise<FinalEvent> {
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: reply.messageId, text };
  return exchange(services, alice.id, question('', { conversationId: convo.conversationId, target }));
}

/** A question to three models at once, with the ids of it and of the answers. */
async function askSideBySide(
  text: string,
  conversationId: string = randomUUID(),
  parentMessageId: string | null = null,
) {
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId, text } as const;
  const asks = ['fake:plain', 'fake:usage', 'fake:no-usage'].map((model) => {
    const ids = { generationId: randomUUID(), replyId: randomUUID() };
    return { ...ids, endpoint: 'openAI', model, settings: {}, target };
  });
  await alice.api.messages.askMany({ conversationId, asks });
  for (const { generationId } of asks) await readAll(services, alice.id, generationId);
  return { conversationId, question: target.messageId, replies: asks.map(({ replyId }) => replyId) };
}

function followAlone(conversationId: string, parentMessageId: string, text: string): Promise<FinalEvent> {
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId, text };
  return exchange(services, alice.id, question('', { conversationId, target }));
}

async function textsOf(id: string): Promise<string[]> {
  const { thread } = await visitor.shares.read({ id });
  return thread.messages.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''));
}

describe('a link', () => {
  it.each(['', 'cut-off', 'x'.repeat(23), 'no share of 22 signs ', '\0'.repeat(22)])(
    'that is malformed (%j) is one that is not there',
    async (id) => {
      await expect(visitor.shares.read({ id })).rejects.toMatchObject(GONE);
      await expect(alice.api.shares.copy({ id })).rejects.toMatchObject(GONE);
    },
  );

  it('shows the branch to everybody, as it was, until its owner updates it', async () => {
    const { first, second, conversationId } = await talk('Herons');
    const leafId = first.reply.messageId;
    const target = { kind: 'regenerate' as const, parentMessageId: first.request?.messageId ?? '' };
    await exchange(services, alice.id, question('', { conversationId, target }));
    const share = await alice.api.shares.create({ conversationId, leafId: second.reply.messageId });
    expect(share).toMatchObject({ conversationId, isWhole: false, showsName: false, expiresAt: null });
    expect(share.id).toMatch(/^[\w-]{22}$/);
    expect(await textsOf(share.id)).toHaveLength(4);
    await goOn(second, 'One more');
    expect(await textsOf(share.id)).toHaveLength(4);
    await alice.api.shares.update({ id: share.id });
    expect(await textsOf(share.id)).toHaveLength(6);
    const whole = await alice.api.shares.create({ conversationId, leafId: null });
    expect(await textsOf(whole.id)).toHaveLength(7);
    const early = await alice.api.shares.create({ conversationId, leafId });
    expect(await textsOf(early.id), 'the branch to its newest message').toHaveLength(6);
  });

  it('shows all answers that stand side by side, whichever is on screen, and a branch beside them alone', async () => {
    const models = ['fake:plain', 'fake:usage', 'fake:no-usage'];
    const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'To all of you' } as const;
    const ids = () => ({ generationId: randomUUID(), replyId: randomUUID() });
    const asks = models.map((model) => ({ ...ids(), endpoint: 'openAI', model, settings: {}, target }));
    const conversationId = randomUUID();
    await alice.api.messages.askMany({ conversationId, asks });
    for (const { generationId } of asks) await readAll(services, alice.id, generationId);
    const alone = { ...ids(), target: { kind: 'regenerate' as const, parentMessageId: target.messageId } };
    const elsewhere = await exchange(services, alice.id, question('', { conversationId, ...alone, keepsModel: true }));
    for (const { replyId } of asks) {
      const { id } = await alice.api.shares.create({ conversationId, leafId: replyId });
      const { thread } = await visitor.shares.read({ id });
      expect(thread.messages.map(({ model, parentMessageId }) => [model, parentMessageId])).toEqual([
        [expect.anything(), null],
        ...models.map((model) => [model, '1']),
      ]);
    }
    const { id } = await alice.api.shares.create({ conversationId, leafId: elsewhere.reply.messageId });
    expect(await textsOf(id)).toHaveLength(2);

    // A further question to each stands below its own answer.
    const follows = asks.map(({ model, replyId: parentMessageId }) => {
      const below = { ...target, messageId: randomUUID(), parentMessageId, text: 'And then?' };
      return { ...ids(), endpoint: 'openAI', model, settings: {}, target: below };
    });
    await alice.api.messages.askMany({ conversationId, asks: follows });
    for (const { generationId } of follows) await readAll(services, alice.id, generationId);
    const share = await alice.api.shares.create({ conversationId, leafId: follows[1]?.replyId ?? '' });
    expect(await textsOf(share.id)).toHaveLength(1 + 3 + 3 + 3);
  });

  it('of answers side by side keeps showing all of them after one was chosen, each with what follows it', async () => {
    const { conversationId, question: asked, replies } = await askSideBySide('Which of you?');
    const [first = '', second = '', third = ''] = replies;
    const { id } = await alice.api.shares.create({ conversationId, leafId: second });
    const shown = await textsOf(id);
    expect(shown).toHaveLength(4);
    await alice.api.compare.goOn({ conversationId, replyId: first });
    await alice.api.shares.update({ id });
    expect(await textsOf(id), 'nothing was added').toEqual(shown);

    const { reply } = await followAlone(conversationId, first, 'More of this');
    await alice.api.shares.update({ id });
    expect(await textsOf(id), 'the chosen one goes on').toHaveLength(4 + 2);
    await alice.api.shares.update({ id });
    expect(await textsOf(id), 'a second update').toHaveLength(4 + 2);

    // A link of the chosen branch is one of that branch, and stays one.
    const chosen = await alice.api.shares.create({ conversationId, leafId: reply.messageId });
    expect(await textsOf(chosen.id)).toHaveLength(4);
    await followAlone(conversationId, reply.messageId, 'And more');
    await alice.api.shares.update({ id: chosen.id });
    expect(await textsOf(chosen.id)).toHaveLength(6);

    // An answer that its owner deletes leaves the link, the one on screen when it was made included.
    for (const messageId of [second, third]) await alice.api.messages.remove({ conversationId, messageId });
    await alice.api.shares.update({ id });
    expect(await textsOf(id)).toHaveLength(6);
    expect(await alice.api.messages.list({ conversationId })).toHaveLength(6);
    expect(asked).not.toBe(first);
  });

  it('of answers side by side shows those that stand there now, also one that was asked again', async () => {
    const { conversationId, question: asked, replies } = await askSideBySide('Again?');
    const [first = '', ...others] = replies;
    const { id } = await alice.api.shares.create({ conversationId, leafId: first });
    const again = { generationId: randomUUID(), replyId: randomUUID() };
    const target = { kind: 'regenerate' as const, parentMessageId: asked };
    await exchange(services, alice.id, question('', { ...again, conversationId, target, column: 0 }));
    const { columns } = await alice.api.convos.byId({ conversationId });
    expect(columns?.map(({ replyId }) => replyId)).toEqual([again.replyId, ...others]);
    await alice.api.shares.update({ id });
    expect(await textsOf(id)).toHaveLength(4);
    await alice.api.compare.goOn({ conversationId, replyId: others[0] ?? '' });
    await alice.api.shares.update({ id });
    expect(await textsOf(id), 'after the choice').toHaveLength(4);
  });

  it('of answers side by side adds those that one of them is followed by', async () => {
    const { conversationId, replies } = await askSideBySide('First round');
    const { id } = await alice.api.shares.create({ conversationId, leafId: replies[0] ?? '' });
    await alice.api.compare.goOn({ conversationId, replyId: replies[1] ?? '' });
    const below = await askSideBySide('Second round', conversationId, replies[1]);
    await alice.api.shares.update({ id });
    expect(await textsOf(id)).toHaveLength(4 + 4);
    await alice.api.compare.goOn({ conversationId, replyId: below.replies[2] ?? '' });
    await alice.api.shares.update({ id });
    expect(await textsOf(id)).toHaveLength(4 + 4);
  });

  it('tells nothing beside the texts: no ids, no person, no costs, no settings', async () => {
    const file = await keepTestFile(services.deps, alice.id, { text: 'a secret paper' });
    const target = {
      kind: 'send' as const,
      messageId: randomUUID(),
      parentMessageId: null,
      text: `Read ![it](/images/${alice.id}/a.png)`,
      files: [file.id],
    };
    const asked = question('', { target });
    const { convo, reply, request } = await exchange(services, alice.id, {
      ...asked,
      settings: { promptPrefix: 'Mention no geese' },
    });
    const { id } = await alice.api.shares.create({ conversationId: convo.conversationId, leafId: null });
    const page = await visitor.shares.read({ id });
    expect(page.name).toBeNull();
    const text = JSON.stringify(page);
    const secrets = [alice.id, convo.conversationId, reply.messageId, request?.messageId, reply.generationId, file.id];
    for (const secret of [...secrets, 'Mention no geese', 'alice', 'usage', 'tokenCount'])
      expect(text).not.toContain(secret);
    const shown = { n: 1, mime: file.mime, bytes: file.bytes };
    expect(page.thread.messages[0]?.parts).toContainEqual({ type: 'file', name: file.name, file: shown });
    const named = await alice.api.shares.create({
      conversationId: convo.conversationId,
      leafId: null,
      showsName: true,
    });
    expect((await visitor.shares.read({ id: named.id })).name).toBe('alice');
  });

  it('is listed, changed and ended by its owner alone', async () => {
    const { conversationId } = await talk('Mine');
    const { id } = await alice.api.shares.create({ conversationId, leafId: null, days: 7 });
    expect(await alice.api.shares.list({ conversationId })).toMatchObject([{ id, isWhole: true }]);
    expect(await bob.api.shares.list()).toEqual([]);
    await expect(bob.api.shares.update({ id })).rejects.toMatchObject(GONE);
    await bob.api.shares.revoke({ id });
    await bob.api.shares.revokeAll();
    await expect(bob.api.shares.create({ conversationId, leafId: null })).rejects.toThrow();
    expect(await textsOf(id)).toHaveLength(4);
    await alice.api.shares.revoke({ id });
    await expect(visitor.shares.read({ id })).rejects.toMatchObject(GONE);
    const again = await alice.api.shares.create({ conversationId, leafId: null });
    await alice.api.shares.revokeAll();
    await expect(visitor.shares.read({ id: again.id })).rejects.toMatchObject(GONE);
    await expect(visitor.shares.list()).rejects.toThrow();
  });

  it('ends with its time, with its conversation, and while its owner is banned or leaves', async () => {
    const { conversationId } = await talk('Ends');
    const { id } = await alice.api.shares.create({ conversationId, leafId: null, days: 1 });
    const { query } = services.deps.db;
    const ended = () => expect(visitor.shares.read({ id })).rejects.toMatchObject(GONE);

    for (const column of ['bannedUntil', 'deletionDueAt'] as const) {
      await query
        .update(users)
        .set({ [column]: sql`now() + interval '1 day'` })
        .where(eq(users.id, alice.id));
      await ended();
      await query
        .update(users)
        .set({ [column]: null })
        .where(eq(users.id, alice.id));
      expect(await textsOf(id)).toHaveLength(4);
    }

    const { deletionId } = await alice.api.convos.remove({ conversationId });
    await ended();
    await sweepShares(services.deps);
    await alice.api.convos.restore({ deletionId: deletionId ?? '' });
    expect(await textsOf(id)).toHaveLength(4);

    await query
      .update(shares)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(shares.id, id));
    await ended();
    expect(await alice.api.shares.list()).toEqual([]);
    await sweepShares(services.deps);
    expect(await query.$count(shares, eq(shares.id, id))).toBe(0);
    await query.delete(deletions);
  });

  it('is for signed-in people alone where the operator says so', async () => {
    const { conversationId } = await talk('Members only');
    const { id } = await alice.api.shares.create({ conversationId, leafId: null });
    const { config } = services.deps;
    const accounts = { ...config.accounts, publicSharedLinks: false };
    const deps = { ...services.deps, config: { ...config, accounts } };
    const reason = { type: 'unauthorized' };
    await expect(visitorOf({ ...services, deps }).shares.read({ id })).rejects.toMatchObject({ cause: { reason } });
    const signedIn = { userId: bob.id, sid: bob.id };
    const reader = createCaller({ deps, http: null, socket: null, token: null, signedIn });
    expect((await reader.shares.read({ id })).thread.messages).toHaveLength(4);
  });

  it('is off where the operator says so, also those made before', async () => {
    const { conversationId } = await talk('Off');
    const { id } = await alice.api.shares.create({ conversationId, leafId: null });
    const { config } = services.deps;
    const accounts = { ...config.accounts, allowSharedLinks: false };
    const off = { ...services, deps: { ...services.deps, config: { ...config, accounts } } };
    await expect(visitorOf(off).shares.read({ id })).rejects.toMatchObject(GONE);
  });
});

describe('a copy of a shared conversation', () => {
  it('is made once for each person, and goes on as their own', async () => {
    const { conversationId } = await talk('To be continued');
    const { id } = await alice.api.shares.create({ conversationId, leafId: null });
    const { missing, ...copy } = await bob.api.shares.copy({ id });
    expect(missing).toEqual([]);
    expect(copy.conversationId).not.toBe(conversationId);
    const messages = await bob.api.messages.list(copy);
    expect(messages.map(({ isCreatedByUser }) => isCreatedByUser)).toEqual([true, false, true, false]);
    expect(await bob.api.shares.copy({ id })).toEqual({ ...copy, missing: [] });
    expect((await bob.api.convos.list({})).convos.map((convo) => convo.conversationId)).toContain(copy.conversationId);
    await expect(alice.api.messages.list(copy)).rejects.toThrow();
    const parentMessageId = messages.at(-1)?.messageId ?? null;
    const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId, text: 'My turn' };
    const { reply } = await exchange(services, bob.id, question('', { ...copy, target }));
    expect(reply.reason).toBeNull();
  });

  it('cannot be made of what is not shared', async () => {
    await expect(bob.api.shares.copy({ id: 'x'.repeat(22) })).rejects.toMatchObject(GONE);
  });
});
