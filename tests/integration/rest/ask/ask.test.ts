import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAskedAbout } from '../../../support/exchange.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import {
  begin,
  createdOf,
  errorOf,
  finalOf,
  followUp,
  NO_PARENT,
  question,
  regenerate,
  send,
  signUp,
  textsOf,
  type Client,
} from '../../../support/rest/client.ts';
import type { Message } from '../../../support/rest/client-rules.ts';

const yaml = `
version: 1.0.7
endpoints:
  custom:
    - name: Groq
      apiKey: fake
      baseURL: \${FAKE_PROVIDER}
      models: { default: [fake:echo, fake:plain] }
      modelDisplayLabel: Groq cloud
`;

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({ yaml });
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

describe('the stream of an exchange', () => {
  it('has the headers that proxies and clients need', async () => {
    const response = await alice.post('/api/ask/openAI', question('Hello'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('connection')).toBe('keep-alive');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await response.text()).toMatch(/^event: message\ndata: \{.*\}\n\n/);
  });

  it('begins with created, continues with the text so far, and ends with what is saved', async () => {
    const body = question('Tell me [[tokens:60@5]]', { model: 'gpt-4' });
    const frames = await alice.ask(body);
    expect(createdOf(frames)).toMatchObject({ messageId: body.messageId, parentMessageId: NO_PARENT, text: body.text });

    const texts = textsOf(frames);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.map(({ initial }) => initial)).toEqual(texts.map((_, index) => index === 0));
    for (const [index, { text }] of texts.entries()) expect(text.startsWith(texts[index - 1]?.text ?? '')).toBe(true);
    expect(texts.every((text) => !('parentMessageId' in text))).toBe(true);

    const final = finalOf(frames);
    expect(frames).toHaveLength(1 + texts.length + 1);
    expect(texts.at(-1)?.text).toBe(final.responseMessage.text);
    // A question is counted when it is read, not while its answer is waited for.
    expect(await alice.messages(final.conversation.conversationId)).toEqual([
      { ...final.requestMessage, tokenCount: 9 },
      withoutPromptTokens(final.responseMessage),
    ]);
  });

  it('ends with the documents of conversation, question and answer', async () => {
    const frames = await alice.ask(question('Who are you?', { temperature: 0.5, top_p: 1, promptPrefix: 'Be brief' }));
    const { conversation, requestMessage, responseMessage, title } = finalOf(frames);
    expect(title).toBeNull();
    expect(conversation).toMatchObject({
      endpoint: 'openAI',
      model: 'fake:echo',
      temperature: 0.5,
      promptPrefix: 'Be brief',
      user: alice.id,
    });
    // What equals a default is not stored, and what is not stored is left out.
    expect(conversation).not.toHaveProperty('top_p');
    expect(conversation).not.toHaveProperty('endpointType');
    expect(requestMessage).toMatchObject({ text: 'Who are you?', sender: 'User', isCreatedByUser: true, error: false });
    expect(requestMessage).not.toHaveProperty('finish_reason');
    expect(responseMessage).toMatchObject({
      parentMessageId: requestMessage.messageId,
      conversationId: conversation.conversationId,
      text: 'Who are you?',
      sender: 'OpenAI',
      model: 'fake:echo',
      endpoint: 'openAI',
      isCreatedByUser: false,
      unfinished: false,
      error: false,
      finish_reason: 'stop',
      promptTokens: expect.any(Number),
      tokenCount: expect.any(Number),
    });
  });

  it('tells the tokens of the prompt, an estimate where the provider counts none', async () => {
    const { responseMessage } = finalOf(await alice.ask(question('Who are you?', { model: 'fake:no-usage' })));
    expect(responseMessage.promptTokens).toBeGreaterThan(0);
  });

  it('continues a conversation', async () => {
    const first = finalOf(await alice.ask(question('My name is Alice.')));
    const second = finalOf(await alice.ask(followUp('What is my name?', first)));
    expect(second.conversation.conversationId).toBe(first.conversation.conversationId);
    expect(second.requestMessage.parentMessageId).toBe(first.responseMessage.messageId);
    const asked = await server.provider.waitForRequest(isAskedAbout('What is my name?'));
    expect(asked.body).toMatchObject({ messages: [{ content: 'My name is Alice.' }, {}, {}] });
  });

  it('of a custom endpoint has its name as sender, under the path of its type', async () => {
    const body = question('Hi', { endpoint: 'Groq', endpointType: 'custom', modelDisplayLabel: 'Groq cloud' });
    const { conversation, responseMessage } = finalOf(await alice.ask(body, 'custom'));
    expect(conversation).toMatchObject({ endpoint: 'Groq', endpointType: 'custom' });
    expect(responseMessage).toMatchObject({ endpoint: 'Groq', sender: 'Groq cloud' });
  });

  it('gets new ids when the message id has the wrong form', async () => {
    const frames = await alice.ask(question('Hi', { messageId: 'mine' }));
    expect(createdOf(frames).messageId).not.toBe('mine');
    expect(finalOf(frames).responseMessage.text).toBe('Hi');
  });

  it('omits reasoning and keeps tool calls as content', async () => {
    const reasoning = finalOf(await alice.ask(question('Think', { model: 'fake:reasoning' }))).responseMessage;
    expect(reasoning.text).toMatch(/^Hello!/);
    expect(reasoning).not.toHaveProperty('content');
    const called = finalOf(await alice.ask(question('Call', { model: 'fake:tool' }))).responseMessage;
    expect(called.text).toBe('Let me look. ');
    expect(called.content).toEqual([
      { type: 'text', text: { value: 'Let me look. ' } },
      {
        type: 'tool_call',
        tool_call: {
          id: 'call_weather_1',
          type: 'function',
          progress: 0.1,
          function: { name: 'get_weather', arguments: '{"city":"Berlin"}' },
          action: false,
        },
      },
      { type: 'tool_call', tool_call: expect.objectContaining({ id: 'call_time_2' }) },
    ]);
  });
});

describe('a regenerated answer', () => {
  it('is a sibling of the first, and its text event names its question', async () => {
    const first = finalOf(await alice.ask(question('Again, please')));
    const frames = await alice.ask(regenerate(first));
    expect(createdOf(frames).messageId).toBe(first.requestMessage.messageId);
    expect(textsOf(frames).map((text) => text.parentMessageId)).toContain(first.requestMessage.messageId);
    const second = finalOf(frames);
    expect(second.requestMessage).toEqual(first.requestMessage);
    expect(second.responseMessage.messageId).not.toBe(first.responseMessage.messageId);
    expect(await alice.messages(first.conversation.conversationId)).toHaveLength(3);
  });
});

describe('a body sent twice', () => {
  it('gives the same exchange, with one call to the provider', async () => {
    const body = question('Only once, please [[tokens:30@5]]', { model: 'gpt-4' });
    const [first, second] = await Promise.all([alice.ask(body), alice.ask(body)]);
    const third = await alice.ask(body);
    // A title may have come between.
    const { requestMessage, responseMessage } = finalOf(first);
    for (const again of [second, third]) expect(finalOf(again)).toMatchObject({ requestMessage, responseMessage });
    expect(createdOf(third)).toEqual(createdOf(first));
    expect(server.provider.requests.filter(isAskedAbout('Only once, please'))).toHaveLength(1);
    expect(await alice.messages(finalOf(first).conversation.conversationId)).toHaveLength(2);
  });

  it('with another text or parent is another question', async () => {
    const messageId = randomUUID();
    const first = finalOf(await alice.ask(question('The first', { messageId })));
    const second = finalOf(await alice.ask(question('The second', { messageId })));
    expect(second.responseMessage.text).toBe('The second');
    expect(second.conversation.conversationId).not.toBe(first.conversation.conversationId);
    const below = finalOf(await alice.ask(followUp('The first', first, { messageId })));
    expect(below.requestMessage).toMatchObject({ text: 'The first', parentMessageId: first.responseMessage.messageId });
    expect(await alice.messages(first.conversation.conversationId)).toHaveLength(4);
  });

  it('is another exchange for another user', async () => {
    const bob = await signUp(server.url, 'bob');
    const body = question('The same words');
    const [hers, his] = await Promise.all([alice.ask(body), bob.ask(body)]);
    expect(finalOf(his).conversation.conversationId).not.toBe(finalOf(hers).conversation.conversationId);
    expect(finalOf(his).responseMessage.messageId).not.toBe(finalOf(hers).responseMessage.messageId);
  });

  it('regenerates once', async () => {
    const first = finalOf(await alice.ask(question('Once more')));
    const body = regenerate(first);
    await Promise.all([alice.ask(body), alice.ask(body)]);
    expect(await alice.messages(first.conversation.conversationId)).toHaveLength(3);
  });
});

describe('an answer id that the client does not know yet', () => {
  it('stands for the newest answer to its question', async () => {
    const first = finalOf(await alice.ask(question('Quick')));
    const parentMessageId = `${first.requestMessage.messageId}_`;
    const next = finalOf(await alice.ask(followUp('Quicker', first, { parentMessageId })));
    expect(next.requestMessage.parentMessageId).toBe(first.responseMessage.messageId);
  });
});

describe('an ask that cannot begin', () => {
  it.each([
    ['an empty text', { text: '  ' }, 'The text is empty'],
    ['an endpoint of another path', { endpoint: 'Groq', endpointType: 'custom' }, 'does not belong to the path'],
    ['a model that is not on offer', { model: 'gpt-99' }, 'gpt-99 is not available'],
    ['a setting out of bounds', { temperature: 3 }, 'temperature must be a number from 0 to 2'],
    ['a text that is no text', { text: 5 }, 'text must be a string'],
  ])('with %s is one error that names the cause', async (_, wrong, sentence) => {
    const frames = await alice.ask(question('Hi', wrong));
    expect(frames).toEqual([{ event: 'error', data: { text: expect.stringContaining(sentence) } }]);
    expect(JSON.stringify(frames), 'in the words of this client').not.toContain('target');
  });

  it.each([
    ['an answer to go on with', { isContinued: true, responseMessageId: randomUUID() }, 'was not found'],
    ['a file', { files: [{ file_id: randomUUID() }] }, 'The file was not found.'],
  ])('without %s that it names is one message that its client shows', async (_, wrong, sentence) => {
    const frames = await alice.ask(question('Hi', wrong));
    expect(frames).toHaveLength(1);
    const text = expect.stringContaining(sentence);
    expect(errorOf(frames)).toMatchObject({ text, sender: 'OpenAI', error: true, final: true, isCreatedByUser: false });
  });

  it('at an endpoint that is not offered is one error that names the cause', async () => {
    const frames = await alice.ask(question('Hi', { endpoint: 'Nowhere', endpointType: 'custom' }), 'custom');
    expect(frames).toEqual([{ event: 'error', data: { text: 'The endpoint was not found.' } }]);
  });

  it('of a custom endpoint that is not named is one error', async () => {
    const frames = await alice.ask(question('Hi', { endpoint: undefined, endpointType: 'custom' }), 'custom');
    expect(frames).toEqual([{ event: 'error', data: { text: 'undefined endpoint' } }]);
  });

  it('while another runs in the conversation is an answer with the known error type', async () => {
    const running = await begin(alice, question('Go on', { model: 'fake:never-ending' }));
    const { conversationId, messageId: parentMessageId } = running.created;
    const frames = await alice.ask(question('Me too', { conversationId, parentMessageId }));
    expect(createdOf(frames)).toMatchObject({ text: 'Me too', conversationId });
    const error = errorOf(frames);
    expect(error).toMatchObject({ parentMessageId: createdOf(frames).messageId, conversationId });
    expect(JSON.parse(error.text)).toEqual({
      type: 'concurrent',
      limit: 1,
      pendingRequests: 1,
      // Nothing is held against anybody for it.
      prev_count: 0,
      violation_count: 0,
      date: expect.any(String),
    });
    await alice.stop(conversationId);
    await running.rest();
  });

  it('without a session is refused without a stream', async () => {
    const response = await send(server.url, 'POST', '/api/ask/openAI', question('Hi'));
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('Unauthorized');
  });
});

/** Only the stream contains what the question cost. */
function withoutPromptTokens(message: Message): Message {
  return { ...message, promptTokens: undefined };
}
