import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Conversation } from '../../../support/rest/client-rules.ts';
import { begin, finalOf, followUp, question, signUp, send, type Client } from '../../../support/rest/client.ts';

const Page = z.strictObject({
  conversations: z.array(Conversation),
  pages: z.int(),
  pageNumber: z.int(),
  pageSize: z.int(),
});

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

const jsonOf = async (response: ReturnType<typeof send>): Promise<unknown> => (await response).json();

describe('the list', () => {
  it('is one empty page for a new user', async () => {
    expect(await alice.json('/api/convos')).toEqual({ conversations: [], pages: 1, pageNumber: 1, pageSize: 25 });
  });

  it('has 25 a page, newest first', async () => {
    const bob = await signUp(server.url, 'bob');
    const rows = Array.from({ length: 26 }, (_, n) => ({
      userId: bob.id,
      id: randomUUID(),
      title: `Talk ${n}`,
      endpoint: 'openAI',
      endpointType: 'openAI' as const,
      changeSeq: n,
      updatedAt: new Date(Date.UTC(2024, 0, 1 + n)).toISOString(),
    }));
    await server.db.query.insert(convos).values(rows);
    const first = Page.parse(await bob.json('/api/convos?pageNumber=1'));
    expect(first).toMatchObject({ pages: 2, pageNumber: 1, pageSize: 25 });
    expect(first.conversations.map(({ title }) => title)).toEqual(
      Array.from({ length: 25 }, (_, n) => `Talk ${25 - n}`),
    );
    const second = Page.parse(await bob.json('/api/convos?pageNumber=2'));
    expect(second.conversations.map(({ title }) => title)).toEqual(['Talk 0']);
    expect(Page.parse(await bob.json('/api/convos?pageNumber=3')).conversations).toEqual([]);
  });

  it('has archived ones in a list of their own, and only there', async () => {
    const carol = await signUp(server.url, 'carol');
    const [kept, archived] = await Promise.all([carol.ask(question('Kept')), carol.ask(question('Archived'))]);
    const idOf = (frames: typeof kept) => finalOf(frames).conversation.conversationId;
    const listed = async (query: string) =>
      Page.parse(await carol.json(`/api/convos?pageNumber=1${query}`)).conversations.map((one) => one.conversationId);
    const move = (isArchived: boolean) =>
      carol.post('/api/convos/update', { arg: { conversationId: idOf(archived), isArchived } });
    const moved = await move(true);
    expect(moved.status).toBe(201);
    expect(Conversation.parse(await moved.json())).toMatchObject({ conversationId: idOf(archived) });
    expect(await listed('&isArchived=true')).toEqual([idOf(archived)]);
    expect(await listed('')).toEqual([idOf(kept)]);
    expect(await listed('&isArchived=false')).toEqual([idOf(kept)]);
    await move(false);
    expect(await listed('&isArchived=true')).toEqual([]);
  });

  it.each(['0', '-1', 'x', '1.5', 'Infinity'])('has no page %s', async (n) => {
    const response = await alice.get(`/api/convos?pageNumber=${n}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'pageNumber: pageNumber must be a whole number from 1 on' });
  });
});

describe('one conversation', () => {
  it('has its settings beside its identity', async () => {
    const { conversation } = finalOf(await alice.ask(question('Hi', { temperature: 0.3, stop: ['END'] })));
    const shown = Conversation.parse(await alice.json(`/api/convos/${conversation.conversationId}`));
    expect(shown).toMatchObject({ conversationId: conversation.conversationId, temperature: 0.3, stop: ['END'] });
    expect(shown.title).toEqual(expect.any(String));
  });

  it('lists its messages, oldest first', async () => {
    const first = finalOf(await alice.ask(question('One')));
    const { conversationId } = first.conversation;
    const second = finalOf(await alice.ask(followUp('Two', first)));
    const names = [first, second].flatMap((each) => [each.requestMessage.messageId, each.responseMessage.messageId]);
    expect(await alice.json(`/api/convos/${conversationId}`)).toMatchObject({ messages: names });
    expect([first.conversation.messages, second.conversation.messages]).toEqual([names.slice(0, 2), names]);
    const renamed = await alice.post('/api/convos/update', { arg: { conversationId, title: 'Both' } });
    expect(await renamed.json()).toMatchObject({ title: 'Both', messages: names });
    await send(server.url, 'DELETE', `/api/messages/${conversationId}/${names[3]}`, undefined, alice.headers);
    expect(await alice.json(`/api/convos/${conversationId}`)).toMatchObject({ messages: names.slice(0, 3) });
  });

  it('is called New Chat until it has a title', async () => {
    const { created, rest } = await begin(alice, question('Wait', { model: 'fake:never-ending' }));
    expect(await alice.json(`/api/convos/${created.conversationId}`)).toMatchObject({ title: 'New Chat' });
    await alice.stop(created.conversationId);
    await rest();
  });

  it.each([randomUUID(), 'new', 'x'])('that is missing (%s) has an empty response', async (id) => {
    const response = await alice.get(`/api/convos/${id}`);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
  });
});

describe('an icon and a label of the user', () => {
  it('stay with the conversation when a client sends them with a question', async () => {
    const kept = { iconURL: 'https://example.com/icon.png', userLabel: 'Captain' };
    const { conversation } = finalOf(await alice.ask(question('Kept?', kept)));
    expect(conversation).toMatchObject(kept);
    expect(await alice.json(`/api/convos/${conversation.conversationId}`)).toMatchObject(kept);
  });
});

describe('a title', () => {
  it('is returned once, after the first exchange', async () => {
    const { conversation } = finalOf(await alice.ask(question('How do magnets work?')));
    const { conversationId } = conversation;
    const response = await alice.post('/api/convos/gen_title', { conversationId });
    expect(response.status).toBe(200);
    const { title } = z.strictObject({ title: z.string().min(1) }).parse(await response.json());
    expect(await alice.json(`/api/convos/${conversationId}`)).toMatchObject({ title });
    const again = await alice.post('/api/convos/gen_title', { conversationId });
    expect(again.status).toBe(404);
    expect(await again.json()).toEqual({ message: 'The title is not ready, or was fetched before.' });
  });

  it('is returned despite unknown fields of the request', async () => {
    const { conversation } = finalOf(await alice.ask(question('How do tides work?')));
    const body = { ...conversation, arg: null };
    expect((await alice.post('/api/convos/gen_title', body)).status).toBe(200);
  });

  it.each([randomUUID(), 'new'])('of an unknown conversation is not found: %s', async (conversationId) => {
    const response = await alice.post('/api/convos/gen_title', { conversationId });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  it('set by the user returns the conversation', async () => {
    const { conversation } = finalOf(await alice.ask(question('Name me')));
    const { conversationId } = conversation;
    const response = await alice.post('/api/convos/update', { arg: { conversationId, title: 'Mine', model: 'x' } });
    expect(response.status).toBe(201);
    expect(Conversation.parse(await response.json())).toMatchObject({
      conversationId,
      title: 'Mine',
      model: 'fake:echo',
    });
  });

  it.each([{ arg: { title: 'Mine' } }, { arg: {} }, {}, undefined])(
    'needs the id of its conversation: %j',
    async (body) => {
      const response = await alice.post('/api/convos/update', body);
      expect(response.status).toBe(422);
      expect(await response.json()).toEqual({ message: expect.stringContaining('conversationId is required') });
    },
  );

  it('is refused with a sentence when it is empty', async () => {
    const response = await alice.post('/api/convos/update', { arg: { conversationId: randomUUID() } });
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ message: expect.stringContaining('arg.title') });
  });
});

describe('deleting', () => {
  it('one conversation removes its messages', async () => {
    const first = finalOf(await alice.ask(question('Soon gone')));
    const { conversationId } = first.conversation;
    const response = await alice.post('/api/convos/clear', { arg: { conversationId, source: 'button' } });
    expect(response.status).toBe(201);
    const messages = { acknowledged: true, deletedCount: 2 };
    expect(await response.json()).toEqual({ acknowledged: true, deletedCount: 1, messages });
    expect((await alice.get(`/api/convos/${conversationId}`)).status).toBe(404);
    expect((await alice.get(`/api/messages/${conversationId}`)).status).toBe(404);
    expect(await alice.ask(followUp('Still there?', first))).toMatchObject([{ event: 'error' }]);
  });

  it.each([undefined, null, ''])('without an id (%j) deletes nothing', async (conversationId) => {
    await alice.ask(question('I stay'));
    const before = Page.parse(await alice.json('/api/convos'));
    const response = await alice.post('/api/convos/clear', { arg: { conversationId, source: 'button' } });
    expect(response.status).toBe(200);
    expect(await response.text()).toEqual(expect.any(String));
    expect(Page.parse(await alice.json('/api/convos')).conversations).toHaveLength(before.conversations.length);
  });

  it.each(['new', 'x'])('an unknown id (%s) succeeds', async (conversationId) => {
    await alice.ask(question('I stay as well'));
    const response = await alice.post('/api/convos/clear', { arg: { conversationId, source: 'button' } });
    expect(response.status).toBe(201);
    const none = { acknowledged: true, deletedCount: 0 };
    expect(await response.json()).toEqual({ ...none, messages: none });
    expect(Page.parse(await alice.json('/api/convos')).conversations).not.toEqual([]);
  });

  it.each([{ arg: null }, { arg: { conversationId: '' } }, { arg: { conversationId: 5 } }, { arg: 'x' }])(
    'with %j is refused, and does not mean all',
    async (body) => {
      await alice.ask(question('I stay too'));
      expect((await alice.post('/api/convos/clear', body)).status).toBe(422);
      expect(Page.parse(await alice.json('/api/convos')).conversations).not.toEqual([]);
    },
  );

  it('a body of another type is refused, and does not mean all', async () => {
    await alice.ask(question('I stay too'));
    const headers = { ...alice.headers, 'content-type': 'text/plain' };
    const response = await send(server.url, 'POST', '/api/convos/clear', { arg: { conversationId: 'x' } }, headers);
    expect(response.status).toBe(415);
    expect(await response.json()).toEqual({ message: 'The body must be JSON (application/json) or a form.' });
    expect(Page.parse(await alice.json('/api/convos')).conversations).not.toEqual([]);
  });

  it.each([{}, undefined])('all is meant by the body %j', async (body) => {
    await alice.ask(question('Gone as well'));
    const response = await alice.post('/api/convos/clear', body);
    expect(response.status).toBe(201);
    expect(Page.parse(await alice.json('/api/convos')).conversations).toEqual([]);
  });

  it('all removes everything, and stops what runs', async () => {
    const running = await begin(alice, question('Go on', { model: 'fake:never-ending' }));
    expect(await jsonOf(alice.post('/api/convos/clear', { arg: {} }))).toMatchObject({ acknowledged: true });
    expect(Page.parse(await alice.json('/api/convos')).conversations).toEqual([]);
    expect(finalOf(await running.rest()).responseMessage.finish_reason).toBe('incomplete');
  });
});
