// Existing clients parse what they are sent, and fail on a null where a field is optional. `ask` holds each
// frame against those rules; here many kinds of exchanges go by, and what is saved of them is looked at in the same
// way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Conversation, Final, Message } from '../../../support/rest/client-rules.ts';
import { begin, createdOf, question, regenerate, signUp, type Client } from '../../../support/rest/client.ts';

const SETTINGS = {
  chatGptLabel: 'Marvin',
  promptPrefix: 'Be gloomy',
  temperature: 0.7,
  top_p: 0.9,
  frequency_penalty: 0.5,
  presence_penalty: -0.5,
  stop: ['END'],
  resendFiles: false,
  imageDetail: 'low',
};
const NULLS = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, null]));

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { STREAM_FIRST_TIMEOUT: '5000', STREAM_IDLE_TIMEOUT: '5000' } });
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

const SCENARIOS = ['plain', 'echo', 'markdown', 'emoji', 'surrogates', 'unicode', 'reasoning', 'tool', 'length'];
const ENDS = ['refusal', 'no-usage', 'usage-odd', 'empty', 'error-500', 'quota', 'cut', 'stall', 'silent', 'malformed'];

describe('nothing optional is null', () => {
  it.each([...SCENARIOS, ...ENDS])('in an exchange that is %s, and in its saved messages', async (scenario) => {
    const frames = await alice.ask(question(`[[${scenario}]]`, { model: 'gpt-4' }));
    await holdAgainstRules(createdOf(frames).conversationId);
  });

  it('with every setting set, which returns as it was sent', async () => {
    const frames = await alice.ask(question('Hi', SETTINGS));
    const { conversationId } = createdOf(frames);
    await holdAgainstRules(conversationId);
    expect(await alice.json(`/api/convos/${conversationId}`)).toMatchObject(SETTINGS);
  });

  it('with every setting sent as null', async () => {
    const { conversationId } = createdOf(await alice.ask(question('Hi', NULLS)));
    await holdAgainstRules(conversationId);
    expect(Object.keys(Conversation.parse(await alice.json(`/api/convos/${conversationId}`)))).not.toContain('stop');
  });

  it('with every field of clients that is no setting', async () => {
    const agentOptions = { agent: 'functions', skipCompletion: true, model: 'gpt-4', temperature: 0 };
    const along = {
      agentOptions,
      tools: [],
      files: null,
      thread_id: null,
      examples: [],
      modelLabel: null,
      jailbreak: null,
    };
    await holdAgainstRules(createdOf(await alice.ask(question('Hi', along))).conversationId);
  });

  it('with tools, of which one is no plugin', async () => {
    const frames = await alice.ask(question('Hi', { model: 'gpt-4', tools: ['calculator', 'file_search'] }));
    const { conversationId } = createdOf(frames);
    await holdAgainstRules(conversationId);
    expect(await alice.json(`/api/convos/${conversationId}`)).toMatchObject({
      tools: [{ name: 'Calculator' }, { pluginKey: 'file_search', name: 'file_search' }],
    });
  });

  it('in a regenerated and a stopped answer', async () => {
    const first = await alice.ask(question('Hi', { model: 'gpt-4' }));
    const again = Final.parse(first.at(-1)?.data);
    await alice.ask(regenerate(again));
    const running = await begin(alice, regenerate(again, { model: 'fake:never-ending' }));
    const { conversationId } = running.created;
    await holdAgainstRules(conversationId);
    Final.parse(await (await alice.stop(conversationId)).json());
    await running.rest();
    await holdAgainstRules(conversationId);
  });

  it('in the list', async () => {
    const { conversations } = (await alice.json('/api/convos')) as { conversations: unknown[] };
    expect(Conversation.array().parse(conversations).length).toBeGreaterThan(10);
  });
});

async function holdAgainstRules(conversationId: string): Promise<void> {
  Conversation.parse(await alice.json(`/api/convos/${conversationId}`));
  Message.array()
    .min(2)
    .parse(await alice.json(`/api/messages/${conversationId}`));
}
