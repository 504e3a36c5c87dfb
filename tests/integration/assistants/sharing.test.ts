// An assistant that its owner shares with everybody of the installation.
import { randomUUID } from 'node:crypto';
import { users } from '@parley/db/tables/users';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, isAskedAbout, question } from '../../support/exchange.ts';
import { addFile } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const ENV = {
  ASSISTANTS_API_KEY: 'key-of-assistants',
  ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1',
  ASSISTANTS_MODELS: 'fake:echo',
};

let services: TestServices;
let alice: Person;
let bob: Person;
let poet: Assistant;

beforeAll(async () => {
  services = await openTestServices(ENV);
  alice = await services.as('alice');
  bob = await services.as('bob');
  const fileId = await addFile(services, alice, 'The red kites nest 23 metres above the mill.', { name: 'birds.txt' });
  poet = await alice.api.assistants.create({
    name: 'Poet',
    model: 'fake:echo',
    instructions: 'Answer in verse.',
    tools: [{ type: 'retrieval' }],
    fileIds: [fileId],
    metadata: { conversation_starters: ['A sonnet, please'] },
    isShared: true,
  });
});
afterAll(() => services.close());

const asking = (text: string) =>
  question(text, { endpoint: 'assistants', model: null, settings: { assistant_id: poet.assistantId } });

it('is listed for others with the name of its owner, without instructions, files and images', async () => {
  const [listed, ...others] = await bob.api.assistants.shared();
  expect(others).toEqual([]);
  expect(listed).toEqual({
    ...poet,
    instructions: null,
    fileIds: [],
    metadata: { conversation_starters: ['A sonnet, please'] },
    sharedBy: expect.stringMatching(/alice/i),
  });
  expect(await alice.api.assistants.shared()).toEqual([]);
  expect((await bob.api.assistants.list()).assistants).toEqual([]);
});

it('answers others by its instructions, and by passages of the files of its owner', async () => {
  const text = `How high do kites nest? ${randomUUID()}`;
  const { reply } = await exchange(services, bob.id, asking(text));
  expect(reply).toMatchObject({ sender: 'Poet', endpoint: 'assistants' });
  await expect.poll(() => services.provider.requests.some(isAskedAbout(text))).toBe(true);
  const sent = JSON.stringify(services.provider.requests.find(isAskedAbout(text))?.body);
  expect(sent).toContain('Answer in verse.');
  // A passage has a number; a file that is shown whole has none.
  expect(sent).toMatch(/\[1\] <file name=\\\\?"birds.txt.*23 metres/);
  expect(reply.context?.files).toMatchObject([{ name: 'birds.txt', shown: 'passages' }]);

  const own = `How high, of my own? ${randomUUID()}`;
  await exchange(services, alice.id, asking(own));
  expect(JSON.stringify(services.provider.requests.find(isAskedAbout(own))?.body)).toContain('23 metres');
});

it('is changed and deleted by its owner only', async () => {
  const ref = { assistantId: poet.assistantId };
  const inVain = [
    () => bob.api.assistants.get(ref),
    () => bob.api.assistants.update({ ...ref, name: 'His', isShared: false }),
    () => bob.api.assistants.remove(ref),
  ];
  for (const attempt of inVain) await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await alice.api.assistants.get(ref)).toEqual(poet);
});

it('is gone for others while its owner leaves, and when it is shared no more', async () => {
  const setDue = (due: string | null) =>
    services.deps.db.query.update(users).set({ deletionDueAt: due }).where(eq(users.id, alice.id));
  await setDue('2100-01-01T00:00:00Z');
  expect(await bob.api.assistants.shared()).toEqual([]);
  await expect(exchange(services, bob.id, asking('Hi'))).rejects.toThrow('not_found');
  await setDue(null);
  expect(await bob.api.assistants.shared()).toHaveLength(1);
  await alice.api.assistants.update({ assistantId: poet.assistantId, isShared: false });
  expect(await bob.api.assistants.shared()).toEqual([]);
  await expect(exchange(services, bob.id, asking('Hi'))).rejects.toThrow('not_found');
});

it('is nobody else’s where the operator says so, also one that was shared before', async () => {
  const closed = await openTestServices({ ...ENV, ALLOW_SHARED_ASSISTANTS: 'false' });
  const [carol, dave] = [await closed.as('carol'), await closed.as('dave')];
  const made = { name: 'Hers', model: 'fake:echo' };
  await expect(carol.api.assistants.create({ ...made, isShared: true })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const { assistantId } = await carol.api.assistants.create(made);
  await closed.deps.db.query.execute(sql`update assistants set is_shared = true where id = ${assistantId}`);
  expect(await dave.api.assistants.shared()).toEqual([]);
  const ask = question('Hi', { endpoint: 'assistants', model: null, settings: { assistant_id: assistantId } });
  await expect(exchange(closed, dave.id, ask)).rejects.toThrow('not_found');
  await closed.close();
});
