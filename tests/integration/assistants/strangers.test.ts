import { randomUUID } from 'node:crypto';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { errorReason } from '@parley/server/http/trpc';
import { appRouter } from '@parley/server/router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
let hers: Assistant;
let generationId: string;

beforeAll(async () => {
  services = await openTestServices({
    ASSISTANTS_API_KEY: 'fake',
    ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1',
    ASSISTANTS_MODELS: 'fake:echo',
  });
  alice = await services.as('alice');
  bob = await services.as('bob');
  hers = await alice.api.assistants.create({ model: 'fake:echo', name: 'Hers' });
  const asked = question('Hi', { endpoint: 'assistants', model: null, settings: { assistant_id: hers.assistantId } });
  await exchange(services, alice.id, asked);
  ({ generationId } = asked);
});
afterAll(() => services.close());

/** Each procedure that takes an id, with hers. */
const attempts: Record<string, () => Promise<unknown>> = {
  get: () => bob.api.assistants.get(ref()),
  update: () => bob.api.assistants.update({ ...ref(), name: 'His' }),
  remove: () => bob.api.assistants.remove(ref()),
  removeAvatar: () => bob.api.assistants.removeAvatar(ref()),
  run: () => bob.api.assistants.run({ generationId }),
  saveAction: () => bob.api.assistants.saveAction({ ...ref(), rawSpec: '{}', auth: { type: 'none' } }),
  removeAction: () => bob.api.assistants.removeAction({ ...ref(), actionId: randomUUID() }),
};

/** Their answers name nothing of hers. */
const WITHOUT_IDS = ['list', 'shared', 'create', 'tools', 'actions', 'status'];

describe('with the ids of another user', () => {
  it('this test covers every procedure of assistants', () => {
    const names = Object.keys(appRouter._def.procedures).flatMap((name) => /^assistants\.(.+)/.exec(name)?.[1] ?? []);
    expect(names.toSorted()).toEqual([...Object.keys(attempts), ...WITHOUT_IDS].toSorted());
  });

  it.each(Object.keys(attempts))('%s finds nothing', async (name) => {
    const error: unknown = await attempts[name]?.().catch((refused: unknown) => refused);
    expect(error instanceof Error ? errorReason(error)?.type : 'answered').toBe('not_found');
    expect(await alice.api.assistants.get(ref())).toEqual(hers);
  });

  it('lists are empty', async () => {
    expect(await bob.api.assistants.list()).toEqual({ assistants: [], hasMore: false });
    expect(await bob.api.assistants.shared()).toEqual([]);
    expect(await bob.api.assistants.status(ref())).toEqual({ status: 'missing' });
    expect(await bob.api.assistants.actions(ref())).toEqual([]);
    await expect(bob.api.assistants.list({ after: hers.assistantId })).rejects.toThrow('not_found');
  });
});

describe('a run', () => {
  it('has the names and the status that the protocol of assistants knows', async () => {
    expect(await alice.api.assistants.run({ generationId })).toEqual({
      id: `run_${generationId}`,
      threadId: expect.stringMatching(/^thread_[\da-f-]{36}$/),
      status: 'completed',
    });
  });
});

function ref() {
  return { assistantId: hers.assistantId };
}
