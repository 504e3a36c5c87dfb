// The keys of users under the REST paths of existing clients.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerRequests } from '../../../support/exchange.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { errorOf, finalOf, followUp, question, send, signUp, type Client } from '../../../support/rest/client.ts';

const yaml = `
version: 1.0.7
endpoints:
  custom:
    - { name: Own place, apiKey: user_provided, baseURL: user_provided, models: { default: [fake:echo] } }
`;

let server: TestServer;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  const env = { OPENAI_API_KEY: 'user_provided', OPENAI_MODELS: 'fake:echo', ANTHROPIC_API_KEY: 'user_provided' };
  server = await startTestServer({ yaml, env });
  alice = await signUp(server.url, 'alice');
  bob = await signUp(server.url, 'bob');
});
afterAll(() => server.close());
beforeEach(async () => {
  await remove(alice, '/api/keys?all=true');
  await remove(bob, '/api/keys?all=true');
});

function put(client: Client, body: unknown): Promise<Response> {
  return send(server.url, 'PUT', '/api/keys', body, client.headers);
}

function remove(client: Client, path: string): Promise<Response> {
  return send(server.url, 'DELETE', path, undefined, client.headers);
}

const expiryOf = (client: Client, name: string) => client.json(`/api/keys?name=${encodeURIComponent(name)}`);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const value = JSON.stringify({ apiKey: 'sk-hers', baseURL: '' });

describe('a key', () => {
  it('is saved with an empty response, and listed by its date', async () => {
    const expiresAt = inAnHour();
    const response = await put(alice, { name: 'openAI', value, expiresAt });
    expect([response.status, await response.text()]).toEqual([201, '']);
    expect(await expiryOf(alice, 'openAI')).toEqual({ expiresAt });
    expect(await expiryOf(bob, 'openAI')).toEqual({ expiresAt: null });
    expect(await expiryOf(alice, 'anthropic')).toEqual({ expiresAt: null });
  });

  it('is used for the questions of its user', async () => {
    await put(alice, { name: 'openAI', value, expiresAt: inAnHour() });
    const body = question('With my key', { key: inAnHour() });
    expect(finalOf(await alice.ask(body)).responseMessage.text).toBe('With my key');
    expect(answerRequests(server.provider).at(-1)?.headers.authorization).toBe('Bearer sk-hers');
    expect(errorOf(await bob.ask(question('With hers?'))).text).toBe('{"type":"no_user_key"}');
  });

  it('reports since when it has expired', async () => {
    await put(alice, { name: 'openAI', value, expiresAt: inAnHour() });
    await server.db.sql`update user_keys set expires_at = '2024-05-01T12:00:00Z'`;
    const { text } = errorOf(await alice.ask(question('Too late')));
    const expiredAt = new Date('2024-05-01T12:00:00Z').toLocaleString('en-US');
    expect(JSON.parse(text ?? '')).toEqual({ type: 'expired_user_key', expiredAt, endpoint: 'openAI' });
  });

  it('that was erased after its expiry is called expired as long as its client says when that was', async () => {
    const key = '2024-05-01T12:00:00.000Z';
    const { text } = errorOf(await alice.ask(question('Too late', { key })));
    const expiredAt = new Date(key).toLocaleString('en-US');
    expect(JSON.parse(text ?? '')).toEqual({ type: 'expired_user_key', expiredAt, endpoint: 'openAI' });
    await put(alice, { name: 'openAI', value });
    const first = finalOf(await alice.ask(question('In time')));
    await remove(alice, '/api/keys/openAI');
    errorOf(await alice.ask(followUp('Too late again', first, { key })));
    expect((await alice.messages(first.conversation.conversationId)).at(-1)?.text).toBe(text);
    for (const odd of [inAnHour(), 'soon', ''])
      expect(errorOf(await alice.ask(question('None', { key: odd }))).text).toBe('{"type":"no_user_key"}');
  });

  it('ignores other fields of clients, and may have no expiry', async () => {
    expect((await put(alice, { name: 'openAI', value, user: bob.id })).status).toBe(201);
    expect(await expiryOf(alice, 'openAI')).toEqual({ expiresAt: '9999-12-31T23:59:59.999Z' });
    expect(await expiryOf(bob, 'openAI')).toEqual({ expiresAt: null });
  });

  it.each([
    [{ name: 'openAI', expiresAt: null }, 422, 'value is required'],
    [{ name: 'openAI', value: '', expiresAt: null }, 422, 'value is required'],
    [{ name: 'openAI', value: 'k'.repeat(16_385), expiresAt: null }, 422, 'value takes at most 16384 characters'],
    [{ value: 'x' }, 422, 'name'],
    [{ name: 'openAI', value: 'x', expiresAt: 'soon' }, 422, 'expiresAt must be an ISO date'],
    [{ name: 'openAI', value: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 422, 'expiresAt must be in the future'],
    [{ name: 'anthropic', value: 'sk-hers\r\nX-Evil: 1' }, 422, 'A key must be one line'],
    [{ name: 'anthropic', value: 'sk-hers\nX-Evil: 1' }, 422, 'A key must be one line'],
    [{ name: 'anthropic', value: 'sk-hers\u0000' }, 422, 'A key must be one line'],
    [{ name: 'openAI', value: JSON.stringify({ apiKey: 'sk-hers\r\nX-Evil: 1' }) }, 422, 'A key must be one line'],
    [{ name: 'Nowhere', value: 'x' }, 404, 'endpoint was not found'],
    [{ name: 'open\r\nAI', value: 'x' }, 404, 'endpoint was not found'],
  ])('as %j is refused with %i and a sentence', async (body, status, sentence) => {
    const response = await put(alice, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message: expect.stringContaining(sentence) });
  });

  it.each(['http://127.0.0.1:5432', 'https://169.254.169.254/latest', 'nowhere'])(
    'for a forbidden address is refused: %s',
    async (baseURL) => {
      const response = await put(alice, { name: 'Own place', value: JSON.stringify({ apiKey: 'sk-hers', baseURL }) });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ message: expect.stringContaining('may not be called') });
      expect(await expiryOf(alice, 'Own place')).toEqual({ expiresAt: null });
    },
  );
});

describe('deleting keys', () => {
  it('deletes one with an empty response, by a name with a space, too', async () => {
    await put(alice, { name: 'openAI', value });
    await put(alice, { name: 'Own place', value });
    const response = await remove(alice, '/api/keys/Own%20place');
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await expiryOf(alice, 'Own place')).toEqual({ expiresAt: null });
    expect(await expiryOf(alice, 'openAI')).not.toEqual({ expiresAt: null });
    expect((await remove(alice, '/api/keys/Own%20place')).status).toBe(204);
  });

  it.each(['', 'never', null, undefined])('that expires at %j lasts until it is revoked', async (expiresAt) => {
    expect((await put(alice, { name: 'openAI', value, expiresAt })).status).toBe(201);
    expect(await expiryOf(alice, 'openAI')).toEqual({ expiresAt: '9999-12-31T23:59:59.999Z' });
  });

  it('deletes all of one user only', async () => {
    await put(alice, { name: 'openAI', value });
    await put(alice, { name: 'anthropic', value: 'ant-1' });
    await put(bob, { name: 'openAI', value });
    expect((await remove(alice, '/api/keys?all=true')).status).toBe(204);
    expect(await expiryOf(alice, 'openAI')).toEqual({ expiresAt: null });
    expect(await expiryOf(alice, 'anthropic')).toEqual({ expiresAt: null });
    expect(await expiryOf(bob, 'openAI')).not.toEqual({ expiresAt: null });
  });

  it.each(['', '?all=', '?all=false', '?all=TRUE', '?all=1'])('%j deletes nothing', async (query) => {
    await put(alice, { name: 'openAI', value });
    const response = await remove(alice, `/api/keys${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.any(String) });
    expect(await expiryOf(alice, 'openAI')).not.toEqual({ expiresAt: null });
  });
});
