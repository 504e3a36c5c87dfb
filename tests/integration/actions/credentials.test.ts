// Credentials of actions: each kind, where they are sent, and that they are of no use for another host.
import { connections } from '@parley/db/tables/tools';
import { actions as table, assistants } from '@parley/db/tables/assistants';
import { FAKE_API, startFakeApi } from '@parley/scripts/fake-tools/api';
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sweepConnections } from '@parley/server/actions/rows';
import { callTool, oauthOf, openPets, petsInput, saveAction, withRules, type Pets } from './pets.ts';

let pets: Pets;
beforeAll(async () => {
  pets = await openPets();
});
afterEach(() => {
  pets.api.tokenForms.length = 0;
  pets.api.tokenSeconds = 3600;
});
afterAll(() => pets.close());

const keyed = (authorizationType: 'basic' | 'bearer' | 'custom', header: string | null = null): ActionAuth => ({
  type: 'service_http',
  authorizationType,
  customAuthHeader: header,
});
const secured = (kind: string) => ({ type: 'done', text: JSON.stringify({ secured: kind }) });

describe('a key', () => {
  it.each([
    ['basic', keyed('basic')],
    ['bearer', keyed('bearer')],
    ['custom', keyed('custom', FAKE_API.header)],
  ])('is sent as %s', async (kind, auth) => {
    const action = await saveAction(pets, auth);
    expect(await callTool(pets, action, `${kind}Secured`)).toEqual(secured(kind));
  });

  it('is not sent by an action without one', async () => {
    const action = await saveAction(pets);
    expect(await callTool(pets, action, 'bearerSecured')).toMatchObject({
      type: 'failed',
      text: expect.stringContaining('failed with status 401'),
    });
    expect(pets.api.asked.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('is never returned, and not readable in the database', async () => {
    const action = await saveAction(pets, keyed('bearer'));
    const listed = await pets.actions.list(pets.alice.id);
    expect(JSON.stringify([action, listed])).not.toContain(FAKE_API.key);
    expect(action.hasSecrets).toBe(true);
    const rows = await pets.services.deps.db.query.select().from(table);
    expect(JSON.stringify(rows)).not.toContain(FAKE_API.key);
    expect(JSON.stringify(action)).not.toContain('encrypted');
  });

  it('stays when the action is changed, and is required when its host changes', async () => {
    const { actions, alice, api } = pets;
    const action = await saveAction(pets, keyed('bearer'));
    const again = { ...petsInput(api, keyed('bearer')), apiKey: undefined, actionId: action.id };
    const renamed = JSON.stringify({ ...api.document, info: { title: 'Renamed' } });
    const kept = await actions.save(alice.id, action.assistantId, { ...again, rawSpec: renamed });
    expect(kept).toMatchObject({ id: action.id, title: 'Renamed', hasSecrets: true });
    expect(await callTool(pets, kept, 'bearerSecured')).toEqual(secured('bearer'));

    const elsewhere = JSON.stringify({ ...api.document, servers: [{ url: 'https://elsewhere.example' }] });
    await expect(actions.save(alice.id, action.assistantId, { ...again, rawSpec: elsewhere })).rejects.toMatchObject({
      reason: { type: 'invalid_input', text: 'The API key is required' },
    });
  });

  it('cannot be opened for another host, even by someone who writes to the database', async () => {
    const thief = await startFakeApi();
    const other = await openPets({ EGRESS_ALLOWED_HOSTS: '127.0.0.1' });
    try {
      const action = await saveAction(other, keyed('bearer'));
      const { db } = other.services.deps;
      const [row] = await db.query.select().from(table).where(eq(table.id, action.id));
      if (!row) throw new Error('The action was not saved');
      const settings = { ...row.settings, server: thief.url };
      await db.query.update(table).set({ settings, domain: thief.host }).where(eq(table.id, action.id));
      expect(await callTool(other, action, 'bearerSecured')).toEqual({
        type: 'failed',
        text: `The credentials for ${thief.host} are missing: they must be entered again.`,
      });
      // With the former host in its row, its key opens, but only that host is called.
      await db.query.update(table).set({ settings, domain: other.api.host }).where(eq(table.id, action.id));
      expect(await callTool(other, action, 'bearerSecured')).toEqual({
        type: 'failed',
        text: `Only ${other.api.host} can be called.`,
      });
      expect(thief.asked).toEqual([]);
    } finally {
      await other.close();
      await thief.close();
    }
  });

  it('is required', async () => {
    const { api, alice } = pets;
    const { assistantId } = await saveAction(pets);
    const input = { assistantId, rawSpec: JSON.stringify(api.document) };
    const save = (more: object) => alice.api.actions.save({ ...input, ...more } as never);
    const http = { type: 'service_http', authorizationType: 'bearer' };
    await expect(save({ auth: http })).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' });
    await expect(save({ auth: { ...http, authorizationType: 'custom' }, apiKey: 'k' })).rejects.toThrow();
    await expect(
      save({ auth: { ...http, authorizationType: 'custom', customAuthHeader: 'Host' }, apiKey: 'k' }),
    ).rejects.toThrow();
    await expect(save({ auth: http, apiKey: 'a\r\nHost: b' })).rejects.toThrow();
    await expect(save({ auth: oauthOf(api), oauthClientId: 'id' })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
    });
  });
});

describe('OAuth of an application', () => {
  it.each(['default_post', 'basic_auth_header'] as const)('gets its token by %s, once', async (tokenExchangeMethod) => {
    const action = await saveAction(pets, oauthOf(pets.api, { tokenExchangeMethod }));
    const calls = Array.from({ length: 3 }, () => callTool(pets, action, 'oauthSecured'));
    expect(await Promise.all(calls)).toEqual([secured('oauth'), secured('oauth'), secured('oauth')]);
    expect(await callTool(pets, action, 'oauthSecured')).toEqual(secured('oauth'));
    const grant = { grant_type: 'client_credentials', scope: FAKE_API.scope };
    const client = { client_id: FAKE_API.client.id, client_secret: FAKE_API.client.secret };
    const form = tokenExchangeMethod === 'default_post' ? { ...grant, ...client } : grant;
    expect(pets.api.tokenForms).toEqual([form]);
  });

  it('gets another token when less than a minute is left', async () => {
    const action = await saveAction(pets, oauthOf(pets.api));
    pets.api.tokenSeconds = 59;
    await callTool(pets, action, 'oauthSecured');
    pets.api.tokenSeconds = null;
    await callTool(pets, action, 'oauthSecured');
    await callTool(pets, action, 'oauthSecured');
    expect(pets.api.tokenForms).toHaveLength(2);
  });

  it('gets another token, once, when the API refuses it', async () => {
    const action = await saveAction(pets, oauthOf(pets.api));
    await callTool(pets, action, 'oauthSecured');
    pets.api.revokeTokens();
    expect(await callTool(pets, action, 'oauthSecured')).toEqual(secured('oauth'));
    expect(pets.api.tokenForms).toHaveLength(2);
    // What no token opens is refused in the end.
    expect(await callTool(pets, action, 'bearerSecured')).toMatchObject({ type: 'failed' });
    expect(pets.api.tokenForms).toHaveLength(3);
  });

  it('says why it gets no token', async () => {
    const { actions, alice, api } = pets;
    const action = await saveAction(pets, oauthOf(api));
    const input = petsInput(api, oauthOf(api), { actionId: action.id, oauthClientSecret: 'wrong' });
    await actions.save(alice.id, action.assistantId, input);
    expect(await callTool(pets, action, 'oauthSecured')).toEqual({
      type: 'failed',
      text: `${api.host} answers the request for a token with 401.`,
    });
  });

  it('keeps its token encrypted, for its host only, and deletes it with the action', async () => {
    const { db } = pets.services.deps;
    const action = await saveAction(pets, oauthOf(pets.api));
    await callTool(pets, action, 'oauthSecured');
    const ofAction = eq(connections.service, `action:${action.id}`);
    const [row] = await db.query.select().from(connections).where(ofAction);
    expect(row?.encrypted).toMatch(/^v1\./);
    expect(row?.expiresAt).not.toBeNull();
    await pets.actions.remove(pets.alice.id, action.assistantId, action.id);
    expect(await db.query.select().from(connections).where(ofAction)).toEqual([]);
  });

  it('loses its token with its assistant', async () => {
    const { db } = pets.services.deps;
    const [kept, gone] = [await saveAction(pets, oauthOf(pets.api)), await saveAction(pets, oauthOf(pets.api))];
    await Promise.all([kept, gone].map((action) => callTool(pets, action, 'oauthSecured')));
    await db.query.delete(assistants).where(eq(assistants.id, gone.assistantId));
    await sweepConnections(db);
    const services = (await db.query.select().from(connections)).map(({ service }) => service);
    expect(services).toContain(`action:${kept.id}`);
    expect(services).not.toContain(`action:${gone.id}`);
  });

  it('is got only where the operator allows it', async () => {
    const { api, alice } = pets;
    const { assistantId } = await saveAction(pets);
    const strict = withRules(pets, { enabled: true, allowedDomains: ['0.0.1'], restAsks: false });
    const auth = oauthOf(api, { clientUrl: 'https://elsewhere.example/token' });
    const input = petsInput(api, auth);
    await expect(strict.actions.save(alice.id, assistantId, input)).rejects.toMatchObject({
      reason: { type: 'invalid_input', text: 'Calls of elsewhere.example are not allowed here' },
    });
  });

  it('never sends its secret to another token endpoint', async () => {
    const { actions, alice, api } = pets;
    const action = await saveAction(pets, oauthOf(api));
    const auth = oauthOf(api, { clientUrl: 'https://elsewhere.example/token' });
    const input = { rawSpec: petsInput(pets.api).rawSpec, auth, actionId: action.id };
    await expect(actions.save(alice.id, action.assistantId, input)).rejects.toMatchObject({
      reason: { type: 'invalid_input', text: 'The client id is required' },
    });
  });
});
