// Answers with plugins and the search of the web, from the ask to the saved reply.
import { isLoopCall, messageText, type Message, type ToolCall } from '@parley/schema/messages/messages';
import { readWebSources } from '@parley/schema/tools/web-sources';
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let upstreams: PluginUpstreams;
let alice: Person;

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
  const { url } = upstreams;
  services = await openTestServices({
    OPENAI_MODELS: 'gpt-4',
    WOLFRAM_BASE_URL: url,
    SEARXNG_URL: url,
    DALLE_API_KEY: 'dalle-key',
    DALLE_REVERSE_PROXY: `${url}/v1`,
  });
  alice = await services.as('alice');
});
afterAll(async () => {
  await services.close();
  await upstreams.close();
});

let asked = 0;

/** The model calls the tool once, then answers. Each question is another one: its steps are counted. */
function asking(tool: string, args: object, tools = [tool]) {
  asked += 1;
  const words = `Please, number ${asked} [[call-tool:${tool} ${JSON.stringify(args)}]]`;
  return question(words, { model: 'gpt-4', settings: { tools } });
}

function callsOf({ parts }: Pick<Message, 'parts'>): ToolCall[] {
  return parts.filter(isLoopCall).map(({ call }) => call);
}

describe('an answer', () => {
  it('is given with a plugin that the person has saved a value for', async () => {
    await alice.api.plugins.install({ key: 'wolfram', values: { WOLFRAM_APP_ID: 'app-of-alice' } });
    const { reply } = await exchange(services, alice.id, asking('wolfram', { nl_query: '6*7' }));
    expect(callsOf(reply)).toMatchObject([
      {
        name: 'wolfram',
        state: 'done',
        from: { source: 'plugin', id: 'wolfram', label: 'Wolfram' },
        output: expect.stringContaining('42'),
      },
    ]);
    expect(upstreams.requests.at(-1)?.query.appid).toBe('app-of-alice');
    expect(messageText(reply)).toContain('That was it.');
    expect(JSON.stringify(reply)).not.toContain('app-of-alice');
  });

  it('is given with numbered sources of the web', async () => {
    const { reply } = await exchange(services, alice.id, asking('web_search', { query: 'tower' }));
    const [call] = callsOf(reply);
    expect(call).toMatchObject({ state: 'done', from: { source: 'builtin', id: 'web_search' } });
    expect(readWebSources(call?.output ?? '')).toMatchObject([{ n: 1, url: 'https://tower.example/' }]);
  });

  it('waits for leave to make an image, and shows it', async () => {
    const waiting = await exchange(services, alice.id, asking('dalle', { prompt: 'a kite' }));
    expect(callsOf(waiting.reply)).toMatchObject([{ state: 'waiting', needs: 'approval' }]);
    const { messageId } = waiting.reply;
    const { reply } = await exchange(services, alice.id, {
      ...question('', { model: 'gpt-4', settings: waiting.convo.settings }),
      conversationId: waiting.convo.conversationId,
      replyId: messageId,
      target: { kind: 'resume', messageId, decisions: { '0:0': 'allow' } },
    });
    expect(callsOf(reply)).toMatchObject([
      { state: 'done', outputs: [{ type: 'image', prompt: 'A careful picture of a kite', width: 1, height: 1 }] },
    ]);
  });

  it('goes on without a plugin that lacks its values', async () => {
    const { reply } = await exchange(services, alice.id, asking('serpapi', { input: 'x' }));
    expect(JSON.stringify(reply.parts)).toContain('To use it, add: SerpAPI API key.');
    expect(callsOf(reply).map(({ state }) => state)).not.toContain('done');
  });
});

describe('the tools to choose', () => {
  it('are listed by keys that are unique over all sources', async () => {
    const list = await alice.api.tools.list();
    const keys = list.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining(['calculator', 'web_search', 'web_page', 'wolfram', 'CodeBrew']));
  });
});
