import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequests } from '../../../support/exchange.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Message } from '../../../support/rest/client-rules.ts';
import {
  begin,
  finalOf,
  followUp,
  NO_PARENT,
  question,
  send,
  signUp,
  type Client,
} from '../../../support/rest/client.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

describe('the messages of a conversation', () => {
  it('come oldest first', async () => {
    const { conversation } = finalOf(await alice.ask(question('Hello there')));
    const messages = await alice.messages(conversation.conversationId);
    expect(messages).toMatchObject([
      { text: 'Hello there', isCreatedByUser: true, parentMessageId: NO_PARENT, sender: 'User' },
      { text: 'Hello there', isCreatedByUser: false, parentMessageId: messages[0]?.messageId, finish_reason: 'stop' },
    ]);
  });

  it('include the text so far of a running answer', async () => {
    const { created, rest } = await begin(alice, question('Go on', { model: 'fake:never-ending' }));
    const newest = async () => (await alice.messages(created.conversationId)).at(-1);
    await expect.poll(async () => (await newest())?.text.length).toBeGreaterThan(0);
    expect(await newest()).toMatchObject({ unfinished: true, error: false });
    await alice.stop(created.conversationId);
    await rest();
  });

  it('come with estimated token counts first in a long conversation, and counted ones in later calls', async () => {
    const { sql } = server.db;
    const convoId = randomUUID();
    await sql`
      insert into convos (user_id, id, title, endpoint, endpoint_type, change_seq, settings)
      values (${alice.id}, ${convoId}, 'Long', 'openAI', 'openAI', 0, '{}')`;
    await sql`
      insert into messages (user_id, convo_id, id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts)
      select ${alice.id}, ${convoId}, gen_random_uuid(), null, 0, true, 'User', 'openAI', 'openAI',
        '[{"type": "text", "text": "How do lighthouses work at night?"}]'
      from generate_series(1, 550)`;
    const counted = async () => {
      const all = await alice.messages(convoId);
      expect(new Set(all.map(({ messageId }) => messageId)).size).toBe(550);
      expect(all.map(({ tokenCount = 0 }) => tokenCount > 5 && tokenCount < 12)).not.toContain(false);
      const [row] = await sql<{ n: number }[]>`
        select count(token_count)::int as n from messages where user_id = ${alice.id} and convo_id = ${convoId}`;
      return row?.n;
    };
    expect([await counted(), await counted(), await counted()]).toEqual([200, 400, 550]);
  });

  it('have a paragraph where a tool was called, also in a search and when they are edited as they are read', async () => {
    const { sql } = server.db;
    const [convoId, messageId] = [randomUUID(), randomUUID()];
    const call = { id: '0:0', kind: 'function', name: 'calculator', input: '{}', output: '42', progress: 1 };
    const parts = [
      { type: 'text', text: 'I ask the oracle' },
      { type: 'tool_call', call },
      { type: 'text', text: 'Kestrels told.' },
    ];
    await sql`
      insert into convos (user_id, id, title, endpoint, endpoint_type, change_seq, settings)
      values (${alice.id}, ${convoId}, 'Birds', 'openAI', 'openAI', 0, '{}')`;
    await sql`
      insert into messages (user_id, convo_id, id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts)
      values (${alice.id}, ${convoId}, ${messageId}, null, 0, false, 'GPT', 'openAI', 'openAI', ${sql.json(parts)})`;
    const read = 'I ask the oracle\n\nKestrels told.';
    expect(await alice.messages(convoId)).toMatchObject([{ text: read }]);

    const found = async () => ((await alice.json('/api/search?q=kestrels')) as { messages: unknown[] }).messages;
    await expect.poll(async () => (await found()).length).toBe(1);
    expect(await found()).toMatchObject([{ text: 'I ask the oracle\n\n**Kestrels** told.' }]);

    const response = await put(`/api/messages/${convoId}/${messageId}`, { text: read.replace('told', 'say') });
    expect(await response.json()).toMatchObject({ text: 'I ask the oracle\n\nKestrels say.' });
    const [edited] = await alice.messages(convoId);
    expect(edited).toMatchObject({ text: 'I ask the oracle\n\nKestrels say.' });
    expect(edited?.content?.map(({ type }) => type)).toEqual(['text', 'tool_call', 'text']);
  });

  it('are an empty list while the conversation is not saved', async () => {
    expect(await alice.json('/api/messages/new')).toEqual([]);
  });

  it.each([randomUUID(), 'x'])('of a missing conversation (%s) are not found', async (id) => {
    const response = await alice.get(`/api/messages/${id}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });
});

describe('one message', () => {
  it('is returned in a list', async () => {
    const { conversation, requestMessage } = finalOf(await alice.ask(question('Just me')));
    const path = `/api/messages/${conversation.conversationId}/${requestMessage.messageId}`;
    expect(await alice.json(path)).toEqual([{ ...requestMessage, tokenCount: 2 }]);
  });

  it('is not found when it is missing', async () => {
    const { conversation } = finalOf(await alice.ask(question('Not me')));
    const response = await alice.get(`/api/messages/${conversation.conversationId}/${randomUUID()}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: 'The message was not found.' });
  });
});

describe('changing a message', () => {
  it('returns its new text and token count', async () => {
    const { conversation, requestMessage } = finalOf(await alice.ask(question('helo wrld')));
    const { conversationId } = conversation;
    const { messageId } = requestMessage;
    const body = { text: 'hello world', model: 'gpt-3.5-turbo', conversationId };
    const response = await put(`/api/messages/${conversationId}/${messageId}`, body);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      messageId,
      conversationId,
      parentMessageId: NO_PARENT,
      sender: 'User',
      text: 'hello world',
      isCreatedByUser: true,
      tokenCount: 2,
      isEdited: true,
    });
    expect(await alice.messages(conversationId)).toMatchObject([{ text: 'hello world', isEdited: true }, {}]);
  });

  it('trims the ends of its text only', async () => {
    const { conversation, requestMessage } = finalOf(await alice.ask(question('Blanks')));
    const { conversationId } = conversation;
    const path = `/api/messages/${conversationId}/${requestMessage.messageId}`;
    const response = await put(path, { text: ' \n one\n\n    two \n' });
    expect(await response.json()).toMatchObject({ text: 'one\n\n    two' });
    expect(await alice.messages(conversationId)).toMatchObject([{ text: 'one\n\n    two' }, {}]);
  });

  it('of either kind updates its token count', async () => {
    const { conversation, requestMessage, responseMessage } = finalOf(await alice.ask(question('Count us, please')));
    const { conversationId } = conversation;
    const counted = await alice.messages(conversationId);
    expect(counted.map(({ tokenCount }) => tokenCount)).toEqual([4, responseMessage.tokenCount]);
    for (const { messageId } of [requestMessage, responseMessage])
      await put(`/api/messages/${conversationId}/${messageId}`, { text: 'Now we are six or so' });
    expect(await alice.messages(conversationId)).toMatchObject([{ tokenCount: 6 }, { tokenCount: 6 }]);
  });

  it('does not wait for counting: a question is counted when it is read', async () => {
    const { requestMessage } = finalOf(await alice.ask(question('Not yet')));
    expect(requestMessage).not.toHaveProperty('tokenCount');
  });

  it.each([{}, { text: 5 }, { text: '  ' }])('to %j is refused with a sentence', async (body) => {
    const { conversation, requestMessage } = finalOf(await alice.ask(question('Stay')));
    const response = await put(`/api/messages/${conversation.conversationId}/${requestMessage.messageId}`, body);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ message: expect.any(String) });
    expect(await alice.messages(conversation.conversationId)).toMatchObject([{ text: 'Stay', isEdited: false }, {}]);
  });
});

describe('deleting a message', () => {
  it('returns 204, and its children move up', async () => {
    const first = finalOf(await alice.ask(question('One')));
    await alice.ask(followUp('Two', first));
    const { conversationId } = first.conversation;
    const path = `/api/messages/${conversationId}/${first.responseMessage.messageId}`;
    const response = await remove(path);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(await alice.messages(conversationId)).toMatchObject([
      { text: 'One' },
      { text: 'Two', parentMessageId: first.requestMessage.messageId },
      { text: 'Two' },
    ]);
    expect((await remove(path)).status).toBe(204);
  });

  it('succeeds with an impossible id', async () => {
    const { conversation, requestMessage } = finalOf(await alice.ask(question('Still here')));
    const { conversationId } = conversation;
    for (const id of ['x', `${requestMessage.messageId}_`])
      expect((await remove(`/api/messages/${conversationId}/${id}`)).status).toBe(204);
    expect((await remove(`/api/messages/new/${requestMessage.messageId}`)).status).toBe(204);
    expect(await alice.messages(conversationId)).toHaveLength(2);
  });

  it("leaves another user's message alone", async () => {
    const { conversation, requestMessage } = finalOf(await alice.ask(question('Mine')));
    const { conversationId } = conversation;
    const bob = await signUp(server.url, 'bob');
    const path = `/api/messages/${conversationId}/${requestMessage.messageId}`;
    expect((await send(server.url, 'DELETE', path, undefined, bob.headers)).status).toBe(204);
    expect(await alice.messages(conversationId)).toMatchObject([{ text: 'Mine' }, {}]);
  });
});

describe('saving a message', () => {
  it('puts it below its parent without calling a provider', async () => {
    const first = finalOf(await alice.ask(question('Asked')));
    const { conversationId } = first.conversation;
    const asked = answerRequests(server.provider).length;
    const message = { messageId: randomUUID(), parentMessageId: first.responseMessage.messageId, text: 'Noted' };
    const extra = { sender: 'User', user: 'x', isCreatedByUser: null };
    const response = await alice.post(`/api/messages/${conversationId}`, { ...message, ...extra });
    expect(response.status).toBe(201);
    const saved = Message.parse(await response.json());
    expect(saved).toMatchObject({ ...message, conversationId, isCreatedByUser: true, sender: 'User' });
    expect((await alice.messages(conversationId)).at(-1)).toEqual(saved);
    expect(answerRequests(server.provider)).toHaveLength(asked);
  });

  it('twice updates the same one', async () => {
    const { conversation } = finalOf(await alice.ask(question('Asked again')));
    const path = `/api/messages/${conversation.conversationId}`;
    const message = { messageId: randomUUID(), parentMessageId: NO_PARENT, isCreatedByUser: false, text: 'First' };
    await alice.post(path, message);
    expect(await (await alice.post(path, { ...message, text: 'Second' })).json()).toMatchObject({ text: 'Second' });
    expect((await alice.messages(conversation.conversationId)).map(({ text }) => text)).toEqual([
      'Asked again',
      'Asked again',
      'Second',
    ]);
  });

  it('is refused without a conversation, parent or text', async () => {
    const { conversation } = finalOf(await alice.ask(question('Here')));
    const path = `/api/messages/${conversation.conversationId}`;
    expect((await alice.post(`/api/messages/${randomUUID()}`, { text: 'x' })).status).toBe(404);
    expect((await alice.post('/api/messages/new', { text: 'x' })).status).toBe(422);
    expect((await alice.post(path, { text: 'x', parentMessageId: randomUUID() })).status).toBe(404);
    expect((await alice.post(path, {})).status).toBe(422);
    expect(await alice.messages(conversation.conversationId)).toHaveLength(2);
  });
});

describe('counting tokens', () => {
  it.each([{ arg: 'hello world' }, { arg: { text: 'hello world' } }])('%j', async (body) => {
    const response = await alice.post('/api/tokenizer', body);
    expect(await response.json()).toEqual({ count: 2 });
  });

  it('finishes for a long text without spaces', async () => {
    const letters = Array.from({ length: 400_000 }, (_, n) => String.fromCharCode(97 + ((n * 7919) % 26)));
    const response = await alice.post('/api/tokenizer', { arg: letters.join('') });
    expect(await response.json()).toEqual({ count: expect.any(Number) });
  });

  it('is refused without a text', async () => {
    expect((await alice.post('/api/tokenizer', { arg: 5 })).status).toBe(422);
  });
});

function put(path: string, body: object) {
  return send(server.url, 'PUT', path, body, alice.headers);
}

function remove(path: string) {
  return send(server.url, 'DELETE', path, undefined, alice.headers);
}
