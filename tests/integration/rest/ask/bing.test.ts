// The two endpoints that keep conversations themselves, as existing clients know them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import {
  createdOf,
  errorOf,
  finalOf,
  followUp,
  question,
  readFrames,
  regenerate,
  signUp,
  textsOf,
  untilText,
} from '../../../support/rest/client.ts';
import { Conversation, Final, type Frame } from '../../../support/rest/client-rules.ts';

let upstream: FakeProvider;
let server: TestServer;
let alice: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  upstream = await startFakeProvider();
  const env = {
    BINGAI_TOKEN: 'u-1',
    BINGAI_HOST: upstream.url,
    CHATGPT_TOKEN: 't-1',
    CHATGPT_REVERSE_PROXY: `${upstream.url}/backend-api/conversation`,
  };
  server = await startTestServer({ env });
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await server.close();
  await upstream.close();
});

/** As its clients send it: every field of a conversation, most of them null. */
function bingQuestion(text: string, over: object = {}) {
  const bing = { endpoint: 'bingAI', model: 'BingAI', jailbreak: false, systemMessage: null, context: null };
  const threadIds = { jailbreakConversationId: null, conversationSignature: null, clientId: null, invocationId: 1 };
  return question(text, { ...bing, ...threadIds, toneStyle: 'fast', ...over });
}

describe('Bing', () => {
  it('answers with suggestions, and the conversation has its fields', async () => {
    const frames = await alice.ask(bingQuestion('How deep is a well? [[echo]]'), 'bingAI');
    expect(createdOf(frames).text).toBe('How deep is a well? [[echo]]');
    expect(textsOf(frames).length).toBeGreaterThan(0);
    const { conversation, responseMessage } = finalOf(frames);
    expect(responseMessage).toMatchObject({
      text: 'How deep is a well? [[echo]]',
      sender: 'BingAI',
      endpoint: 'bingAI',
    });
    expect(responseMessage.suggestions).toEqual(['Tell me more', 'Why is that so?', 'Give me an example']);
    expect(conversation).toMatchObject({
      endpoint: 'bingAI',
      model: 'BingAI',
      toneStyle: 'fast',
      bingConversationId: expect.stringMatching(/^51D/),
      conversationSignature: expect.stringMatching(/^sig/),
      clientId: expect.stringMatching(/^client/),
      invocationId: 1,
    });
    const stored = Conversation.parse(await alice.json(`/api/convos/${conversation.conversationId}`));
    expect(stored).toMatchObject({ clientId: conversation.clientId, invocationId: 1 });
  });

  it('continues and regenerates', async () => {
    const first = finalOf(await alice.ask(bingQuestion('One'), 'bingAI'));
    const second = finalOf(await alice.ask(followUp('Two', first, { endpoint: 'bingAI' }), 'bingAI'));
    expect(second.conversation).toMatchObject({ clientId: first.conversation.clientId, invocationId: 2 });
    const again = finalOf(await alice.ask(regenerate(first, { endpoint: 'bingAI' }), 'bingAI'));
    expect(again.responseMessage.parentMessageId).toBe(first.requestMessage.messageId);
    expect(again.responseMessage.messageId).not.toBe(first.responseMessage.messageId);
  });

  it('in jailbreak mode is Sydney', async () => {
    const jailbreak = { jailbreak: true, systemMessage: 'You are a pirate.' };
    const { conversation, responseMessage } = finalOf(await alice.ask(bingQuestion('Ahoy', jailbreak), 'bingAI'));
    expect(responseMessage.sender).toBe('Sydney');
    expect(conversation).toMatchObject({ jailbreak: true, systemMessage: 'You are a pirate.' });
    expect(conversation.jailbreakConversationId).toMatch(/^[\da-f-]{36}$/);
  });

  it('as the model Sydney is in jailbreak mode, until that is switched off', async () => {
    const first = finalOf(await alice.ask(bingQuestion('Ahoy', { model: 'Sydney', jailbreak: undefined }), 'bingAI'));
    expect(first.responseMessage.sender).toBe('Sydney');
    expect(first.conversation).toMatchObject({ model: 'Sydney', jailbreak: true });
    const stored = Conversation.parse(await alice.json(`/api/convos/${first.conversation.conversationId}`));
    expect(stored.jailbreak).toBe(true);
    const off = { endpoint: 'bingAI', model: 'Sydney', jailbreak: false };
    const second = finalOf(await alice.ask(followUp('And now?', first, off), 'bingAI'));
    expect(second.responseMessage.sender).toBe('BingAI');
    expect(second.conversation.jailbreak).not.toBe(true);
  });

  it.each([
    [{ endpoint: undefined, model: undefined }],
    [{ endpoint: 'openAI', model: 'gpt-4' }],
    [{ endpoint: 'bingAI', model: null }],
  ])('answers whatever endpoint and model the body names: %j', async (named) => {
    const { conversation } = finalOf(await alice.ask(bingQuestion('Hello', named), 'bingAI'));
    expect(conversation).toMatchObject({ endpoint: 'bingAI', model: 'BingAI' });
  });

  it('reports a failure as a message', async () => {
    const failed = errorOf(await alice.ask(bingQuestion('Hello [[error-401]]'), 'bingAI'));
    expect(failed).toMatchObject({ error: true, sender: 'BingAI', text: '{"type":"invalid_api_key"}' });
  });
});

describe('ChatGPT in the browser', () => {
  it('answers with the requested model', async () => {
    const body = question('How deep? [[echo]]', { endpoint: 'chatGPTBrowser', model: 'gpt-4' });
    const { conversation, responseMessage } = finalOf(await alice.ask(body, 'chatGPTBrowser'));
    expect(responseMessage).toMatchObject({ text: 'How deep? [[echo]]', model: 'gpt-4', sender: 'GPT-4' });
    expect(conversation).toMatchObject({ endpoint: 'chatGPTBrowser', model: 'gpt-4' });
    expect(upstream.requests.at(-1)?.body).toMatchObject({ model: 'gpt-4' });
  });

  it('answers with its default model when the requested one is unknown', async () => {
    const body = question('Hello', { endpoint: 'chatGPTBrowser', model: 'claude-3' });
    const { conversation } = finalOf(await alice.ask(body, 'chatGPTBrowser'));
    expect(conversation.model).toBe('text-davinci-002-render-sha');
  });
});

describe.each(['bingAI', 'chatGPTBrowser'])('an answer of %s', (endpoint) => {
  it('can be edited and continued as a sibling', async () => {
    const first = finalOf(await alice.ask(question('How deep? [[echo]]', { endpoint }), endpoint));
    const { requestMessage, responseMessage, conversation } = first;
    const body = question('How deep? [[echo]]', {
      endpoint,
      conversationId: conversation.conversationId,
      parentMessageId: requestMessage.parentMessageId,
      overrideParentMessageId: requestMessage.messageId,
      responseMessageId: responseMessage.messageId,
      generation: 'Very deep.',
      isEdited: true,
    });
    const frames: Frame[] = [];
    for await (const frame of readFrames(await alice.post(`/api/edit/${endpoint}`, body))) frames.push(frame);
    const second = finalOf(frames).responseMessage;
    expect(second.text).toMatch(/^Very deep\. ./);
    expect(second.messageId).not.toBe(responseMessage.messageId);
    expect((await alice.post(`/api/edit/${endpoint}/abort`, { abortKey: conversation.conversationId })).status).toBe(
      204,
    );
  });
});

describe.each(['bingAI', 'chatGPTBrowser'])('stopping %s', (endpoint) => {
  it('answers with the final event and closes the connection', async () => {
    upstream.clear();
    const frames = readFrames(await alice.post(`/api/ask/${endpoint}`, question('On [[never-ending]]', { endpoint })));
    const first = (await frames.next()).value as Frame;
    const { conversationId } = createdOf([first]);
    const heard = await upstream.waitForRequest(({ scenario }) => scenario === 'never-ending');
    await untilText(frames);
    const stopped = await alice.post(`/api/ask/${endpoint}/abort`, { abortKey: conversationId, endpoint });
    expect(stopped.status).toBe(200);
    const { responseMessage } = Final.parse(await stopped.json());
    expect(responseMessage).toMatchObject({ finish_reason: 'incomplete', unfinished: false, error: false });
    expect(responseMessage.text.length).toBeGreaterThan(0);
    await expect.poll(() => heard.closedEarly).toBe(true);
    expect((await alice.post(`/api/ask/${endpoint}/abort`, { abortKey: conversationId })).status).toBe(204);
    await frames.return(undefined);
  });
});
