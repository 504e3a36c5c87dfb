// Calls of actions over real HTTP: what is sent, what the model is told, and what is refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action } from '@parley/schema/assistants/actions';
import {
  callTool,
  createAssistant,
  openPets,
  petsInput,
  saveAction,
  toolOf,
  toolsOf,
  withRules,
  type Pets,
} from './pets.ts';

let pets: Pets;
let action: Action;

beforeAll(async () => {
  pets = await openPets();
  action = await saveAction(pets);
});
afterAll(() => pets.close());

const call = (operation: string, args?: Record<string, unknown>) => callTool(pets, action, operation, args);

describe('an operation as a tool', () => {
  it('asks first, or each time where it deletes; only a GET may be repeated', async () => {
    const rules = async (operation: string) => {
      const { asks, isRepeatable } = await toolOf(pets, action, operation);
      return { asks, isRepeatable };
    };
    expect(await rules('listPets')).toEqual({ asks: 'first', isRepeatable: true });
    expect(await rules('addPet')).toEqual({ asks: 'first', isRepeatable: false });
    expect(await rules('removePet')).toEqual({ asks: 'always', isRepeatable: false });
  });

  it('has a name that models take, a description, and a schema without patterns', async () => {
    const { tools, problems } = await toolsOf(pets, action.id);
    expect(problems).toEqual([]);
    expect(tools).toHaveLength(action.operations.length);
    expect(tools.filter(({ name }) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    expect(JSON.stringify(tools)).not.toContain('pattern');
    expect(await toolOf(pets, action, 'listPets')).toMatchObject({
      description: 'Lists pets',
      kind: 'function',
      from: { source: 'action', id: action.id, label: pets.api.host },
    });
  });

  it('gets two names when two actions share an API', async () => {
    const other = await saveAction(pets);
    const { tools } = await toolsOf(pets, action.id, other.id);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(2 * action.operations.length);
  });

  it('whose action was deleted is a problem of the assistant, not an error', async () => {
    const { tools, problems } = await toolsOf(pets, 'gone');
    expect(tools).toEqual([]);
    expect(problems).toEqual([
      { from: { source: 'action', id: 'gone', label: 'gone' }, text: 'This action no longer exists.' },
    ]);
  });
});

describe('a call', () => {
  it('sends query and headers, and gives the reply as JSON', async () => {
    const outcome = await call('listPets', { limit: 2, tag: ['a', 'b c'], 'X-Trace': 'trace-1' });
    expect(outcome).toMatchObject({ type: 'done', text: expect.stringContaining('{"pets":[{"id":"1","name":"Rex"}') });
    const asked = pets.api.asked.at(-1);
    expect(asked).toMatchObject({ method: 'GET', path: '/pets?limit=2&tag=a&tag=b+c', body: '' });
    expect(asked?.headers['x-trace']).toBe('trace-1');
    expect(asked?.headers['idempotency-key']).toBeUndefined();
  });

  it('names itself when it changes something, so that it is not carried out twice', async () => {
    expect(await call('addPet', { name: 'Mia' })).toMatchObject({ type: 'done', text: '{"name":"Mia","id":"2"}' });
    const asked = pets.api.asked.at(-1);
    expect(asked).toMatchObject({ method: 'POST', body: '{"name":"Mia"}' });
    expect(asked?.headers).toMatchObject({
      'idempotency-key': 'generation/0:1',
      'content-type': 'application/json',
    });
  });

  it('has path and body where an operation has both', async () => {
    expect(await call('replacePet', { petId: '1', name: 'Max' })).toEqual({
      type: 'done',
      text: '{"id":"1","name":"Max"}',
    });
    expect(pets.api.asked.at(-1)).toMatchObject({ method: 'PUT', path: '/pets/1', body: '{"name":"Max"}' });
  });

  it('tells the model that the API replied without content', async () => {
    const added = await call('addPet', { name: 'Short' });
    const { id } = JSON.parse('text' in added ? added.text : '') as { id: string };
    expect(await call('removePet', { petId: id })).toEqual({
      type: 'done',
      text: `${pets.api.host} answered with status 204 and no content.`,
    });
  });

  it('fails with a sentence that has domain, status and body', async () => {
    expect(await call('getPet', { petId: 'no/such' })).toMatchObject({
      type: 'failed',
      text: `API call to ${pets.api.host} failed with status 404: {"error":"There is no pet no/such"}`,
    });
    expect(await call('broken')).toMatchObject({
      type: 'failed',
      text: `API call to ${pets.api.host} failed with status 500: {"error":"The database is gone"}`,
    });
    expect(await call('reset')).toMatchObject({ type: 'failed', text: `${pets.api.host} cannot be reached.` });
  });

  it('does not follow a redirect to where clouds tell secrets', async () => {
    expect(await call('redirect')).toMatchObject({
      type: 'failed',
      text: `${pets.api.host} answered with status 302, a redirect, which is not followed.`,
    });
  });

  it('reads text in its character set, and no images', async () => {
    expect(await call('page')).toEqual({ type: 'done', text: '<h1>Café</h1>' });
    expect(await call('picture')).toMatchObject({
      type: 'failed',
      text: `${pets.api.host} answered with image/png, which cannot be read.`,
    });
  });

  it('cuts a huge reply', async () => {
    const outcome = await call('huge');
    if (outcome.type !== 'done') throw new Error(`expected a reply, not ${JSON.stringify(outcome)}`);
    expect(outcome.text.endsWith('x\n[The rest of the reply was left out.]')).toBe(true);
    expect(outcome.text.length).toBeLessThan(5.1 * 1024 * 1024);
  });

  it('closes its connection when it is stopped', async () => {
    const stop = new AbortController();
    const before = pets.api.asked.length;
    const running = callTool(pets, action, 'slow', {}, stop.signal);
    await expect.poll(() => pets.api.asked.length).toBe(before + 1);
    const abandoned = pets.api.abandoned;
    stop.abort();
    expect(await running).toMatchObject({ type: 'failed', text: 'The call was stopped.' });
    await expect.poll(() => pets.api.abandoned).toBe(abandoned + 1);
  });
});

describe('an API that does not answer', () => {
  it('is given up', async () => {
    const hasty = await openPets({}, 1000);
    try {
      expect(await callTool(hasty, await saveAction(hasty), 'slow')).toMatchObject({
        type: 'failed',
        text: `${hasty.api.host} did not answer within 1 seconds.`,
      });
    } finally {
      await hasty.close();
    }
  });
});

describe('an API that may not be called', () => {
  it('cannot be saved', async () => {
    const { api, actions, alice } = pets;
    const save = (url: string) => {
      const rawSpec = JSON.stringify({ ...api.document, servers: [{ url }] });
      return actions.save(alice.id, action.assistantId, { rawSpec, auth: { type: 'none' } });
    };
    for (const url of [
      'http://api.example.com',
      'https://169.254.169.254',
      'https://api.example.com:8443',
      'https://[::1]',
    ])
      await expect(save(url)).rejects.toMatchObject({ reason: { type: 'forbidden_base_url' } });
  });

  it('is not called when its host is no longer exempt, or leads inside', async () => {
    const outside = await openPets({ EGRESS_ALLOWED_HOSTS: 'localhost:1' });
    try {
      const saved = await saveActionOf(outside, 'https://localhost');
      expect(await callTool(outside, saved, 'listPets')).toMatchObject({
        type: 'failed',
        text: 'localhost may not be called: only public https addresses are.',
      });
      expect(outside.api.asked).toEqual([]);
    } finally {
      await outside.close();
    }
  });

  it('is not called when the operator does not list it, or has switched actions off', async () => {
    const listed = withRules(pets, { enabled: true, allowedDomains: ['0.0.1'], restAsks: false });
    expect((await toolsOf(listed, action.id)).tools).toHaveLength(action.operations.length);
    for (const [rules, text] of [
      [{ enabled: true, allowedDomains: ['example.com'] }, `Calls of ${pets.api.host} are not allowed here.`],
      [{ enabled: false, allowedDomains: null }, 'Actions are switched off on this server.'],
    ] as const) {
      const strict = withRules(pets, { ...rules, restAsks: false });
      expect(await toolsOf(strict, action.id)).toEqual({
        tools: [],
        problems: [{ from: { source: 'action', id: action.id, label: pets.api.host }, text }],
      });
      const input = { rawSpec: petsInput(pets.api).rawSpec, auth: { type: 'none' } as const };
      await expect(strict.actions.save(pets.alice.id, action.assistantId, input)).rejects.toMatchObject({
        reason: { type: 'invalid_input' },
      });
    }
  });
});

/** Saves an action of another server. A name is resolved when it is called, so its address is not known yet. */
async function saveActionOf({ api, actions, alice, services }: Pets, url: string): Promise<Action> {
  const rawSpec = JSON.stringify({ ...api.document, servers: [{ url }] });
  return actions.save(alice.id, await createAssistant(services, alice.id), { rawSpec, auth: { type: 'none' } });
}
