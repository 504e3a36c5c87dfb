import { afterAll, beforeAll, expect, it } from 'vitest';
import { Assistant, AssistantDocument } from '../../support/rest/assistant-rules.ts';
import { send, signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ASSISTANTS_API_KEY: 'fake' } });
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

const spec = {
  openapi: '3.0.0',
  info: { title: 'Birds', version: '1' },
  servers: [{ url: 'https://birds.example' }],
  paths: { '/kites': { get: { operationId: 'kites', parameters: [], responses: {} } } },
};

it('an action gives the assistant its functions, and takes them again', async () => {
  const { id } = Assistant.parse(await (await alice.post('/api/assistants', { model: 'gpt-4' })).json());
  const metadata = {
    domain: 'birds.example',
    raw_spec: JSON.stringify(spec),
    auth: { type: 'service_http', authorization_type: 'bearer' },
    api_key: 'secret-of-birds',
  };
  const path = `/api/assistants/actions/${id}`;
  const saved = await alice.post(path, { functions: [{}], metadata, model: 'gpt-4' });
  const text = await saved.text();
  expect([saved.status, text]).toEqual([200, expect.not.stringContaining('secret-of-birds')]);
  const [document, assistant, action] = JSON.parse(text) as [unknown, unknown, { action_id: string }];
  expect(Assistant.parse(assistant).tools).toMatchObject([
    { type: 'function', function: { name: 'kites_action_birds.example' } },
  ]);
  expect(AssistantDocument.parse(document).actions).toEqual([`birds.example_action_${action.action_id}`]);
  expect(action).toMatchObject({
    assistant_id: id,
    metadata: { domain: 'birds.example', auth: { type: 'service_http' } },
  });
  const gone = await send(server.url, 'DELETE', `${path}/${action.action_id}/gpt-4`, undefined, alice.headers);
  expect(gone.status).toBe(200);
  expect(await alice.json(`/api/assistants/${id}`)).toMatchObject({ tools: [] });
  expect(await alice.json('/api/assistants/actions')).toEqual([]);
});

it.each([
  ['basic', '', 200],
  ['bearer', '', 200],
  ['custom', 'X-Key', 200],
  ['custom', '', 400],
])('an action with a key sent as %s and the header "%s" in the form: %i', async (kind, header, status) => {
  const { id } = Assistant.parse(await (await alice.post('/api/assistants', { model: 'gpt-4' })).json());
  const auth = { type: 'service_http', authorization_type: kind, custom_auth_header: header };
  const metadata = {
    domain: 'birds.example',
    raw_spec: JSON.stringify(spec),
    privacy_policy_url: '',
    auth,
    api_key: 'a key',
  };
  const saved = await alice.post(`/api/assistants/actions/${id}`, { functions: [{}], metadata, model: 'gpt-4' });
  expect(saved.status).toBe(status);
  if (status !== 200) return;
  const [, , action] = (await saved.json()) as [unknown, unknown, { metadata: object }];
  expect(action.metadata).toMatchObject({ auth: { type: 'service_http', authorization_type: kind } });
});
