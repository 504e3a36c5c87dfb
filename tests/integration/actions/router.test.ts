// The procedures of actions, as the editor calls them.
import { FAKE_API } from '@parley/scripts/fake-tools/api';
import { createCaller } from '@parley/server/router';
import { assistants } from '@parley/db/tables/assistants';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssistant, openPets, petsInput, type Pets } from './pets.ts';

let pets: Pets;
beforeAll(async () => {
  pets = await openPets();
});
afterAll(() => pets.close());

const bearer = { type: 'service_http', authorizationType: 'bearer', customAuthHeader: null } as const;

describe('the editor of actions', () => {
  it('reads a document', async () => {
    const { alice, api } = pets;
    const parsed = await alice.api.actions.parse({ rawSpec: JSON.stringify(api.document) });
    expect(parsed).toMatchObject({ status: 'valid', domain: api.host, title: 'Pets', warnings: [] });
    const added = { name: 'addPet', method: 'post', path: '/pets', summary: expect.any(String) };
    expect(parsed.operations).toContainEqual(added);
    expect(await alice.api.actions.parse({ rawSpec: 'openapi: 3.0.0' })).toEqual({
      status: 'no_url',
      domain: null,
      title: '',
      operations: [],
      warnings: [],
    });
  });

  it('reads at most so many in a minute', async () => {
    const { alice, services } = pets;
    const headers = new Map<string, string>();
    const http = {
      ip: '203.0.113.5',
      headers: new Headers(),
      secure: false,
      setHeader: (name: string, value: string) => void headers.set(name, value),
    };
    const signedIn = { userId: alice.id, sid: 'sign-in of alice' };
    const client = { ip: http.ip, userAgent: null };
    const api = createCaller({ deps: services.deps, http, client, socket: null, token: null, signedIn });
    const answers = await Promise.allSettled(
      Array.from({ length: 61 }, () => api.actions.parse({ rawSpec: '{"openapi":"3.0.0"}' })),
    );
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'TOO_MANY_REQUESTS' } }]);
    expect(headers.get('Retry-After')).toBeDefined();
  });

  it('saves, lists, changes and removes', async () => {
    const { alice, services, api, source } = pets;
    const assistantId = await createAssistant(services, alice.id);
    const other = await createAssistant(services, alice.id);
    const saved = await alice.api.actions.save({ assistantId, ...petsInput(api, bearer) });
    expect(saved).toMatchObject({ assistantId, domain: api.host, auth: bearer, hasSecrets: true, isSignedIn: false });
    expect(await alice.api.actions.list({ assistantId })).toEqual([saved]);
    expect(await alice.api.actions.list({ assistantId: other })).toEqual([]);
    expect(await source.list(alice.id)).toContainEqual({
      key: `action:${saved.id}`,
      from: { source: 'action', id: saved.id, label: api.host },
      description: 'Pets',
      unavailable: null,
    });

    const change = { ...petsInput(api), actionId: saved.id };
    const changed = await alice.api.actions.save({ assistantId, ...change });
    expect(changed).toMatchObject({ id: saved.id, auth: { type: 'none' }, hasSecrets: false });
    const missing = { code: 'NOT_FOUND' };
    await expect(alice.api.actions.save({ assistantId: other, ...change })).rejects.toMatchObject(missing);
    await expect(alice.api.actions.save({ assistantId: 'asst_none', ...petsInput(api) })).rejects.toMatchObject(
      missing,
    );
    await expect(alice.api.actions.remove({ assistantId: other, actionId: saved.id })).rejects.toMatchObject(missing);
    await alice.api.actions.remove({ assistantId, actionId: saved.id });
    expect(await alice.api.actions.list({ assistantId })).toEqual([]);
  });

  it.each([
    ['{', 'Error parsing OpenAPI spec.'],
    ['{"servers":[]}', 'Could not find a valid URL in `servers`'],
    ['{"servers":[{"url":"https://api.example.com"}],"paths":{}}', 'No paths found in the OpenAPI spec.'],
  ])('does not save %s', async (rawSpec, text) => {
    const { alice, services } = pets;
    const assistantId = await createAssistant(services, alice.id);
    const saving = alice.api.actions.save({ assistantId, rawSpec, auth: { type: 'none' } });
    await expect(saving).rejects.toMatchObject({ cause: { reason: { type: 'invalid_input', text } } });
  });

  it('has the names of the tools, on the wire and at Azure', async () => {
    const { actions } = pets;
    const operations = [{ name: 'look' }, { name: 'add' }] as Parameters<typeof actions.toolNames>[0]['operations'];
    const names = (isAzure?: boolean) => actions.toolNames({ domain: 'api.example.com', operations }, isAzure);
    expect(names()).toEqual(['look_action_api.example.com', 'add_action_api.example.com']);
    expect(names(true)).toEqual(['look_action_YXBpLmV4YW', 'add_action_YXBpLmV4YW']);
  });

  it('tries an operation, and shows what was sent without secrets', async () => {
    const { alice, services, api } = pets;
    const assistantId = await createAssistant(services, alice.id);
    const { id: actionId } = await alice.api.actions.save({ assistantId, ...petsInput(api, bearer) });
    const tried = await alice.api.actions.tryOut({ actionId, operation: 'bearerSecured' });
    expect(tried).toEqual({
      request: {
        method: 'GET',
        url: `${api.url}/secured/bearer`,
        headers: { accept: 'application/json, text/*;q=0.9' },
        body: null,
      },
      reply: { status: 200, contentType: 'application/json', text: '{"secured":"bearer"}', isCut: false },
      problem: null,
      signInUrl: null,
    });
    expect(JSON.stringify(tried)).not.toContain(FAKE_API.key);
    expect(await alice.api.actions.tryOut({ actionId, operation: 'getPet' })).toMatchObject({
      request: null,
      problem: 'The argument petId is missing.',
    });
    const unknown = alice.api.actions.tryOut({ actionId, operation: 'none' });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has at most twenty actions for an assistant, also when they are saved at once', async () => {
    const { alice, services, api, actions } = pets;
    const assistantId = await createAssistant(services, alice.id);
    const saving = Array.from({ length: 22 }, () => actions.save(alice.id, assistantId, petsInput(api)));
    const answers = await Promise.allSettled(saving);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await actions.list(alice.id, assistantId)).toHaveLength(20);
  });

  it('loses the actions of an assistant with it', async () => {
    const { alice, services, api, actions } = pets;
    const assistantId = await createAssistant(services, alice.id);
    await actions.save(alice.id, assistantId, petsInput(api));
    await services.deps.db.query
      .delete(assistants)
      .where(and(eq(assistants.userId, alice.id), eq(assistants.id, assistantId)));
    expect(await actions.list(alice.id, assistantId)).toEqual([]);
  });
});
