import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { begin, finalOf, NO_PARENT, question, signUp, type Client } from './client.ts';

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

  it('show an answer that is being written as far as it goes', async () => {
    const { created, rest } = await begin(alice, question('Go on', { model: 'fake:never-ending' }));
    const newest = async () => (await alice.messages(created.conversationId)).at(-1);
    await expect.poll(async () => (await newest())?.text.length).toBeGreaterThan(0);
    expect(await newest()).toMatchObject({ unfinished: true, error: false });
    await alice.stop(created.conversationId);
    await rest();
  });

  it('of a conversation that is not saved yet are none', async () => {
    expect(await alice.json('/api/messages/new')).toEqual([]);
  });

  it.each([randomUUID(), 'x'])('that is not there (%s) are not found', async (id) => {
    const response = await alice.get(`/api/messages/${id}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });
});

describe('one message', () => {
  it('comes in a list of its own', async () => {
    const { conversation, requestMessage } = finalOf(await alice.ask(question('Just me')));
    const path = `/api/messages/${conversation.conversationId}/${requestMessage.messageId}`;
    expect(await alice.json(path)).toEqual([requestMessage]);
  });

  it('that is not there is not found', async () => {
    const { conversation } = finalOf(await alice.ask(question('Not me')));
    const response = await alice.get(`/api/messages/${conversation.conversationId}/${randomUUID()}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: 'The message was not found.' });
  });
});

describe('counting tokens', () => {
  it.each([{ arg: 'hello world' }, { arg: { text: 'hello world' } }])('%j', async (body) => {
    const response = await alice.post('/api/tokenizer', body);
    expect(await response.json()).toEqual({ count: 2 });
  });

  it('of a long unbroken text takes a moment, not minutes', async () => {
    const letters = Array.from({ length: 400_000 }, (_, n) => String.fromCharCode(97 + ((n * 7919) % 26)));
    const response = await alice.post('/api/tokenizer', { arg: letters.join('') });
    expect(await response.json()).toEqual({ count: expect.any(Number) });
  });

  it('of no text is refused', async () => {
    expect((await alice.post('/api/tokenizer', { arg: 5 })).status).toBe(422);
  });
});
