// The plugins endpoint as existing clients use it: a plugin is installed, answers a question, and is uninstalled.
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finalOf, question, signUp, textsOf, type Client } from '../../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
let upstreams: PluginUpstreams;
let alice: Client;

const ENV = { OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo-instruct,gpt-4-0613,text-davinci-003,gpt-4-0314' };
const MARK = ':::plugin:::\n';

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
  server = await startTestServer({ env: { ...ENV, TAVILY_BASE_URL: upstreams.url } });
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await server.close();
  await upstreams.close();
});

/** A question of the endpoint, with whole plugins as its clients send them. */
function asking(text: string, keys: string[], over: object = {}) {
  const tools = keys.map((pluginKey) => ({ pluginKey, name: pluginKey, authConfig: [] }));
  return question(text, { endpoint: 'gptPlugins', model: 'gpt-4', tools, ...over });
}

function change(action: 'install' | 'uninstall', pluginKey: string, auth: object | null) {
  return alice.post('/api/user/plugins', { pluginKey, action, auth });
}

describe('the plugins endpoint', () => {
  it('is offered with the names of the plugins, both agents and the models that take tools', async () => {
    const endpoints = (await alice.json('/api/endpoints')) as Record<string, object>;
    expect(endpoints.gptPlugins).toMatchObject({
      plugins: { calculator: 'Calculator', dalle: 'DALL-E-3', web_search: 'Web Search' },
      availableAgents: ['classic', 'functions'],
      userProvide: false,
      azure: false,
      order: 6,
    });
    expect(await alice.json('/api/models')).toMatchObject({ gptPlugins: ['gpt-4'] });
  });

  it('answers with the tool that was installed, and says what it was asked and what came back', async () => {
    expect((await change('install', 'tavily_search_results_json', { TAVILY_API_KEY: 'tavily-key' })).status).toBe(200);
    const text = 'call tavily_search_results_json {"query":"tea"}\n[[tool-steps]]';
    const frames = await alice.ask(asking(text, ['tavily_search_results_json']), 'gptPlugins');
    const texts = textsOf(frames);
    expect(texts[0]).toMatchObject({ text: MARK, initial: true, plugins: [{ loading: true, outputs: '' }] });
    expect(texts.slice(1).every(({ initial }) => !initial)).toBe(true);
    const final = finalOf(frames);
    const call = {
      loading: false,
      inputs: [expect.stringContaining('tea')],
      latest: 'tavily_search_results_json',
      outputs: expect.stringContaining('http'),
    };
    expect(final.responseMessage).toMatchObject({ endpoint: 'gptPlugins', plugins: [call] });
    expect(final.responseMessage.text).toMatch(/^:::plugin:::\nThe tools say:/);
    expect(final.responseMessage).not.toHaveProperty('content');
    expect(texts.at(-1)).toMatchObject({ text: final.responseMessage.text, plugins: [call] });
    expect(final.conversation).toMatchObject({
      endpoint: 'gptPlugins',
      tools: [{ pluginKey: 'tavily_search_results_json', name: 'Tavily Search', authConfig: [{}] }],
    });
    const [, stored] = await alice.messages(final.conversation.conversationId);
    expect(stored).toMatchObject({ text: final.responseMessage.text, plugins: [call] });
  });

  it('marks each call of an answer', async () => {
    const frames = await alice.ask(asking('Compute. [[calculate:2 + 3;6 * 7]]', ['calculator']), 'gptPlugins');
    const { responseMessage } = finalOf(frames);
    expect(responseMessage.text).toBe(`Let me see. ${MARK}Let me see. ${MARK}That is the result.`);
    expect(responseMessage.plugins).toMatchObject([
      { latest: 'calculator', outputs: '5', inputs: ['{"input":"2 + 3"}'] },
      { latest: 'calculator', outputs: '42', inputs: ['{"input":"6 * 7"}'] },
    ]);
  });

  it('is a plain answer without tools', async () => {
    const { responseMessage } = finalOf(await alice.ask(asking('Hello [[echo]]', []), 'gptPlugins'));
    expect(responseMessage).not.toHaveProperty('plugins');
    expect(responseMessage.text).not.toContain(MARK);
  });

  it('continues an edited answer, whose calls are one entry', async () => {
    const asked = finalOf(await alice.ask(asking('Compute anew. [[calculate:2 + 3]]', ['calculator']), 'gptPlugins'));
    const { conversation, requestMessage, responseMessage } = asked;
    const frames = await alice.post('/api/edit/gptPlugins', {
      ...asking(requestMessage.text, ['calculator']),
      conversationId: conversation.conversationId,
      messageId: responseMessage.messageId,
      responseMessageId: responseMessage.messageId,
      parentMessageId: requestMessage.parentMessageId,
      overrideParentMessageId: requestMessage.messageId,
      generation: 'It is five, ',
      isEdited: true,
    });
    expect(frames.status).toBe(200);
    expect(await frames.text()).toContain('It is five, ');
  });

  it('says that the tool of an uninstalled plugin lacks its values', async () => {
    expect((await change('uninstall', 'tavily_search_results_json', { TAVILY_API_KEY: null })).status).toBe(200);
    const text = 'call tavily_search_results_json {"query":"coffee"}\n[[tool-steps]]';
    const final = finalOf(await alice.ask(asking(text, ['tavily_search_results_json']), 'gptPlugins'));
    expect(JSON.stringify(final.responseMessage)).toContain('values that are not saved yet');
  });
});
