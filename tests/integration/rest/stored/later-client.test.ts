// The paths that clients of version 0.7.5 call beyond those of 0.7.1, field by field: links, copies, tags, terms, and
// what is not here, whose answers must leave such a client working.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Conversation, Message } from '../../../support/rest/client-rules.ts';
import { NO_PARENT, finalOf, followUp, question, send, signUp, type Client } from '../../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const Link = z.strictObject({
  _id: z.string(),
  shareId: z.string().min(1),
  conversationId: z.string(),
  title: z.string(),
  isPublic: z.literal(true),
  isVisible: z.literal(true),
  isAnonymous: z.boolean(),
  messages: z.array(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
const Tag = z.strictObject({
  _id: z.uuid(),
  user: z.uuid(),
  tag: z.string(),
  description: z.literal(''),
  count: z.int(),
  position: z.int(),
});
const Copy = z.strictObject({ conversation: Conversation, messages: z.array(Message) });
const Page = z.object({ conversations: z.array(Conversation), pages: z.int() });

let server: TestServer;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
  bob = await signUp(server.url, 'bob');
});
afterAll(() => server.close());

async function talk(client: Client, text: string) {
  return finalOf(await client.ask(question(text)));
}

function call(client: Client, method: string, path: string, body?: unknown) {
  return send(server.url, method, path, body, client.headers);
}

async function idsOf(client: Client, query: string): Promise<string[]> {
  const { conversations } = Page.parse(await client.json(`/api/convos?pageNumber=1${query}`));
  return conversations.map(({ conversationId }) => conversationId);
}

describe('a link', () => {
  it('is made once for a conversation, is read by strangers, and ends', async () => {
    const { conversation } = await talk(alice, 'For all to read');
    const { conversationId } = conversation;
    const made = await alice.post('/api/share', { conversationId, title: 'Any', isAnonymous: true });
    expect(made.status).toBe(200);
    const link = Link.parse(await made.json());
    expect(link).toMatchObject({ conversationId, isAnonymous: true });
    const again = await alice.post('/api/share', { conversationId });
    expect(await again.json()).toMatchObject({ shareId: link.shareId });

    const read = await send(server.url, 'GET', `/api/share/${link.shareId}`);
    expect(read.status).toBe(200);
    const shown: unknown = await read.json();
    expect(shown).toMatchObject({
      shareId: link.shareId,
      messages: [
        { messageId: '1', parentMessageId: NO_PARENT, text: 'For all to read', isCreatedByUser: true, error: false },
        { messageId: '2', parentMessageId: '1', isCreatedByUser: false },
      ],
    });
    expect(JSON.stringify(shown)).not.toContain(conversationId);
    expect(JSON.stringify(shown)).not.toContain(alice.id);

    expect((await call(bob, 'DELETE', `/api/share/${link.shareId}`)).status).toBe(200);
    expect((await send(server.url, 'GET', `/api/share/${link.shareId}`)).status).toBe(200);
    expect((await call(alice, 'DELETE', `/api/share/${link.shareId}`)).status).toBe(200);
    expect((await send(server.url, 'GET', `/api/share/${link.shareId}`)).status).toBe(404);
  });

  it('shows what was added only when it is updated', async () => {
    const first = await talk(alice, 'One');
    const { conversationId } = first.conversation;
    const { shareId } = Link.parse(await (await alice.post('/api/share', { conversationId })).json());
    await alice.ask(followUp('Two', first));
    const lengthOf = async () =>
      z
        .object({ messages: z.array(z.unknown()) })
        .parse(await (await send(server.url, 'GET', `/api/share/${shareId}`)).json()).messages.length;
    expect(await lengthOf()).toBe(2);
    const updated = await call(alice, 'PATCH', '/api/share', { conversationId, isPublic: true, isVisible: true });
    expect(Link.parse(await updated.json())).toMatchObject({ shareId });
    expect(await lengthOf()).toBe(4);
    expect((await call(bob, 'PATCH', '/api/share', { shareId, conversationId })).status).toBe(404);
    expect((await call(alice, 'PATCH', '/api/share', { conversationId: randomUUID() })).status).toBe(404);
  });

  it('stands in the pages of its owner alone', async () => {
    const carol = await signUp(server.url, 'carol');
    const empty = { sharedLinks: [], pages: 1, pageNumber: 1, pageSize: 25 };
    expect(await carol.json('/api/share?pageNumber=1&isPublic=true')).toEqual(empty);
    const { conversationId } = (await talk(carol, 'Listed')).conversation;
    await carol.post('/api/share', { conversationId, isAnonymous: false });
    const listed = z
      .strictObject({ sharedLinks: z.array(Link), pages: z.int(), pageNumber: z.int(), pageSize: z.int() })
      .parse(await carol.json('/api/share?pageNumber=1&isPublic=true'));
    expect(listed).toMatchObject({ sharedLinks: [{ conversationId, isAnonymous: false }], pages: 1, pageNumber: 1 });
    expect(await carol.json('/api/share?pageNumber=2')).toEqual({ ...empty, pageNumber: 2 });
  });
});

describe('a copy', () => {
  it('ends a branch in the named message', async () => {
    const first = await talk(alice, 'Root');
    await alice.ask(followUp('Leaf', first));
    const { conversationId } = first.conversation;
    const { messageId } = first.responseMessage;
    const forked = await alice.post('/api/convos/fork', {
      conversationId,
      messageId,
      option: 'directPath',
      splitAtTarget: false,
      latestMessageId: messageId,
    });
    expect(forked.status).toBe(200);
    const { conversation, messages } = Copy.parse(await forked.json());
    expect(conversation.conversationId).not.toBe(conversationId);
    expect(messages.map(({ text }) => text)).toEqual(['Root', 'Root']);
    expect(conversation.messages).toEqual(messages.map((one) => one.messageId));
    expect(await alice.messages(conversation.conversationId)).toHaveLength(2);
    expect((await bob.post('/api/convos/fork', { conversationId, messageId })).status).toBe(404);
  });

  it('of a conversation has its newest branch, and the title that is asked for', async () => {
    const first = await talk(alice, 'Original');
    await alice.ask(followUp('More', first));
    const { conversationId } = first.conversation;
    const copied = await alice.post('/api/convos/duplicate', { conversationId, title: 'The copy' });
    expect(copied.status).toBe(201);
    const { conversation, messages } = Copy.parse(await copied.json());
    expect(conversation.title).toBe('The copy');
    expect(messages).toHaveLength(4);
    expect((await alice.post('/api/convos/duplicate', {})).status).toBe(422);
  });
});

describe('tags', () => {
  const tagsOf = async (client: Client) => Tag.array().parse(await client.json('/api/tags'));

  it('are the folders of a person, and a conversation has one at most', async () => {
    const dave = await signUp(server.url, 'dave');
    expect(await tagsOf(dave)).toEqual([]);
    const { conversationId } = (await talk(dave, 'Tagged')).conversation;
    const made = await dave.post('/api/tags', {
      tag: 'Work',
      description: 'What I do',
      addToConversation: true,
      conversationId,
    });
    expect(Tag.parse(await made.json())).toMatchObject({ tag: 'Work', count: 1, position: 0 });
    await dave.post('/api/tags', { tag: 'Play & rest', description: '' });
    expect((await tagsOf(dave)).map(({ tag, count }) => [tag, count])).toEqual([
      ['Play & rest', 0],
      ['Work', 1],
    ]);
    expect(await dave.json(`/api/convos/${conversationId}`)).toMatchObject({ tags: ['Work'] });

    const put = async (tags: string[]) => {
      const response = await call(dave, 'PUT', `/api/tags/convo/${conversationId}`, { tags });
      return [response.status, await response.json()];
    };
    expect(await put(['Work', 'Play & rest'])).toEqual([200, ['Play & rest']]);
    expect(await put(['Play & rest'])).toEqual([200, ['Play & rest']]);
    expect(await put(['Nowhere'])).toMatchObject([404, {}]);
    expect(await idsOf(dave, '&tags=Play%20%26%20rest')).toEqual([conversationId]);
    expect(await idsOf(dave, '&tags=Work,&tags=Play%20%26%20rest')).toEqual([conversationId]);
    expect(await idsOf(dave, '&tags=Work')).toEqual([]);
    expect(await idsOf(dave, '&tags=Nowhere')).toEqual([]);
    expect(Page.parse(await dave.json('/api/convos?pageNumber=1')).conversations).toMatchObject([
      { conversationId, tags: ['Play & rest'] },
    ]);
    expect(await put([])).toEqual([200, []]);
    expect(await dave.json(`/api/convos/${conversationId}`)).not.toHaveProperty('tags');
  });

  it('are made once, renamed and deleted by their name', async () => {
    const erin = await signUp(server.url, 'erin');
    const tag = async (response: ReturnType<typeof send>) => Tag.parse(await (await response).json());
    const { _id } = await tag(erin.post('/api/tags', { tag: 'Old name' }));
    expect(await tag(erin.post('/api/tags', { tag: 'Old name' }))).toMatchObject({ _id });
    const renamed = await tag(call(erin, 'PUT', '/api/tags/Old%20name', { tag: 'New name', position: 0 }));
    expect(renamed).toMatchObject({ _id, tag: 'New name' });
    expect((await call(erin, 'DELETE', '/api/tags/Old%20name')).status).toBe(404);
    expect(await tag(call(erin, 'DELETE', '/api/tags/New%20name'))).toMatchObject({ _id });
    expect(await tagsOf(erin)).toEqual([]);
    expect((await erin.post('/api/tags', {})).status).toBe(422);
    expect((await erin.post('/api/tags/rebuild', {})).status).toBe(200);
  });
});

describe('what is not here', () => {
  it.each([
    ['/api/user/terms', { termsAccepted: true }],
    ['/api/prompts/all', []],
    ['/api/prompts/groups?pageNumber=1&pageSize=10', { promptGroups: [], pageNumber: 1, pageSize: 10, pages: 1 }],
    ['/api/prompts/random?limit=4&skip=0', { prompts: [] }],
    ['/api/categories', []],
    ['/api/agents', { object: 'list', data: [], first_id: null, last_id: null, has_more: false }],
    ['/api/agents/tools', []],
    ['/api/files/speech/config/get', { message: 'not_found' }],
    ['/api/files/speech/tts/voices', []],
    ['/api/banner', null],
  ])('is an answer without anything at %s', async (path, answer) => {
    const response = await alice.get(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(answer);
  });

  it('is not allowed to any role, so that clients hide it; prompts are', async () => {
    expect(await alice.json('/api/roles/user')).toEqual({
      name: 'USER',
      PROMPTS: { SHARED_GLOBAL: false, USE: true, CREATE: true },
      BOOKMARKS: { USE: true },
      AGENTS: { SHARED_GLOBAL: false, USE: false, CREATE: false },
      MULTI_CONVO: { USE: false },
    });
    expect(await alice.json('/api/roles/admin')).toMatchObject({ name: 'ADMIN', PROMPTS: { USE: true } });
    expect((await alice.get('/api/roles/owner')).status).toBe(404);
  });

  it('needs no consent', async () => {
    const accepted = await alice.post('/api/user/terms/accept', {});
    expect(accepted.status).toBe(200);
    expect(await accepted.json()).toEqual({ message: expect.any(String) });
  });
});
