// The keys of users, from saving to removing, in a server that asks in their name.
import { userKeys } from '@parley/db/tables/user-keys';
import { textOf } from '@parley/schema/messages';
import { sweepKeys } from '@parley/server/keys/keys';
import { createUserKey } from '@parley/server/keys/read-key';
import { createSeal } from '@parley/server/keys/seal';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exchange, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';

let rooms: TestRooms;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  rooms = await openTestRooms({
    OPENAI_API_KEY: 'user_provided',
    OPENAI_MODELS: 'fake:echo,fake:error-401',
    ANTHROPIC_API_KEY: 'of-the-server',
    GOOGLE_KEY: 'user_provided',
  });
  alice = await rooms.as('alice');
  bob = await rooms.as('bob');
});
afterAll(() => rooms.close());
beforeEach(async () => {
  await alice.api.keys.removeAll();
  await bob.api.keys.removeAll();
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const hers = { name: 'openAI', value: JSON.stringify({ apiKey: 'sk-hers', baseURL: '' }) };

/** As time would: the row is what it was, an hour later. */
async function expire(userId: string, name: string): Promise<string> {
  const expiresAt = '2024-05-01T12:00:00.000Z';
  await rooms.deps.db.query
    .update(userKeys)
    .set({ expiresAt })
    .where(and(eq(userKeys.userId, userId), eq(userKeys.name, name)));
  return expiresAt;
}

function stored() {
  return rooms.deps.db.query.select().from(userKeys);
}

describe('a saved key', () => {
  it('is what its user’s questions are asked with, and nobody else’s', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: inAnHour() });
    const { reply } = await exchange(rooms, alice.id, question('With my own key'));
    expect(textOf(reply)).toBe('With my own key');
    const asked = await rooms.provider.waitForRequest(isAskedAbout('With my own key'), 5000);
    expect(asked.headers.authorization).toBe('Bearer sk-hers');
    await expect(alice.api.messages.ask(question('And I?'))).resolves.toBeDefined();
    await expect(bob.api.messages.ask(question('And I?'))).rejects.toMatchObject({
      cause: { reason: { type: 'no_user_key', endpoint: 'openAI' } },
    });
  });

  it('is told by name and date, never by what it is', async () => {
    const expiresAt = inAnHour();
    const saved = await alice.api.keys.save({ ...hers, expiresAt });
    expect(saved).toEqual({ name: 'openAI', expiresAt });
    expect(await alice.api.keys.list()).toEqual([{ name: 'openAI', expiresAt }]);
    expect(await alice.api.keys.expiry({ name: 'openAI' })).toEqual({ expiresAt });
    expect(await bob.api.keys.list()).toEqual([]);
    expect(await bob.api.keys.expiry({ name: 'openAI' })).toEqual({ expiresAt: null });
  });

  it('is kept as nothing that anybody could read', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    const [row] = await stored();
    expect(row?.sealed).toMatch(/^v1\.[\da-f]{8}\.[\w-]+$/);
    expect(JSON.stringify(row)).not.toContain('sk-hers');
  });

  it('may be good for ever, which is told as a date that nobody will see', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    expect(await alice.api.keys.list()).toEqual([{ name: 'openAI', expiresAt: null }]);
    expect(await alice.api.keys.expiry({ name: 'openAI' })).toEqual({ expiresAt: '9999-12-31T23:59:59.999Z' });
  });

  it('takes the place of the one before it', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: inAnHour() });
    await alice.api.keys.save({ name: 'openAI', value: JSON.stringify({ apiKey: 'sk-newer' }), expiresAt: null });
    expect(await alice.api.keys.list()).toEqual([{ name: 'openAI', expiresAt: null }]);
    await exchange(rooms, alice.id, question('With the newer one'));
    const asked = await rooms.provider.waitForRequest(isAskedAbout('With the newer one'), 5000);
    expect(asked.headers.authorization).toBe('Bearer sk-newer');
  });

  it('of another place is no good here', async () => {
    await bob.api.keys.save({ ...hers, expiresAt: null });
    const [row] = await stored();
    await rooms.deps.db.query.insert(userKeys).values({ userId: alice.id, name: 'openAI', sealed: row?.sealed ?? '' });
    await expect(alice.api.messages.ask(question('With his?'))).rejects.toMatchObject({
      cause: { reason: { type: 'invalid_user_key', endpoint: 'openAI' } },
    });
  });

  it('that the provider does not accept is an answer that says so', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    const { reply } = await exchange(rooms, alice.id, question('Hi', { model: 'fake:error-401' }));
    expect(reply.reason).toEqual({ type: 'invalid_api_key', endpoint: 'openAI' });
    expect(JSON.stringify(reply)).not.toContain('sk-hers');
  });
});

describe('an expired key', () => {
  it('refuses nothing that has begun', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: inAnHour() });
    const asked = question('Just in time');
    const first = await exchange(rooms, alice.id, asked);
    await expire(alice.id, 'openAI');
    expect(await exchange(rooms, alice.id, asked)).toMatchObject({ reply: first.reply });
  });

  it('is refused with its date, until the sweep forgets it', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: inAnHour() });
    await bob.api.keys.save({ ...hers, expiresAt: inAnHour() });
    const expiredAt = await expire(alice.id, 'openAI');
    await expect(alice.api.messages.ask(question('Too late'))).rejects.toMatchObject({
      cause: { reason: { type: 'expired_user_key', endpoint: 'openAI', expiredAt } },
    });
    expect(await alice.api.keys.expiry({ name: 'openAI' })).toEqual({ expiresAt: expiredAt });
    await sweepKeys(rooms.deps.db);
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

  it.each(['anthropic', 'azureOpenAI', 'Nowhere', 'openai'])(
    'for %s is refused: it is not on offer, or needs no key of users',
    async (name) => {
      await expect(alice.api.keys.save({ ...hers, name, expiresAt: null })).rejects.toMatchObject({
        cause: { reason: { type: 'not_found', what: 'endpoint' } },
      });
    },
  );

  it.each(['tomorrow', '', '12:00'])('until %j is refused', async (expiresAt) => {
    await expect(alice.api.keys.save({ ...hers, expiresAt })).rejects.toThrow('expiresAt must be an ISO date');
  });

  it('for plugins saves the key they are asked with', async () => {
    expect(await alice.api.keys.save({ ...hers, name: 'gptPlugins', expiresAt: null })).toMatchObject({
      name: 'openAI',
    });
    expect(await alice.api.keys.expiry({ name: 'gptPlugins' })).toEqual(
      await alice.api.keys.expiry({ name: 'openAI' }),
    );
    const { deps } = rooms;
    const read = createUserKey(deps.db, createSeal(deps.secrets.credsKey, []), false);
    expect(await read(alice.id, 'gptPlugins')).toBe(hers.value);
    const readAzure = createUserKey(deps.db, createSeal(deps.secrets.credsKey, []), true);
    await expect(readAzure(alice.id, 'gptPlugins')).rejects.toMatchObject({
      reason: { type: 'no_user_key', endpoint: 'gptPlugins' },
    });
  });
});

describe('removing', () => {
  it('forgets one, of nobody else', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    await alice.api.keys.save({ name: 'google', value: '{"GOOGLE_API_KEY":"g"}', expiresAt: null });
    await bob.api.keys.save({ ...hers, expiresAt: null });
    await alice.api.keys.remove({ name: 'openAI' });
    await alice.api.keys.remove({ name: 'openAI' });
    expect(await alice.api.keys.list()).toEqual([{ name: 'google', expiresAt: null }]);
    expect(await bob.api.keys.list()).toEqual([{ name: 'openAI', expiresAt: null }]);
  });

  it('forgets all, of nobody else', async () => {
    await alice.api.keys.save({ ...hers, expiresAt: null });
    await alice.api.keys.save({ name: 'google', value: '{"GOOGLE_API_KEY":"g"}', expiresAt: null });
    await bob.api.keys.save({ ...hers, expiresAt: null });
    await alice.api.keys.removeAll();
    expect(await alice.api.keys.list()).toEqual([]);
    expect(await bob.api.keys.list()).toHaveLength(1);
  });
});

describe('what endpoints wait for', () => {
  it('is told of the built-in ones, those that are off too', async () => {
    expect(await alice.api.endpoints.readiness()).toEqual([
      { endpoint: 'openAI', state: 'needs_key', why: null },
      {
        endpoint: 'azureOpenAI',
        state: 'off',
        why: 'neither AZURE_API_KEY nor endpoints.azureOpenAI of the yaml file is set',
      },
      { endpoint: 'google', state: 'needs_key', why: null },
      { endpoint: 'anthropic', state: 'ready', why: null },
      { endpoint: 'bingAI', state: 'off', why: 'BINGAI_TOKEN is not set' },
      { endpoint: 'chatGPTBrowser', state: 'off', why: 'CHATGPT_TOKEN is not set' },
    ]);
  });
});
