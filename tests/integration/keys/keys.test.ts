// The keys of users, from saving to removing, in a server that asks in their name.
import { connections, pluginKeys } from '@parley/db/tables/tools';
import { userKeys } from '@parley/db/tables/user-keys';
import { users } from '@parley/db/tables/users';
import { messageText } from '@parley/schema/messages/messages';
import { sweepKeys } from '@parley/server/keys/keys';
import { createUserKey } from '@parley/server/keys/read-key';
import { createEncryption } from '@parley/server/keys/encryption';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exchange, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices({
    OPENAI_API_KEY: 'user_provided',
    OPENAI_MODELS: 'fake:echo,fake:error-401',
    ANTHROPIC_API_KEY: 'of-the-server',
    GOOGLE_KEY: 'user_provided',
  });
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());
beforeEach(async () => {
  await alice.api.keys.removeAll();
  await bob.api.keys.removeAll();
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const hers = { name: 'openAI', value: JSON.stringify({ apiKey: 'sk-hers', baseURL: '' }) };

/** As time would: the row is what it was, an hour later. */
async function expire(userId: string, name: string): Promise<string> {
  const expiresAt = '2024-05-01T12:00:00.000Z';
  await services.deps.db.query
    .update(userKeys)
    .set({ expiresAt })
    .where(and(eq(userKeys.userId, userId), eq(userKeys.name, name)));
  return expiresAt;
}

function stored() {
  return services.deps.db.query.select().from(userKeys);
}

describe('a saved key', () => {
  it('is used for the questions of its user only', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: inAnHour() });
    const { reply } = await exchange(services, alice.id, question('With my own key'));
    expect(messageText(reply)).toBe('With my own key');
    const asked = await services.provider.waitForRequest(isAskedAbout('With my own key'));
    expect(asked.headers.authorization).toBe('Bearer sk-hers');
    await expect(alice.api.messages.ask(question('And I?'))).resolves.toBeDefined();
    await expect(bob.api.messages.ask(question('And I?'))).rejects.toMatchObject({
      cause: { reason: { type: 'no_user_key', endpoint: 'openAI' } },
    });
  });

  it('is listed by name and date, never by value', async () => {
    const expiresAt = inAnHour();
    const saved = await alice.api.keys.save({ ...hers, expiresAt });
    expect(saved).toEqual({ name: 'openAI', expiresAt });
    expect(await alice.api.keys.list()).toEqual([{ name: 'openAI', expiresAt }]);
    expect(await alice.api.keys.expiry({ name: 'openAI' })).toEqual({ expiresAt });
    expect(await bob.api.keys.list()).toEqual([]);
    expect(await bob.api.keys.expiry({ name: 'openAI' })).toEqual({ expiresAt: null });
  });

  it('is stored encrypted', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    const [row] = await stored();
    expect(row?.encrypted).toMatch(/^v1\.[\da-f]{8}\.[\w-]+$/);
    expect(JSON.stringify(row)).not.toContain('sk-hers');
  });

  it('is listed with a date in the far future when it has no expiry', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    expect(await alice.api.keys.list()).toEqual([{ name: 'openAI', expiresAt: null }]);
    expect(await alice.api.keys.expiry({ name: 'openAI' })).toEqual({ expiresAt: '9999-12-31T23:59:59.999Z' });
  });

  it('replaces the previous one', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: inAnHour() });
    await alice.api.keys.save({ name: 'openAI', value: JSON.stringify({ apiKey: 'sk-newer' }), expiresAt: null });
    expect(await alice.api.keys.list()).toEqual([{ name: 'openAI', expiresAt: null }]);
    await exchange(services, alice.id, question('With the newer one'));
    const asked = await services.provider.waitForRequest(isAskedAbout('With the newer one'));
    expect(asked.headers.authorization).toBe('Bearer sk-newer');
  });

  it('was used last when it was asked with last, not before it was saved', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    const { reply } = await exchange(services, alice.id, question('Used for this'));
    const { openAI = '' } = await alice.api.keys.uses();
    // A run and its reply are written in one transaction.
    expect(Date.parse(openAI)).toBe(Date.parse(reply.createdAt));
    expect(openAI).toMatch(/Z$/);
    expect(await bob.api.keys.uses()).toEqual({});
    await alice.api.keys.save({ ...hers, expiresAt: null });
    expect(await alice.api.keys.uses()).toEqual({});
  });

  it('cannot be decrypted for another user or endpoint', async () => {
    await bob.api.keys.save({ ...hers, expiresAt: null });
    const [row] = await stored();
    await services.deps.db.query
      .insert(userKeys)
      .values({ userId: alice.id, name: 'openAI', encrypted: row?.encrypted ?? '' });
    await expect(alice.api.messages.ask(question('With his?'))).rejects.toMatchObject({
      cause: { reason: { type: 'invalid_user_key', endpoint: 'openAI' } },
    });
  });

  it('gives an answer that says so when the provider rejects it', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    const { reply } = await exchange(services, alice.id, question('Hi', { model: 'fake:error-401' }));
    expect(reply.reason).toMatchObject({ type: 'invalid_api_key', endpoint: 'openAI' });
    expect(JSON.stringify(reply)).not.toContain('sk-hers');
  });
});

describe('an expired key', () => {
  it('does not interrupt a running answer', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: inAnHour() });
    const asked = question('Just in time');
    const first = await exchange(services, alice.id, asked);
    await expire(alice.id, 'openAI');
    expect(await exchange(services, alice.id, asked)).toMatchObject({ reply: first.reply });
  });

  it('is refused with its date, until the sweep deletes it', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: inAnHour() });
    await bob.api.keys.save({ ...hers, expiresAt: inAnHour() });
    const expiredAt = await expire(alice.id, 'openAI');
    await expect(alice.api.messages.ask(question('Too late'))).rejects.toMatchObject({
      cause: { reason: { type: 'expired_user_key', endpoint: 'openAI', expiredAt } },
    });
    expect(await alice.api.keys.expiry({ name: 'openAI' })).toEqual({ expiresAt: expiredAt });
    expect((await stored()).map(({ encrypted }) => encrypted)).toEqual(
      expect.arrayContaining(['', expect.stringMatching(/^v1\./)]),
    );
    await sweepKeys(services.deps.db);
    expect((await stored()).map(({ userId }) => userId)).toEqual([bob.id]);
    await expect(alice.api.messages.ask(question('Too late'))).rejects.toMatchObject({
      cause: { reason: { type: 'no_user_key' } },
    });
  });

  it('cannot be saved', async () => {
    const expiresAt = new Date(Date.now() - 1000).toISOString();
    await expect(alice.api.keys.save({ ...hers, expiresAt })).rejects.toMatchObject({
      cause: { reason: { type: 'invalid_input', text: 'expiresAt must be in the future' } },
    });
    expect(await stored()).toEqual([]);
  });
});

describe('saving', () => {
  it.each([
    ['', 'value is required'],
    ['   ', 'value is required'],
  ])('%j is refused: %s', async (value, text) => {
    await expect(alice.api.keys.save({ name: 'openAI', value, expiresAt: null })).rejects.toThrow(text);
  });

  it.each([
    ['openAI', 'sk-a-bare-word', 'value must be a JSON object that has the key in it'],
    ['openAI', '"sk-text"', 'value must be a JSON object that has the key in it'],
    ['openAI', '["sk-list"]', 'value must be a JSON object that has the key in it'],
    ['openAI', '{"apiKey":"sk-1\\r\\nX-Evil: 1"}', 'A key must be one line'],
    ['openAI', '{"apiKey":"sk-1\\nsk-2"}', 'A key must be one line'],
    ['google', 'AIza-bare', 'value must be a JSON object that has the key in it'],
    ['google', '{"GOOGLE_API_KEY":"a\\rb"}', 'A key must be one line'],
  ])('for %s is refused where it could never be used: %j', async (name, value, text) => {
    await expect(alice.api.keys.save({ name, value, expiresAt: null })).rejects.toMatchObject({
      cause: { reason: { type: 'invalid_input', text } },
    });
    expect(await stored()).toEqual([]);
  });

  it('a key file of Google keeps its fields', async () => {
    const file = JSON.stringify({ private_key: '-----BEGIN\nx\n-----END' }, null, 2);
    const value = JSON.stringify({ GOOGLE_API_KEY: '', GOOGLE_SERVICE_KEY: file });
    await alice.api.keys.save({ name: 'google', value, expiresAt: null });
    expect(await stored()).toHaveLength(1);
  });

  it.each(['anthropic', 'azureOpenAI', 'Nowhere', 'openai'])(
    'for %s is refused: it is not offered, or takes no keys of users',
    async (name) => {
      await expect(alice.api.keys.save({ ...hers, name, expiresAt: null })).rejects.toMatchObject({
        cause: { reason: { type: 'not_found', what: 'endpoint' } },
      });
    },
  );

  it.each(['tomorrow', '', '12:00'])('until %j is refused', async (expiresAt) => {
    await expect(alice.api.keys.save({ ...hers, expiresAt })).rejects.toThrow('expiresAt must be an ISO date');
  });

  it('for plugins saves the key of the endpoint behind them', async () => {
    expect(await alice.api.keys.save({ ...hers, name: 'gptPlugins', expiresAt: null })).toMatchObject({
      name: 'openAI',
    });
    expect(await alice.api.keys.expiry({ name: 'gptPlugins' })).toEqual(
      await alice.api.keys.expiry({ name: 'openAI' }),
    );
    const { deps } = services;
    const read = createUserKey(deps.db, createEncryption(deps.secrets.credsKey, []), false);
    expect(await read(alice.id, 'gptPlugins')).toBe(hers.value);
    const readAzure = createUserKey(deps.db, createEncryption(deps.secrets.credsKey, []), true);
    await expect(readAzure(alice.id, 'gptPlugins')).rejects.toMatchObject({
      reason: { type: 'no_user_key', endpoint: 'gptPlugins' },
    });
  });
});

describe('removing', () => {
  it('deletes one key of its user', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    await alice.api.keys.save({ name: 'google', value: '{"GOOGLE_API_KEY":"g"}', expiresAt: null });
    await bob.api.keys.save({ ...hers, expiresAt: null });
    await alice.api.keys.remove({ name: 'openAI' });
    await alice.api.keys.remove({ name: 'openAI' });
    expect(await alice.api.keys.list()).toEqual([{ name: 'google', expiresAt: null }]);
    expect(await bob.api.keys.list()).toEqual([{ name: 'openAI', expiresAt: null }]);
  });

  it('deletes all keys of its user', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    await alice.api.keys.save({ name: 'google', value: '{"GOOGLE_API_KEY":"g"}', expiresAt: null });
    await bob.api.keys.save({ ...hers, expiresAt: null });
    await alice.api.keys.removeAll();
    expect(await alice.api.keys.list()).toEqual([]);
    expect(await bob.api.keys.list()).toHaveLength(1);
  });

  it('deletes all values of plugins and tokens of services of its user', async () => {
    const { query } = services.deps.db;
    expect(await alice.api.keys.hasAny()).toBe(false);
    await alice.api.plugins.install({ key: 'wolfram', values: { WOLFRAM_APP_ID: 'app-of-alice' } });
    expect(await alice.api.keys.hasAny()).toBe(true);
    const signedIn = [alice, bob].map(({ id }) => ({ userId: id, service: 'action:one', encrypted: 'a token' }));
    await query.insert(connections).values(signedIn);
    await alice.api.keys.removeAll();
    expect(await query.select().from(pluginKeys)).toEqual([]);
    expect((await query.select().from(connections)).map(({ userId }) => userId)).toEqual([bob.id]);
    expect(await Promise.all([alice.api.keys.hasAny(), bob.api.keys.hasAny()])).toEqual([false, true]);
  });
});

describe('the readiness of endpoints', () => {
  it('is for administrators, and includes built-in endpoints that are off', async () => {
    expect(await bob.api.endpoints.readiness()).toEqual([]);
    await services.deps.db.query.update(users).set({ role: 'ADMIN' }).where(eq(users.id, alice.id));
    expect(await alice.api.endpoints.readiness()).toEqual([
      { endpoint: 'openAI', state: 'needs_key', why: null },
      { endpoint: 'assistants', state: 'ready', why: null },
      {
        endpoint: 'azureOpenAI',
        state: 'off',
        why: 'neither AZURE_API_KEY nor endpoints.azureOpenAI of the yaml file is set',
      },
      { endpoint: 'google', state: 'needs_key', why: null },
      { endpoint: 'anthropic', state: 'ready', why: null },
      { endpoint: 'bingAI', state: 'off', why: 'BINGAI_TOKEN is not set' },
      { endpoint: 'chatGPTBrowser', state: 'off', why: 'CHATGPT_TOKEN is not set' },
      { endpoint: 'gptPlugins', state: 'needs_key', why: null },
    ]);
  });
});
