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

it('an action gives the assistant its functions, and takes them again', async () => {
  const { id } = Assistant.parse(await (await alice.post('/api/assistants', { model: 'gpt-4' })).json());
  const spec = {
    openapi: '3.0.0',
    info: { title: 'Birds', version: '1' },
    servers: [{ url: 'https://birds.example' }],
    paths: { '/kites': { get: { operationId: 'kites', parameters: [], responses: {} } } },
  };
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
