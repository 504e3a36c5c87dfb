// What the operator sets for the plugins endpoint: its models, and whether Azure is asked.
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { finalOf, question, signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let azure: FakeProvider;
let server: TestServer;
let alice: Client;

beforeAll(async () => {
  azure = await startFakeProvider();
  const env = {
    OPENAI_MODELS: 'gpt-4',
    PLUGIN_MODELS: 'gpt-4,gpt-3.5-turbo',
    PLUGINS_USE_AZURE: 'true',
    AZURE_API_KEY: 'k',
    AZURE_OPENAI_API_VERSION: '2024-02-01',
    AZURE_OPENAI_BASEURL: `${azure.url}/openai/deployments/\${DEPLOYMENT_NAME}`,
    AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
    AZURE_OPENAI_MODELS: 'gpt-4',
  };
  server = await startTestServer({ env });
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await server.close();
  await azure.close();
});

it('offers the models of PLUGIN_MODELS, and says that Azure is asked', async () => {
  expect(await alice.json('/api/endpoints')).toMatchObject({ gptPlugins: { azure: true } });
  expect(await alice.json('/api/models')).toMatchObject({ gptPlugins: ['gpt-4', 'gpt-3.5-turbo'] });
});

it('asks Azure, with the deployment of the model of the agent', async () => {
  const agentOptions = { agent: 'classic', skipCompletion: false, model: 'gpt-3.5-turbo', temperature: 0.1 };
  const body = question('Ask Azure. [[classic:calculator 2 + 3]]', {
    endpoint: 'gptPlugins',
    model: 'gpt-4',
    tools: ['calculator'],
    agentOptions,
  });
  const { responseMessage } = finalOf(await alice.ask(body, 'gptPlugins'));
  expect(responseMessage).toMatchObject({ plugins: [{ latest: 'calculator', outputs: '5' }] });
  const asked = azure.requests.filter(({ scenario }) => scenario?.startsWith('classic'));
  expect(asked.map(({ path }) => /deployments\/([^/]+)/.exec(path)?.[1])).toEqual([
    'gpt-35-turbo',
    'gpt-35-turbo',
    'gpt-4',
  ]);
  expect(server.provider.requests.filter(({ scenario }) => scenario?.startsWith('classic'))).toEqual([]);
});

it('asks gpt-3.5-turbo at temperature 0 while tools are used, unless an agent is chosen', async () => {
  const body = question('Compute it. [[calculate:2 + 3]]', {
    endpoint: 'gptPlugins',
    model: 'gpt-4',
    tools: ['calculator'],
    temperature: 0.7,
  });
  const { responseMessage } = finalOf(await alice.ask(body, 'gptPlugins'));
  expect(responseMessage).toMatchObject({ plugins: [{ latest: 'calculator', outputs: '5' }] });
  const asked = azure.requests.filter(({ body: sent }) => JSON.stringify(sent).includes('Compute it.'));
  const steps = asked.filter(({ scenario }) => scenario?.startsWith('calculate'));
  expect(steps.map(({ path }) => /deployments\/([^/]+)/.exec(path)?.[1])).toEqual(['gpt-35-turbo', 'gpt-35-turbo']);
  expect(steps.map(({ body: sent }) => (sent as { temperature?: unknown }).temperature)).toEqual([0, 0]);
});

it('asks the model of the conversation, at its own temperature, where no tools are used', async () => {
  const body = question('Say it. [[echo]]', { endpoint: 'gptPlugins', model: 'gpt-4', temperature: 0.7 });
  await alice.ask(body, 'gptPlugins');
  const asked = azure.requests.find(({ body: sent }) => JSON.stringify(sent).includes('Say it.'));
  expect(asked?.path).toContain('/deployments/gpt-4/');
  expect(asked?.body).toMatchObject({ temperature: 0.7 });
});
