// What an existing client finds in a conversation after an ask in it was refused.
import { randomUUID } from 'node:crypto';
import { addCredits } from '@parley/server/billing/balances';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { generations } from '@parley/db/tables/generations';
import { limits } from '@parley/db/tables/limits';
import { messages } from '@parley/db/tables/messages';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAskedAbout } from '../../../support/exchange.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import {
  NO_PARENT,
  begin,
  createdOf,
  errorOf,
  finalOf,
  followUp,
  question,
  regenerate,
  send,
  signUp,
} from '../../../support/rest/client.ts';
import type { Client } from '../../../support/rest/client.ts';
import type { Final } from '../../../support/rest/client-rules.ts';

const ONE_A_DAY = { LIMIT_MESSAGE_USER: 'true', MESSAGE_USER_MAX: '1', MESSAGE_USER_WINDOW: '1440' };

const servers: TestServer[] = [];
let moderator: FakeProvider;

beforeAll(async () => {
  moderator = await startFakeProvider();
});
afterAll(() => moderator.close());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe('a refused question is saved with its refusal', () => {
  it('beyond the limit of a window, however often it is sent', async () => {
    const { alice, server } = await enter(ONE_A_DAY);
    const first = finalOf(await alice.ask(question('The first')));
    const body = followUp('The second', first);
    const before = await versionOf(alice);
    const refusals = [await alice.ask(body), await alice.ask(body)].map(failureOf);
    expect(await stored(alice, first)).toMatchObject([
      { text: 'The first' },
      { text: 'The first' },
      { messageId: body.messageId, text: 'The second', isCreatedByUser: true, error: false, unfinished: false },
      {
        messageId: refusals[0]?.messageId,
        parentMessageId: body.messageId,
        sender: refusals[0]?.sender,
        isCreatedByUser: false,
        error: true,
        unfinished: false,
        finish_reason: 'incomplete',
      },
    ]);
    const [kept] = (await stored(alice, first)).slice(-1);
    expect(kept).not.toHaveProperty('tokenCount');
    expect(JSON.parse(kept?.text ?? '')).toMatchObject({ type: 'message_limit', max: 1, date: kept?.updatedAt });
    const [, told] = refusals.map(({ text }) => JSON.parse(text));
    expect(JSON.parse(kept?.text ?? '')).toEqual({ ...told, date: kept?.updatedAt });
    expect(told.violation_count).toBeGreaterThan(told.prev_count);
    expect(await versionOf(alice)).toBeGreaterThan(before);
    expect(await server.db.query.$count(generations)).toBe(1);

    async function versionOf({ id }: Client): Promise<number> {
      const [row] = await server.db.query.select().from(users).where(eq(users.id, id));
      return row?.changeSeq ?? 0;
    }
  });

  it('during another run, beside an earlier refused one', async () => {
    const { alice } = await enter({ LIMIT_CONCURRENT_MESSAGES: 'true' });
    const first = finalOf(await alice.ask(question('The first')));
    const running = await begin(alice, question('Elsewhere', { model: 'fake:never-ending' }));
    const [left, right] = [followUp('Left', first), followUp('Right', first)];
    for (const body of [left, right])
      expect(JSON.parse(errorOf(await alice.ask(body)).text)).toMatchObject({ type: 'concurrent' });
    const thread = await stored(alice, first);
    expect(thread.slice(2)).toMatchObject([
      { text: 'Left', parentMessageId: first.responseMessage.messageId },
      { error: true, parentMessageId: left.messageId, text: expect.stringContaining('"concurrent"') },
      { text: 'Right', parentMessageId: first.responseMessage.messageId },
      { error: true, parentMessageId: right.messageId },
    ]);
    await alice.stop(running.created.conversationId);
    await running.rest();
  });

  it('and is answered in its place when the same ask is sent after the limit', async () => {
    const { alice, server } = await enter(ONE_A_DAY);
    const first = finalOf(await alice.ask(question('The first')));
    const body = followUp('Patience', first);
    const refused = failureOf(await alice.ask(body));
    await server.db.query.delete(limits);
    const final = finalOf(await alice.ask(body));
    expect(final.responseMessage).toMatchObject({ messageId: refused.messageId, text: 'Patience', error: false });
    expect(finalOf(await alice.ask(body))).toMatchObject({ responseMessage: final.responseMessage });
    expect((await stored(alice, first)).map(({ text }) => text)).toEqual([
      'The first',
      'The first',
      'Patience',
      'Patience',
    ]);
  });

  it('with an empty balance', async () => {
    const { alice, server } = await enter({ CHECK_BALANCE: 'true' });
    await addCredits(server.db, alice.id, 200);
    const first = finalOf(await alice.ask(question('The first')));
    const body = followUp('How much is this? '.repeat(20), first);
    expect(JSON.parse(errorOf(await alice.ask(body)).text)).toMatchObject({ type: 'token_balance' });
    const kept = (await stored(alice, first)).at(-1);
    expect(JSON.parse(kept?.text ?? '')).toMatchObject({ type: 'token_balance' });
    expect(kept).toMatchObject({ parentMessageId: body.messageId, error: true });
  });

  it('as a first question with an empty balance, whose conversation goes on once there are credits', async () => {
    const { alice, server } = await enter({ CHECK_BALANCE: 'true' });
    const body = question('How much is this?');
    const { messageId, conversationId } = failureOf(await alice.ask(body));
    const list = await send(server.url, 'GET', '/api/convos', undefined, alice.headers);
    expect(await list.json()).toMatchObject({ conversations: [{ conversationId }] });
    const thread = await alice.messages(conversationId ?? '');
    expect(thread).toMatchObject([
      { messageId: body.messageId, text: 'How much is this?' },
      { messageId, parentMessageId: body.messageId, error: true, text: expect.stringContaining('"token_balance"') },
    ]);
    expect(failureOf(await alice.ask({ ...body, conversationId }))).toMatchObject({ conversationId });
    await addCredits(server.db, alice.id, 100_000);
    const parentMessageId = messageId;
    const final = finalOf(await alice.ask({ ...question('And now?'), conversationId, parentMessageId }));
    expect(final.conversation).toMatchObject({ conversationId });
  });

  it('without a key', async () => {
    const { alice, server } = await enter({ OPENAI_API_KEY: 'user_provided', OPENAI_MODELS: 'fake:echo' });
    const value = JSON.stringify({ apiKey: 'sk-hers', baseURL: '' });
    await send(server.url, 'PUT', '/api/keys', { name: 'openAI', value }, alice.headers);
    const first = finalOf(await alice.ask(question('The first')));
    await send(server.url, 'DELETE', '/api/keys/openAI', undefined, alice.headers);
    const body = followUp('With which key?', first);
    expect(await alice.ask(body)).toHaveLength(1);
    expect((await stored(alice, first)).slice(2)).toMatchObject([
      { messageId: body.messageId, text: 'With which key?' },
      { text: '{"type":"no_user_key"}', error: true },
    ]);
  });

  it('when moderation flags it, and later requests leave it out', async () => {
    const { alice, server } = await enter({
      OPENAI_MODERATION: 'true',
      OPENAI_MODERATION_API_KEY: 'mod-1',
      OPENAI_MODERATION_REVERSE_PROXY: `${moderator.url}/v1/moderations`,
    });
    const first = finalOf(await alice.ask(question('The first')));
    const body = followUp('A [[flagged]] question', first);
    const { messageId } = failureOf(await alice.ask(body));
    const [asked, reply] = (await stored(alice, first)).slice(2);
    expect(asked).toMatchObject({ messageId: body.messageId, text: 'A [[flagged]] question' });
    expect(reply).toMatchObject({ messageId, text: '{"type":"moderation"}', error: true });
    const requestMessage = { ...first.requestMessage, messageId: body.messageId ?? '' };
    const again = await alice.ask(regenerate({ ...first, requestMessage }));
    expect(errorOf(again).text).toBe('{"type":"moderation"}');
    const parentMessageId = messageId;
    expect(finalOf(await alice.ask(followUp('And now?', first, { parentMessageId }))).responseMessage.text).toBe(
      'And now?',
    );
    expect(server.provider.requests.some(isAskedAbout('[[flagged]]'))).toBe(false);
    expect(server.provider.requests.findLast(isAskedAbout('And now?'))?.body).toMatchObject({
      messages: [{ content: 'The first' }, { content: 'The first' }, { content: 'And now?' }],
    });
  });
});

describe('a refused regeneration', () => {
  it('is saved below the question', async () => {
    const { alice } = await enter(ONE_A_DAY);
    const first = finalOf(await alice.ask(question('The first')));
    const { messageId } = failureOf(await alice.ask(regenerate(first)));
    const parentMessageId = first.requestMessage.messageId;
    expect((await stored(alice, first)).slice(2)).toMatchObject([{ messageId, parentMessageId, error: true }]);
  });

  it('is not saved when it was to continue an answer, which stays unchanged', async () => {
    const { alice } = await enter(ONE_A_DAY);
    const first = finalOf(await alice.ask(question('The first', { model: 'fake:length' })));
    const { messageId, text } = first.responseMessage;
    const goingOn = { responseMessageId: messageId, generation: text, isContinued: true };
    const frames = await alice.ask(regenerate(first, goingOn));
    expect(JSON.parse(errorOf(frames).text)).toMatchObject({ type: 'message_limit' });
    expect((await stored(alice, first)).slice(1)).toMatchObject([{ messageId, text, error: false }]);
  });
});

describe('no refusal is saved', () => {
  it('for a first question, or for a missing conversation or parent', async () => {
    const { alice, server } = await enter(ONE_A_DAY);
    const first = finalOf(await alice.ask(question('The first')));
    await server.db.query.delete(limits);
    const other = finalOf(await alice.ask(question('Another place')));
    const bob = await signUp(server.url, 'bob');
    const his = finalOf(await bob.ask(question('His own')));
    const parentMessageId = other.responseMessage.messageId;
    const { conversationId } = his.conversation;
    const inVain = [
      question('At the top of a new one'),
      question('At the top', { conversationId: first.conversation.conversationId }),
      followUp('Nowhere', first, { conversationId: randomUUID() }),
      followUp('In a strange one', first, { conversationId }),
      followUp('Below nothing', first, { parentMessageId: randomUUID() }),
      followUp('Below one of another conversation', first, { parentMessageId }),
    ];
    for (const body of inVain) {
      const frames = await alice.ask(body);
      expect(createdOf(frames).text).toBe(body.text);
      expect(JSON.parse(errorOf(frames).text)).toMatchObject({ type: 'message_limit' });
    }
    for (const one of [first, other]) expect(await stored(alice, one)).toHaveLength(2);
    expect(await stored(bob, his)).toHaveLength(2);
    expect(await alice.json('/api/convos')).toMatchObject({ conversations: [{}, {}] });
  });

  it('for a banned user or an invalid request', async () => {
    const { alice, server } = await enter({ BAN_VIOLATIONS: 'true', BAN_INTERVAL: '10' });
    const first = finalOf(await alice.ask(question('The first')));
    for (let n = 0; n < 2; n++) expect(await alice.ask(followUp('Hello', first, { model: 'gpt-9' }))).toHaveLength(1);
    const frames = await alice.ask(followUp('Hello', first));
    expect(errorOf(frames).text).toBe('{"type":"ban"}');
    expect(await server.db.query.$count(messages)).toBe(2);
  });
});

describe('regenerating a question that was not saved', () => {
  it('answers a first question in the conversation whose id the client got', async () => {
    const { alice, server } = await enter(ONE_A_DAY);
    await alice.ask(question('The first'));
    const body = question('In vain');
    const refused = await alice.ask(body);
    const { conversationId } = createdOf(refused);
    await server.db.query.delete(limits);
    const again = finalOf(await alice.ask(inItsName(body, { conversationId })));
    expect(again.conversation.conversationId).toBe(conversationId);
    expect(again.requestMessage).toMatchObject({ messageId: body.messageId, text: 'In vain' });
    expect(again.responseMessage.messageId).toBe(failureOf(refused).messageId);
    expect(await stored(alice, again)).toHaveLength(2);
  });

  it('selects an offered model when the client has no conversation yet', async () => {
    const { alice } = await enter({});
    const body = question('Hello', { model: 'gpt-9' });
    expect(await alice.ask(body)).toEqual([{ event: 'error', data: { text: expect.stringContaining('gpt-9') } }]);
    const again = finalOf(await alice.ask(inItsName(body, { model: 'fake:echo' })));
    expect(again.requestMessage).toMatchObject({ messageId: body.messageId, parentMessageId: NO_PARENT });
    const third = finalOf(await alice.ask(inItsName(body, { model: 'fake:echo' })));
    expect(third.conversation.conversationId).toBe(again.conversation.conversationId);
    expect(await stored(alice, again)).toHaveLength(3);
  });

  it('continues an existing conversation', async () => {
    const { alice } = await enter({});
    const first = finalOf(await alice.ask(question('The first')));
    const body = followUp('The second', first, { model: 'gpt-9' });
    await alice.ask(body);
    const again = finalOf(await alice.ask(inItsName(body, { model: 'fake:echo' })));
    expect(again.requestMessage).toMatchObject({
      messageId: body.messageId,
      parentMessageId: first.responseMessage.messageId,
    });
    expect(await stored(alice, first)).toHaveLength(4);
  });

  it('is refused when the question or its conversation was deleted', async () => {
    const { alice, server } = await enter({});
    const body = question('The first');
    const first = finalOf(await alice.ask(body));
    const { conversationId } = first.conversation;
    const path = `/api/messages/${conversationId}/${body.messageId}`;
    expect((await send(server.url, 'DELETE', path, undefined, alice.headers)).status).toBe(204);
    const refused = failureOf(await alice.ask(inItsName(body, { conversationId })));
    expect(refused).toMatchObject({ text: 'The message was not found.', sender: 'OpenAI', conversationId });
    await alice.post('/api/convos/clear', { arg: { conversationId } });
    for (const over of [{ conversationId }, {}])
      expect(failureOf(await alice.ask(inItsName(body, over))).text).toMatch(
        /^The (message|conversation) was not found\.$/,
      );
    expect(await alice.json('/api/convos')).toMatchObject({ conversations: [] });
  });
});

describe('a question below a first question that was not saved', () => {
  it('becomes the first question of the conversation whose id the client got, and later ones follow it', async () => {
    const { alice, server } = await enter(ONE_A_DAY);
    await alice.ask(question('The first'));
    const { conversationId, messageId } = failureOf(await alice.ask(question('In vain')));
    const below = (text: string, parentMessageId: string) =>
      alice.ask(question(text, { conversationId, parentMessageId }));
    const again = failureOf(await below('In vain again', messageId));
    expect(again.conversationId).toBe(conversationId);
    await server.db.query.delete(limits);
    const final = finalOf(await below('At last', again.messageId));
    expect(final.conversation.conversationId).toBe(conversationId);
    expect(final.requestMessage).toMatchObject({ text: 'At last', parentMessageId: NO_PARENT });
    await server.db.query.delete(limits);
    await below('And on', final.responseMessage.messageId);
    expect(await stored(alice, final)).toMatchObject([
      { text: 'At last' },
      {},
      { text: 'And on', parentMessageId: final.responseMessage.messageId },
      {},
    ]);
  });

  it('begins a conversation when the client got no id', async () => {
    const { alice } = await enter({});
    await alice.ask(question('Hello', { model: 'gpt-9' }));
    const final = finalOf(await alice.ask(question('Hello', { parentMessageId: randomUUID() })));
    expect(final.requestMessage.parentMessageId).toBe(NO_PARENT);
  });

  it('is not found in an existing or deleted conversation, and never reaches one of another user', async () => {
    const { alice, server } = await enter({});
    const bob = await signUp(server.url, 'bob');
    const his = finalOf(await bob.ask(question('Mine')));
    const kept = finalOf(await alice.ask(question('Kept')));
    const gone = finalOf(await alice.ask(question('Gone')));
    await alice.post('/api/convos/clear', { arg: { conversationId: gone.conversation.conversationId } });
    const below = ({ conversation: { conversationId } }: Final) =>
      alice.ask(question('Hello', { conversationId, parentMessageId: his.responseMessage.messageId }));
    for (const one of [kept, gone]) expect(errorOf(await below(one)).text).toContain('not found');
    expect(await stored(alice, kept)).toHaveLength(2);
    const own = finalOf(await below(his));
    expect(own.requestMessage).toMatchObject({ text: 'Hello', parentMessageId: NO_PARENT });
    expect(await stored(alice, own)).toMatchObject([{ text: 'Hello' }, { text: 'Hello' }]);
    expect(await stored(bob, his)).toMatchObject([{ text: 'Mine' }, { text: 'Mine' }]);
  });
});

describe('the sender of a refusal is the one of the answer', () => {
  const yaml = `
version: 1.0.7
endpoints:
  custom:
    - { name: Elsewhere, apiKey: fake, baseURL: '\${FAKE_PROVIDER}', modelDisplayLabel: Orakel, models: { default: ['fake:echo'] } }
`;

  it.each([
    ['openAI', { model: 'fake:echo', chatGptLabel: 'Kira' }, 'Kira'],
    ['openAI', { model: 'gpt-4' }, 'GPT-4'],
    ['custom', { endpoint: 'Elsewhere', endpointType: 'custom', model: 'fake:echo' }, 'Orakel'],
    ['custom', { endpoint: 'Elsewhere', endpointType: 'custom', model: 'fake:echo', chatGptLabel: 'Kira' }, 'Kira'],
  ])('%s with %j', async (path, over, sender) => {
    const { alice } = await enter(ONE_A_DAY, yaml);
    const first = finalOf(await alice.ask(question('The first', over), path));
    expect(first.responseMessage.sender).toBe(sender);
    expect(failureOf(await alice.ask(followUp('The second', first, over), path)).sender).toBe(sender);
    expect((await stored(alice, first)).at(-1)).toMatchObject({ error: true, sender });
  });
});

async function enter(env: Record<string, string>, yaml?: string) {
  const server = await startTestServer({ env: { TITLE_CONVO: 'false', ...env }, ...(yaml && { yaml }) });
  servers.push(server);
  return { server, alice: await signUp(server.url, 'alice') };
}

/** The body for another answer to a question, as a client sends it: with the id that it gave the question. */
function inItsName(body: ReturnType<typeof question>, over: object) {
  return { ...body, overrideParentMessageId: body.messageId, isRegenerate: true, ...over };
}

/** The failed reply that an ask was answered with. */
function failureOf(frames: Parameters<typeof errorOf>[0]) {
  const told = errorOf(frames);
  if (!('messageId' in told)) throw new Error(`Only told: ${told.text}`);
  return told;
}

/** The conversation of an exchange as the client reads it. */
function stored(client: Client, { conversation }: Final) {
  return client.messages(conversation.conversationId);
}
