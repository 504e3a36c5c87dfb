// The endpoint of assistants as the operator configures it.
import { assistants } from '@parley/db/tables/assistants';
import { listAssistants } from '@parley/server/assistants/assistants';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { askAssistant, Assistant, type AssistantFrames } from '../../support/rest/assistant-rules.ts';
import { NO_PARENT, signUp } from '../../support/rest/client.ts';
import { startTestServer } from '../../support/server.ts';
import { openEndpoints } from '../../support/endpoints.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const azure = `
endpoints:
  azureOpenAI:
    assistants: true
    groups:
      - group: west
        apiKey: west-key
        instanceName: west
        version: 2024-10-21
        assistants: true
        models:
          gpt-4: { deploymentName: four }
          gpt-4-vision: { deploymentName: seeing, assistants: false }
      - group: east
        apiKey: east-key
        instanceName: east
        deploymentName: three
        version: 2024-10-21
        models: { gpt-3.5-turbo: true }
`;

describe('the endpoint of assistants', () => {
  it('is there without a key of its own, behind the others', async () => {
    const endpoints = await openEndpoints({ env: { OPENAI_API_KEY: 'k' } });
    expect(endpoints.list().map(({ name }) => name)).toEqual(['openAI', 'gptPlugins', 'assistants']);
  });

  it('has models of its own by default, and those of ASSISTANTS_MODELS', async () => {
    const usual = (await openEndpoints({ env: { ASSISTANTS_API_KEY: 'k' } })).assert('assistants');
    const models = await usual.models('alice');
    expect(models).toHaveLength(13);
    expect(models[0]).toBe('gpt-3.5-turbo-0125');
    expect(await usual.target('alice', 'gpt-4')).toMatchObject({ baseURL: 'https://api.openai.com/v1', apiKey: 'k' });
    const env = { ASSISTANTS_API_KEY: 'k', ASSISTANTS_MODELS: 'a,b', ASSISTANTS_BASE_URL: 'https://a.example/v1' };
    const named = (await openEndpoints({ env })).assert('assistants');
    expect(await named.models('alice')).toEqual(['a', 'b']);
    expect(await named.target('alice', 'a')).toMatchObject({ baseURL: 'https://a.example/v1' });
  });

  it('uses no tools where the operator has switched them off', async () => {
    const env = { ASSISTANTS_API_KEY: 'k', TOOLS: 'off' };
    const { config } = (await openEndpoints({ env })).assert('assistants');
    expect(config.capabilities).toEqual(['image_vision', 'retrieval']);
  });

  it('asks with the keys of users where they bring them', async () => {
    const userKey = async () => JSON.stringify({ apiKey: 'hers', baseURL: 'https://hers.example/v1' });
    const env = { ASSISTANTS_API_KEY: 'user_provided', ASSISTANTS_BASE_URL: 'user_provided' };
    const endpoint = (await openEndpoints({ env, userKey })).assert('assistants');
    expect(endpoint.config).toMatchObject({ userProvide: true, userProvideURL: true });
    expect(await endpoint.target('alice', 'gpt-4')).toMatchObject({
      apiKey: 'hers',
      baseURL: 'https://hers.example/v1',
    });
  });

  it('is Azure where its groups answer for assistants, with the models that do', async () => {
    const endpoints = await openEndpoints({ yaml: azure });
    const endpoint = endpoints.assert('assistants');
    expect(endpoint.config).toMatchObject({
      userProvide: false,
      capabilities: ['tools', 'actions', 'code_interpreter'],
    });
    expect(await endpoint.models('alice')).toEqual(['gpt-4']);
    expect(await endpoint.target('alice', 'gpt-4')).toMatchObject({
      apiKey: 'west-key',
      baseURL: 'https://west.openai.azure.com/openai/deployments/four',
    });
    expect(await endpoints.assert('azureOpenAI').models('alice')).toHaveLength(3);
  });
});

describe('the ids that an operator lists', () => {
  let services: TestServices;
  let alice: Person;

  beforeAll(async () => {
    services = await openTestServices();
    alice = await services.as('alice');
    const rows = ['asst_1', 'asst_2', 'asst_3'].map((id) => ({ userId: alice.id, id, model: 'm' }));
    await services.deps.db.query.insert(assistants).values(rows);
  });
  afterAll(() => services.close());

  it.each([
    ['supported', { supportedIds: ['asst_2', 'asst_9'], excludedIds: ['asst_2'] }, ['asst_2']],
    ['excluded', { supportedIds: undefined, excludedIds: ['asst_2'] }, ['asst_1', 'asst_3']],
  ])('as %s narrow the list', async (_, ids, shown) => {
    const rules = { ...ids, capabilities: [], retrievalModels: [], allowsSharing: true };
    const page = { order: 'asc' as const, limit: 10 };
    const { assistants: found } = await listAssistants(services.deps.db, alice.id, page, rules);
    expect(found.map(({ assistantId }) => assistantId).toSorted()).toEqual(shown);
  });
});

/** No other timer is as long. */
const LONGEST_MS = 3_600_123;

it('ends a run whose time is over, and keeps its text', async () => {
  const yaml = `version: 1.0.7\nendpoints: { assistants: { timeoutMs: ${LONGEST_MS}, titleConvo: false } }`;
  const env = {
    ASSISTANTS_API_KEY: 'fake',
    ASSISTANTS_MODELS: 'fake:never-ending',
  };
  const upstream = await startTestServer();
  const server = await startTestServer({
    yaml,
    env: { ...env, ASSISTANTS_BASE_URL: `${upstream.provider.url}/v1` },
  });
  const carol = await signUp(server.url, 'carol');
  const made = await carol.post('/api/assistants', { model: 'fake:never-ending' });
  const { id } = Assistant.parse(await made.json());
  const body = { text: 'Go on', parentMessageId: NO_PARENT, conversationId: null, endpoint: 'assistants' };
  const clock = vi.spyOn(globalThis, 'setTimeout');
  const timeIsOver = () => void clock.mock.calls.find(([, ms]) => ms === LONGEST_MS)?.[0]();
  const onFrame = ({ texts }: AssistantFrames) => {
    if (texts.join('').length > 20) timeIsOver();
  };
  const { broken } = await askAssistant(carol, { ...body, assistant_id: id }, { onFrame });
  clock.mockRestore();
  const answer = broken?.runMessages.at(-1);
  expect(answer).toMatchObject({ finish_reason: 'incomplete', error: false, unfinished: false });
  expect(answer?.text.length).toBeGreaterThan(5);
  expect(answer?.content?.map(({ type }) => type)).toEqual(['text', 'error']);
  await server.close();
  await upstream.close();
});
