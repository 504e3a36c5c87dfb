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
  const { url } = upstreams;
  const painter = { DALLE_API_KEY: 'dalle-key', DALLE_REVERSE_PROXY: `${url}/v1` };
  server = await startTestServer({ env: { ...ENV, ...painter, TAVILY_BASE_URL: url } });
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

/** The bodies of the chat requests that contain this, without those for titles. */
function requestsOf(words: string) {
  const asked = server.provider.requests.filter(({ scenario }) => scenario !== undefined && scenario !== 'title');
  const bodies = asked.map(({ body }) => body as Record<string, unknown>);
  return bodies.filter((body) => JSON.stringify(body).includes(words));
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

  it('answers with the tool that was installed, and shows its input and output', async () => {
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

  it('paints at once, since its clients have no question about it, and shows the image in the text', async () => {
    const text = 'Paint. [[call-tool:dalle {"prompt":"a kite"} => Here it is.]]';
    const { responseMessage } = finalOf(await alice.ask(asking(text, ['dalle']), 'gptPlugins'));
    const call = { latest: 'dalle', loading: false, inputs: ['{"prompt":"a kite"}'] };
    expect(responseMessage).toMatchObject({ finish_reason: 'stop', plugins: [call] });
    expect(responseMessage.text).toMatch(/Here it is\.\s+!\[[^\]]*\]\(\/images\/[^)]+\)/);
  });

  it('opens no address that the model made up, and says which and where it can be allowed', async () => {
    // As JSON writes it here, the address stands nowhere in the question.
    const address = `${upstreams.url}/page?d=secret`;
    const args = JSON.stringify({ url: address }).replaceAll('/', '\\/');
    const frames = await alice.ask(asking(`call web-browser ${args}\n[[tool-steps]]`, ['web-browser']), 'gptPlugins');
    const { responseMessage } = finalOf(frames);
    const refusal = `${address} was not opened: neither the person nor a search named this address. It can be allowed on Parley's page, where it is asked about.`;
    expect(responseMessage).toMatchObject({ plugins: [{ loading: false, outputs: expect.stringContaining(refusal) }] });
    expect(responseMessage.text).toContain(refusal);
    expect(upstreams.requests.filter(({ path }) => path === '/page')).toEqual([]);
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
    const last = requestsOf('Compute anew').at(-1);
    expect(JSON.stringify(last)).toContain('It is five, ');
    expect(last).not.toHaveProperty('tools');
  });

  it('answers with the classic agent, whose steps are marks and calls', async () => {
    const text = 'Compute. [[classic:calculator 2 + 3;muse about it;calculator {"input":"6 * 7"}]]';
    const agentOptions = { agent: 'classic', skipCompletion: true, model: 'gpt-4', temperature: 0.5 };
    const frames = await alice.ask(asking(text, ['calculator'], { agentOptions }), 'gptPlugins');
    const { responseMessage, conversation } = finalOf(frames);
    expect(responseMessage.text).toBe(`${MARK}${MARK}${MARK}It is 42.\nAll told.`);
    expect(responseMessage.plugins).toMatchObject([
      { latest: 'calculator', inputs: ['{"input":"2 + 3"}'], outputs: '5', loading: false },
      { latest: 'self-reflection', inputs: ['{"input":"muse about it"}'], loading: false },
      { latest: 'calculator', outputs: '42', loading: false },
    ]);
    expect(textsOf(frames)[0]).toMatchObject({ text: MARK, initial: true, plugins: [{ loading: true }] });
    expect(conversation).toMatchObject({ agentOptions });
    expect(await alice.json(`/api/convos/${conversation.conversationId}`)).toMatchObject({ agentOptions });
    const asked = requestsOf('classic');
    expect(asked).toHaveLength(4);
    for (const body of asked) {
      expect(body).toMatchObject({ model: 'gpt-4', temperature: 0.5, stop: ['\nObservation:'] });
      expect(body).not.toHaveProperty('tools');
    }
    expect(JSON.stringify(asked.at(-1))).toMatch(/Observation: <data[^>]*>\\n42/);
  });

  it('tells the model of the classic agent of a tool that there is not', async () => {
    const agentOptions = { agent: 'classic', skipCompletion: true, model: 'gpt-4', temperature: 0 };
    const asked = asking('Compute. [[classic:abacus 2 + 3;calculator 2 + 3]]', ['calculator'], { agentOptions });
    const { responseMessage } = finalOf(await alice.ask(asked, 'gptPlugins'));
    expect(responseMessage.plugins).toMatchObject([
      { latest: 'abacus', outputs: expect.stringContaining('There is no tool named abacus.') },
      { latest: 'calculator', outputs: '5' },
    ]);
    expect(responseMessage.text).toMatch(/It is 5\.\nAll told\.$/);
  });

  it.each(['classic', 'functions'])('has its reply written from the answer of the agent: %s', async (agent) => {
    const agentOptions = { agent, skipCompletion: false, model: 'gpt-4', temperature: 0 };
    const scenario = agent === 'classic' ? '[[classic:calculator 2 + 4]]' : '[[calculate:2 + 4]]';
    const asked = asking(`Write it with ${agent}. ${scenario}`, ['calculator'], { agentOptions, temperature: 0.7 });
    const { responseMessage } = finalOf(await alice.ask(asked, 'gptPlugins'));
    expect(responseMessage.plugins).toMatchObject([{ latest: 'calculator', outputs: '6' }]);
    const bodies = requestsOf(`Write it with ${agent}`);
    expect(bodies.map(({ temperature }) => temperature)).toEqual([0, 0, 0.7]);
    const last = bodies.at(-1);
    expect(last).not.toHaveProperty('tools');
    expect(JSON.stringify(last)).toContain(agent === 'classic' ? 'It is 6.' : 'That is the result.');
    const { text } = responseMessage as { text: string };
    expect(text.split(MARK)).toHaveLength(2);
    expect(text).not.toContain('Let me see.');
  });

  it('continues an answer after its calls in words, and keeps them', async () => {
    const asked = finalOf(
      await alice.ask(asking('Compute on. [[cut-after-call:3 + 4]]', ['calculator']), 'gptPlugins'),
    );
    const { conversation, requestMessage, responseMessage } = asked;
    const answer = await alice.post('/api/edit/gptPlugins', {
      ...asking(requestMessage.text, ['calculator']),
      conversationId: conversation.conversationId,
      messageId: responseMessage.messageId,
      responseMessageId: responseMessage.messageId,
      parentMessageId: requestMessage.parentMessageId,
      overrideParentMessageId: requestMessage.messageId,
      generation: responseMessage.text,
      isContinued: true,
    });
    expect(await answer.text()).toContain('is there.');
    const [, stored] = await alice.messages(conversation.conversationId);
    expect(stored).toMatchObject({
      messageId: responseMessage.messageId,
      text: `Let me see. ${MARK}The result is there.`,
      plugins: [{ latest: 'calculator', outputs: '7' }],
    });
    expect(requestsOf('Compute on').at(-1)).not.toHaveProperty('tools');
  });

  it('says that the tool of an uninstalled plugin lacks its values', async () => {
    expect((await change('uninstall', 'tavily_search_results_json', { TAVILY_API_KEY: null })).status).toBe(200);
    const text = 'call tavily_search_results_json {"query":"coffee"}\n[[tool-steps]]';
    const final = finalOf(await alice.ask(asking(text, ['tavily_search_results_json']), 'gptPlugins'));
    expect(JSON.stringify(final.responseMessage)).toContain('To use it, add: ');
  });
});
