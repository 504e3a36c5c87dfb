// Conversations that a provider keeps itself: each branch goes on from its own place there.
import { messageText } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { exchange, followUp, question, untilText } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { another, edition } from './asks.ts';

let upstream: FakeProvider;
let services: TestServices;
let alice: Person;

beforeAll(async () => {
  upstream = await startFakeProvider();
  services = await openTestServices({
    BINGAI_TOKEN: 'u-1',
    BINGAI_HOST: upstream.url,
    CHATGPT_TOKEN: 't-1',
    CHATGPT_REVERSE_PROXY: `${upstream.url}/backend-api/conversation`,
  });
  alice = await services.as('alice');
});
beforeEach(() => upstream.clear());
afterAll(async () => {
  await services.close();
  await upstream.close();
});

const bing = { endpoint: 'bingAI', model: 'BingAI' };
const chatGPT = { endpoint: 'chatGPTBrowser', model: 'text-davinci-002-render-sha' };

interface BingBody {
  invocationId: string;
  arguments: [{ conversationId: string; message: { text: string }; previousMessages: { description: string }[] }];
}

/** What Bing was asked, but for titles: the number in its conversation, the question, what it was sent beside it. */
function askedOfBing() {
  const chats = upstream.requests.filter(({ path, scenario }) => path === '/sydney/ChatHub' && scenario !== 'title');
  return chats.map(({ body }) => {
    const { invocationId, arguments: given } = body as BingBody;
    const { conversationId, message, previousMessages } = given[0];
    return { invocationId, conversationId, text: message.text, told: previousMessages[0]?.description };
  });
}

interface ChatGPTBody {
  conversation_id?: string;
  parent_message_id: string;
}

const askedOfChatGPT = () =>
  upstream.requests.filter(({ path }) => path.endsWith('/conversation')).map(({ body }) => body as ChatGPTBody);

describe('a Bing thread', () => {
  it('continues in one conversation, and its newest position is stored', async () => {
    const first = await exchange(services, alice.id, question('One', bing));
    const second = await exchange(services, alice.id, followUp('Two', first, bing));
    const [one, two] = askedOfBing();
    expect(two).toEqual({ invocationId: '1', conversationId: one?.conversationId, text: 'Two', told: undefined });
    expect(first.convo.threadIds).toMatchObject({ bingConversationId: one?.conversationId, invocationId: 1 });
    expect(second.convo.threadIds).toEqual({ ...first.convo.threadIds, invocationId: 2 });
    expect(second.reply.suggestions).toEqual(['Tell me more', 'Why is that so?', 'Give me an example']);
  });

  it('begins anew with the history for another reply or branch', async () => {
    const first = await exchange(services, alice.id, question('One', bing));
    const second = await exchange(services, alice.id, followUp('Two', first, bing));
    await exchange(services, alice.id, another(second, bing));
    const branch = await exchange(services, alice.id, followUp('Two, differently', first, bing));
    const onward = await exchange(services, alice.id, followUp('Three', branch, bing));
    const asked = askedOfBing();
    expect(asked.map(({ invocationId }) => invocationId)).toEqual(['0', '1', '0', '0', '1']);
    expect(new Set(asked.map(({ conversationId }) => conversationId)).size).toBe(3);
    expect(asked[2]).toMatchObject({ text: 'Two', told: expect.stringMatching(/^\[user\]\(#message\)\nOne\n/) });
    expect(asked[2]?.told).not.toContain('Two');
    expect(asked[3]?.told).toContain('One');
    expect(onward.convo.threadIds?.bingConversationId).toBe(asked[3]?.conversationId);
    // The first branch is still the newest of its own conversation there.
    await exchange(services, alice.id, followUp('Three of the first', second, bing));
    expect(askedOfBing().at(-1)).toMatchObject({ invocationId: '2', conversationId: asked[0]?.conversationId });
  });

  it('continues from an edited answer', async () => {
    const first = await exchange(services, alice.id, question('One [[echo]]', bing));
    const edited = await exchange(services, alice.id, edition('One, two,', first, bing));
    expect(messageText(edited.reply)).toMatch(/^One, two,/);
    expect(askedOfBing().at(-1)?.told).toContain('One, two,');
    expect(askedOfBing().at(-1)).toMatchObject({ invocationId: '0', text: expect.stringContaining('Go on exactly') });
  });

  it('begins anew after a message was changed or deleted', async () => {
    const first = await exchange(services, alice.id, question('My name is Alice.', bing));
    const second = await exchange(services, alice.id, followUp('Hello', first, bing));
    const { conversationId } = first.convo;
    await alice.api.messages.edit({ conversationId, messageId: first.request.messageId, text: 'My name is Carol.' });
    const third = await exchange(services, alice.id, followUp('Who am I?', second, bing));
    expect(askedOfBing().at(-1)).toMatchObject({ invocationId: '0', text: 'Who am I?' });
    expect(askedOfBing().at(-1)?.told).toContain('My name is Carol.');
    await alice.api.messages.remove({ conversationId, messageId: second.request.messageId });
    await exchange(services, alice.id, followUp('And now?', third, bing));
    expect(askedOfBing().at(-1)).toMatchObject({ invocationId: '0' });
    expect(askedOfBing().at(-1)?.told).not.toContain('\nHello\n');
  });

  it('gets what another endpoint answered meanwhile', async () => {
    const first = await exchange(services, alice.id, question('One', bing));
    const second = await exchange(services, alice.id, followUp('Two by OpenAI', first));
    expect(second.convo.threadIds).toBeUndefined();
    await exchange(services, alice.id, followUp('Three', second, bing));
    expect(askedOfBing().at(-1)).toMatchObject({ invocationId: '0', told: expect.stringContaining('Two by OpenAI') });
  });

  it('continues after a stopped reply', async () => {
    const input = question('Go on [[never-ending]]', bing);
    await alice.api.messages.ask(input);
    const heard = await upstream.waitForRequest(({ scenario }) => scenario === 'never-ending');
    await untilText(services, alice.id, input.generationId);
    const stopped = await alice.api.messages.abort({ generationId: input.generationId });
    if (!stopped) throw new Error('Nothing was stopped');
    await expect.poll(() => heard.closedEarly).toBe(true);
    await exchange(services, alice.id, followUp('Enough', stopped, bing));
    expect(askedOfBing().at(-1)).toMatchObject({ invocationId: '1', conversationId: askedOfBing()[0]?.conversationId });
  });

  it('gives a title in the precise tone, in a conversation of its own', async () => {
    const { convo } = await exchange(services, alice.id, question('How do I dig a deep well?', bing));
    const read = async () => (await alice.api.convos.byId({ conversationId: convo.conversationId })).title;
    await expect.poll(read).toBe('Dig a Deep Well');
    const titling = upstream.requests.find(({ scenario }) => scenario === 'title');
    expect(JSON.stringify(titling?.body)).toContain('h3precise');
    expect(JSON.stringify(titling?.body)).not.toContain(String(convo.threadIds?.bingConversationId));
  });
});

describe('a ChatGPT thread', () => {
  it('continues each branch at its own position', async () => {
    const first = await exchange(services, alice.id, question('One', chatGPT));
    await exchange(services, alice.id, followUp('Two', first, chatGPT));
    await exchange(services, alice.id, followUp('Two, differently', first, chatGPT));
    const [one, two, other] = askedOfChatGPT();
    expect(one).not.toHaveProperty('conversation_id');
    expect(two?.conversation_id).toBe(first.convo.threadIds?.chatGPTConversationId);
    expect(two?.parent_message_id).toBe(first.convo.threadIds?.chatGPTMessageId);
    expect(other?.parent_message_id).toBe(two?.parent_message_id);
  });

  it('gives its own titles, else the title is made of the question', async () => {
    const titled = await exchange(services, alice.id, question('How do I dig a deep well?', chatGPT));
    const untitled = await exchange(services, alice.id, question('Nameless [[fail-title]]', chatGPT));
    const read = async (id: string) => (await alice.api.convos.byId({ conversationId: id })).title;
    await expect.poll(() => read(titled.convo.conversationId)).toBe('Dig a Deep Well');
    await expect.poll(() => read(untitled.convo.conversationId)).toBe('Nameless [[fail-title]]');
    expect(askedOfChatGPT()).toHaveLength(2);
  });
});
