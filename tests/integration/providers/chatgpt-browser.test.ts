// ChatGPT's own protocol: what is sent, and how a conversation that it keeps is continued.
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { scriptedStream } from '@parley/scripts/fake-provider/scenario';
import type { ChatMessage, ThreadPosition } from '@parley/server/providers/provider';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hear, openEndpoints, type Heard } from '../../support/endpoints.ts';

let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider();
});
beforeEach(() => provider.clear());
afterAll(() => provider.close());

const MODEL = 'text-davinci-002-render-sha';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

async function endpointsOf(env: Record<string, string> = {}) {
  const url = `${provider.url}/backend-api/conversation`;
  return openEndpoints({ env: { CHATGPT_TOKEN: 't-1', CHATGPT_REVERSE_PROXY: url, ...env } });
}

async function ask(question: string, earlier: ChatMessage[] = [], thread?: ThreadPosition) {
  const messages: ChatMessage[] = [...earlier, { role: 'user', content: question }];
  return hear(await endpointsOf(), { endpoint: 'chatGPTBrowser', model: MODEL, messages, ...(thread && { thread }) });
}

interface Body {
  conversation_id?: string;
  parent_message_id: string;
  messages: [{ content: { parts: string[] } }];
}

const bodies = () => provider.requests.map(({ body }) => body as Body);
const asked = (body: Body | undefined) => body?.messages[0].content.parts[0];

function after({ thread }: Heard, isNewest = true): ThreadPosition {
  return { ids: thread?.ids ?? {}, isNewest };
}

const earlier: ChatMessage[] = [
  { role: 'user', content: 'My name is Alice.' },
  { role: 'assistant', content: 'Hello, Alice.' },
];

describe('a question', () => {
  it('is posted with the token', async () => {
    const heard = await ask('How deep is a well?');
    expect(heard).toMatchObject({ finish: 'stop', reason: null });
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]).toMatchObject({
      method: 'POST',
      path: '/backend-api/conversation',
      headers: { authorization: 'Bearer t-1', accept: 'text/event-stream' },
    });
    expect(bodies()[0]).toEqual({
      action: 'next',
      messages: [
        {
          id: expect.stringMatching(UUID),
          role: 'user',
          author: { role: 'user' },
          content: { content_type: 'text', parts: ['How deep is a well?'] },
        },
      ],
      parent_message_id: expect.stringMatching(UUID),
      model: MODEL,
    });
  });

  it('continues below the answer above it, and sends the question only', async () => {
    const first = await ask('My name is Alice.');
    const { chatGPTConversationId, chatGPTMessageId } = first.thread?.ids ?? {};
    await ask('What is my name?', earlier, after(first));
    expect(bodies()[1]).toMatchObject({
      conversation_id: chatGPTConversationId,
      parent_message_id: chatGPTMessageId,
      messages: [{ content: { parts: ['What is my name?'] } }],
    });
  });

  it('continues below the answer of its branch when it is on another branch', async () => {
    const first = await ask('My name is Alice.');
    const second = await ask('What is my name?', earlier, after(first));
    const other = await ask('How am I called?', earlier, after(first, false));
    expect(bodies()[2]?.parent_message_id).toBe(bodies()[1]?.parent_message_id);
    expect(other.thread?.ids.chatGPTConversationId).toBe(second.thread?.ids.chatGPTConversationId);
    expect(other.thread?.ids.chatGPTMessageId).not.toBe(second.thread?.ids.chatGPTMessageId);
  });

  it('begins a new conversation with the history when its own was forgotten', async () => {
    const first = await ask('My name is Alice.');
    provider.clear();
    const second = await ask('What is my name?', earlier, after(first));
    expect(second).toMatchObject({ finish: 'stop', reason: null });
    expect(bodies()[1]).not.toHaveProperty('conversation_id');
    expect(asked(bodies()[1])).toMatch(/My name is Alice\.[^]*Hello, Alice\.[^]*What is my name\?$/);
    expect(second.thread?.ids.chatGPTConversationId).not.toBe(first.thread?.ids.chatGPTConversationId);
  });

  it("sends the history below another endpoint's answer", async () => {
    await ask('What is my name?', earlier);
    expect(asked(bodies()[0])).toContain('[assistant](#message)\nHello, Alice.');
  });
});

describe('an answer', () => {
  it('whose text is replaced ends with the last text', async () => {
    const event = (text: string) => {
      const message = { id: 'm', author: { role: 'assistant' }, content: { content_type: 'text', parts: [text] } };
      return { type: 'raw' as const, bytes: `data: ${JSON.stringify({ message, conversation_id: 'c' })}\n\n` };
    };
    const done = { type: 'raw' as const, bytes: 'data: [DONE]\n\n' };
    const steps = [event('It is 10'), event('It is 12 m'), done];
    provider.script('changes', { about: 'takes back', script: () => scriptedStream(steps, { finish: null }) });
    expect(await ask('How deep? [[changes]]')).toMatchObject({ text: 'It is 12 m', finish: 'stop' });
  });

  it('with a rejected token has its reason', async () => {
    const endpoints = await endpointsOf({
      CHATGPT_REVERSE_PROXY: `${provider.url}/as/error-401/backend-api/conversation`,
    });
    const messages: ChatMessage[] = [{ role: 'user', content: 'Hello' }];
    const heard = await hear(endpoints, { endpoint: 'chatGPTBrowser', model: MODEL, messages });
    expect(heard.reason).toMatchObject({ type: 'invalid_api_key', endpoint: 'chatGPTBrowser' });
  });
});

describe('the endpoint', () => {
  it('offers the built-in models, or the configured ones', async () => {
    const models = async (env = {}) => (await endpointsOf(env)).assert('chatGPTBrowser').models('alice');
    expect(await models()).toEqual([MODEL, 'gpt-4']);
    expect(await models({ CHATGPT_MODELS: 'gpt-4' })).toEqual(['gpt-4']);
  });

  it('asks ChatGPT for titles', async () => {
    const { thread } = await ask('How do I dig a deep well?');
    const endpoint = (await endpointsOf()).assert('chatGPTBrowser');
    const ids = thread?.ids ?? {};
    const title = await endpoint.title?.({ userId: 'alice', model: MODEL, ids }, AbortSignal.timeout(10_000));
    expect(title).toBe('Dig a Deep Well');
    expect(provider.requests.at(-1)).toMatchObject({
      path: `/backend-api/conversation/gen_title/${ids.chatGPTConversationId}`,
      headers: { authorization: 'Bearer t-1' },
      body: { message_id: ids.chatGPTMessageId, model: MODEL },
    });
  });

  it('accepts a token of the user, unless it cannot be a header', async () => {
    const messages: ChatMessage[] = [{ role: 'user', content: 'Hello' }];
    const env = { CHATGPT_TOKEN: 'user_provided', CHATGPT_REVERSE_PROXY: `${provider.url}/backend-api/conversation` };
    const call = { endpoint: 'chatGPTBrowser', model: MODEL, messages };
    await hear(await openEndpoints({ env, userKey: async () => 'alices\n' }), call);
    expect(provider.requests[0]?.headers.authorization).toBe('Bearer alices');
    const heard = await hear(await openEndpoints({ env, userKey: async () => 'a\r\nx: 1' }), call);
    expect(heard.reason).toEqual({ type: 'invalid_user_key', endpoint: 'chatGPTBrowser' });
  });
});
