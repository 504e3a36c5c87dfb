import { randomUUID } from 'node:crypto';
import { fileUses, files } from '@parley/db/tables/files';
import { assistants } from '@parley/db/tables/assistants';
import { deletions } from '@parley/db/tables/deletions';
import { ASSISTANTS_MAX, type CreateAssistant } from '@parley/schema/assistants/assistant-inputs';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { sweepFiles } from '@parley/server/files/sweep';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { sweepTrash } from '@parley/server/trash/sweep';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { follow } from '../convos/follow.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices({ ASSISTANTS_API_KEY: 'fake', ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1' });
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterEach(async () => {
  await services.deps.db.query.delete(assistants);
  await services.deps.db.query.delete(files);
});
afterAll(() => services.close());

describe('an assistant', () => {
  it('is created with an id of its own, and read', async () => {
    const made = await create({ name: 'Poet', description: 'Writes verse', instructions: 'Rhyme' });
    expect(made).toEqual({
      assistantId: expect.stringMatching(/^asst_[A-Za-z0-9]{24}$/),
      endpoint: null,
      model: 'gpt-4',
      name: 'Poet',
      description: 'Writes verse',
      instructions: 'Rhyme',
      tools: [],
      fileIds: [],
      metadata: {},
      isShared: false,
      sources: [],
      knowsAsker: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await alice.api.assistants.get(refOf(made))).toEqual(made);
  });

  it('is changed field by field', async () => {
    const made = await create({ name: 'Poet', instructions: 'Rhyme', tools: [{ type: 'retrieval' }] });
    const renamed = await alice.api.assistants.update({ ...refOf(made), name: 'Bard' });
    expect(renamed).toEqual({ ...made, name: 'Bard', updatedAt: expect.any(String) });
    const emptied = await alice.api.assistants.update({ ...refOf(made), instructions: null, tools: [] });
    expect(emptied).toMatchObject({ name: 'Bard', instructions: null, tools: [] });
  });

  it('keeps functions as they are given, each once, and drops names of no tool', async () => {
    const lookUp = { type: 'function' as const, function: { name: 'look_up', parameters: { type: 'object' } } };
    const made = await create({ tools: [{ type: 'code_interpreter' }, lookUp, lookUp, 'nothing', 'image_vision'] });
    expect(made.tools).toEqual([
      { type: 'code_interpreter' },
      lookUp,
      { type: 'function', function: expect.objectContaining({ name: 'image_vision' }) },
    ]);
  });

  it('keeps functions of actions, which clients send back whole or by their names', async () => {
    const kites = {
      type: 'function' as const,
      function: { name: 'kites_action_birds.example:8443', description: 'Kites' },
    };
    const made = await create({ tools: [kites] });
    expect(made.tools).toEqual([kites]);
    const tools = ['kites_action_birds.example:8443', 'owls_action_birds.example'];
    expect((await alice.api.assistants.update({ ...refOf(made), tools })).tools).toEqual([kites]);
  });

  it.each([
    ['a name of 257 characters', { name: 'x'.repeat(257) }],
    ['a description of 513 characters', { description: 'x'.repeat(513) }],
    ['instructions of 32,769 characters', { instructions: 'x'.repeat(32_769) }],
    ['no model', { model: '' }],
    ['an unknown type of tool', { tools: [{ type: 'browser' }] }],
    ['21 files', { fileIds: Array.from({ length: 21 }, () => randomUUID()) }],
    ['an endpoint without tools', { endpoint: 'bingAI' }],
  ])('with %s is refused', async (_, over) => {
    await expect(create(over as Partial<CreateAssistant>)).rejects.toThrow();
    expect(await names()).toEqual([]);
  });

  it('is text that the database takes', async () => {
    expect(await create({ name: 'a\u0000\ud83d', metadata: { author: 'b\u0000' } })).toMatchObject({
      name: 'a\ufffd',
      metadata: { author: 'b' },
    });
  });

  it('is deleted', async () => {
    const made = await create();
    await alice.api.assistants.remove(refOf(made));
    await expect(alice.api.assistants.get(refOf(made))).rejects.toMatchObject(missing);
    await expect(alice.api.assistants.remove(refOf(made))).rejects.toMatchObject(missing);
  });
});

describe('the list', () => {
  it('is in the order of creation, a page at a time, in both directions', async () => {
    const made: Assistant[] = [];
    for (const name of ['1', '2', '3', '4', '5']) made.push(await create({ name }));
    const [, second, third, fourth] = made.map(({ assistantId }) => assistantId);
    expect(await names()).toEqual(['5', '4', '3', '2', '1']);
    expect(await names({ order: 'asc', limit: 2 })).toEqual(['1', '2']);
    expect(await names({ limit: 2, after: fourth })).toEqual(['3', '2']);
    expect(await names({ limit: 2, before: second })).toEqual(['4', '3']);
    expect(await names({ order: 'asc', after: third })).toEqual(['4', '5']);
    expect((await alice.api.assistants.list({ limit: 4 })).hasMore).toBe(true);
    expect((await alice.api.assistants.list({ limit: 5 })).hasMore).toBe(false);
  });

  it('has room for so many', async () => {
    const rows = Array.from({ length: ASSISTANTS_MAX }, (_, n) => ({ userId: alice.id, id: `asst_${n}`, model: 'm' }));
    await services.deps.db.query.insert(assistants).values(rows);
    await expect(create()).rejects.toMatchObject({ cause: { reason: { type: 'conflict' } } });
  });

  it('is followed by other devices: they are notified of each change and deletion', async () => {
    const first = await create();
    const other = await follow(services, alice.id, 0);
    const hints = () => other.told.filter(({ type }) => type === 'assistants').map(({ seq }) => seq);
    await expect.poll(hints).toHaveLength(1);
    const second = await create();
    await expect.poll(hints).toHaveLength(2);
    await alice.api.assistants.update({ ...refOf(first), name: 'Other' });
    await expect.poll(hints).toHaveLength(3);
    await alice.api.assistants.remove(refOf(second));
    await expect.poll(hints).toHaveLength(4);
  });
});

describe('the files of an assistant', () => {
  it('are kept as long as it has them', async () => {
    const [one, two] = [await addFile(alice), await addFile(alice)];
    const made = await create({ fileIds: [one, two] });
    expect(made.fileIds.toSorted()).toEqual([one, two].toSorted());
    expect(await expiryOf(one)).toBeNull();
    await alice.api.assistants.update({ ...refOf(made), fileIds: [two] });
    expect(await expiryOf(one)).not.toBeNull();
    expect(await expiryOf(two)).toBeNull();
    const { deletionId } = await alice.api.assistants.remove(refOf(made));
    // The trash keeps them with it.
    expect(await expiryOf(two)).toBeNull();
    const createdAt = sql`now() - interval '8 days'`;
    await services.deps.db.query.update(deletions).set({ createdAt }).where(eq(deletions.id, deletionId));
    await sweepTrash(services.deps.db);
    expect(await expiryOf(two)).not.toBeNull();
    expect(await services.deps.db.query.select().from(fileUses)).toEqual([]);
  });

  it('leave it when they are deleted', async () => {
    const file = await addFile(alice);
    const made = await create({ fileIds: [file] });
    await alice.api.files.remove({ ids: [file] });
    expect((await alice.api.assistants.get(refOf(made))).fileIds).toEqual([]);
  });

  it('are not swept', async () => {
    const file = await addFile(alice);
    const made = await create({ fileIds: [file] });
    const { db, stores, config } = services.deps;
    await sweepFiles({ db, stores, arrivals: arrivalsFolder(config), onFault: (error) => expect(error).toBeNull() });
    expect((await alice.api.assistants.get(refOf(made))).fileIds).toEqual([file]);
  });

  it('cannot be those of another user', async () => {
    const his = await addFile(bob);
    await expect(create({ fileIds: [his] })).rejects.toMatchObject({
      cause: { reason: { type: 'not_found', what: 'file' } },
    });
    expect(await names()).toEqual([]);
  });
});

const missing = { cause: { reason: { type: 'not_found', what: 'assistant' } } };

function create(over: Partial<CreateAssistant> = {}): Promise<Assistant> {
  return alice.api.assistants.create({ model: 'gpt-4', ...over });
}

function refOf({ assistantId }: Assistant) {
  return { assistantId };
}

async function names(page?: Parameters<Person['api']['assistants']['list']>[0]) {
  return (await alice.api.assistants.list(page)).assistants.map(({ name }) => name);
}

async function addFile({ id: userId }: Person): Promise<string> {
  const id = randomUUID();
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const facts = { name: 'notes.txt', mime: 'text/plain', bytes: 5, context: 'assistants', source: 'local' } as const;
  await services.deps.db.query.insert(files).values({ userId, id, ...facts, expiresAt });
  return id;
}

async function expiryOf(id: string) {
  const [row] = await services.deps.db.query.select().from(files).where(eq(files.id, id));
  return row?.expiresAt;
}
