// The builder where the operator has closed it.
import { assistants } from '@parley/db/tables/assistants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUp, send, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { formOf, postForm } from '../../support/uploads.ts';

let server: TestServer;
let alice: Client;
const id = `asst_${'a'.repeat(24)}`;

beforeAll(async () => {
  server = await startTestServer({
    env: { OPENAI_API_KEY: 'fake', OPENAI_MODELS: 'fake:echo' },
    yaml: 'version: 1.0.7\nendpoints: { assistants: { disableBuilder: true } }',
  });
  alice = await signUp(server.url, 'alice');
  await server.db.query.insert(assistants).values({ userId: alice.id, id, model: 'fake:echo', name: 'Hers' });
});
afterAll(() => server.close());

const SENTENCE = 'Assistants cannot be created or changed on this server.';

it('every write is refused with a sentence: creating, changing, actions, files and images', async () => {
  const action = { functions: [{}], metadata: { domain: 'a.example', raw_spec: '{}' } };
  const attempts = [
    alice.post('/api/assistants', { model: 'fake:echo' }),
    send(server.url, 'PATCH', `/api/assistants/${id}`, { name: 'Else' }, alice.headers),
    alice.post(`/api/assistants/actions/${id}`, action),
    send(server.url, 'DELETE', `/api/assistants/actions/${id}/one/gpt-4`, undefined, alice.headers),
  ];
  for (const response of await Promise.all(attempts)) {
    expect([response.url, response.status]).toEqual([response.url, 403]);
    expect(await response.text()).toContain(SENTENCE);
  }
  // Uploads have the status that clients know of every upload that failed.
  const form = formOf({ bytes: new Uint8Array([1]), name: 'a.png' });
  const image = await postForm(server.url, alice, `/api/assistants/avatar/${id}`, form);
  expect([image.status, await image.text()]).toEqual([500, expect.stringContaining(SENTENCE)]);
  expect(await alice.json(`/api/assistants/${id}`)).toMatchObject({ name: 'Hers' });
  expect(await server.db.query.$count(assistants)).toBe(1);
});

it('its own assistants can be listed and deleted still', async () => {
  expect(await alice.json('/api/assistants')).toMatchObject({ data: [{ id }] });
  expect((await send(server.url, 'DELETE', `/api/assistants/${id}`, undefined, alice.headers)).status).toBe(200);
});
