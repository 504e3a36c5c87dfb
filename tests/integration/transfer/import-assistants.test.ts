// The assistants of "Export everything" come back with their files, and what is here stays as it is.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assistants } from '@parley/db/tables/assistants';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { eq } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { changed, exportOf, importInto, jsonOf } from './archives.ts';

let here: HttpClients;
let alice: Browser;
let bob: Browser;
let poet: Assistant;
let archive: Uint8Array;

const definition = {
  name: 'Poet',
  description: 'Writes verse',
  instructions: 'Answer in verse.',
  endpoint: 'openAI',
  model: 'fake:echo',
  metadata: { conversation_starters: ['A poem about kites?'] },
};
const weather = { type: 'function' as const, function: { name: 'getWeather_action_d2VhdGhlci5leA' } };
const calculator = { type: 'function' as const, function: { name: 'calculator', description: 'Counts' } };

const env = {
  OPENAI_MODELS: 'fake:echo',
  ASSISTANTS_API_KEY: 'fake',
  ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1',
  ASSISTANTS_MODELS: 'fake:echo',
  TITLE_CONVO: 'false',
};

beforeAll(async () => {
  here = await openHttpClients({ env });
  alice = await here.signUp('alice');
  bob = await here.signUp('bob');
  const { deps } = here.services;
  const { id } = await keepTestFile(deps, alice.userId, { name: 'verses.txt', text: 'A kite is a bird' });
  const tools = [{ type: 'retrieval' as const }, weather, calculator];
  poet = await alice.api.assistants.create.mutate({ ...definition, tools, fileIds: [id], isShared: true });
  const { assistantId } = poet;
  const withPicture = { ...definition.metadata, avatar: '/images/x/poet.png', avatar_source: 'local' };
  await deps.db.query.update(assistants).set({ metadata: withPicture }).where(eq(assistants.id, assistantId));
  const settings = { assistant_id: assistantId };
  await exchange(here.services, alice.userId, question('A poem?', { endpoint: 'assistants', model: null, settings }));
  await alice.api.presets.save.mutate({ title: 'By the poet', endpoint: 'assistants', model: null, settings });
  archive = await exportOf(here, alice);
});
afterAll(async () => {
  await alice?.close();
  await bob?.close();
  await here?.close();
});

const own = async ({ api }: Browser) => (await api.assistants.list.query({})).assistants;

test('the archive has their definitions, without the addresses of pictures, functions of actions and whom they are shared with', () => {
  const list: unknown = JSON.parse(Buffer.from(unzipSync(archive)['assistants.json'] ?? []).toString());
  const { isShared: _, knowsAsker: _knows, ...shown } = poet;
  const { assistantId: id } = shown;
  const tools = [{ type: 'retrieval' }, calculator];
  expect(list).toEqual([{ ...shown, id, tools, actions: [], updatedAt: expect.any(String) }]);
});

test('another account gets them with their files, and its conversations and presets name them', async () => {
  const told = await importInto(here, bob, archive);
  expect(told.others).toContainEqual({ kind: 'assistants', imported: 1, present: 0, skipped: 0 });
  const [mine, ...more] = (await own(bob)).filter(({ sharedBy }) => sharedBy === undefined);
  expect(more).toEqual([]);
  const { files } = await bob.api.files.list.query({});
  expect(files).toMatchObject([{ name: 'verses.txt', expiresAt: null }]);
  const fileIds = files.map(({ fileId }) => fileId);
  const tools = [{ type: 'retrieval' }, calculator];
  expect(mine).toMatchObject({ ...definition, tools, fileIds, isShared: false });
  expect(mine?.assistantId).not.toBe(poet.assistantId);
  const settings = { assistant_id: mine?.assistantId };
  expect((await bob.api.convos.list.query({})).convos).toMatchObject([{ endpoint: 'assistants', settings }]);
  expect(await bob.api.presets.list.query()).toMatchObject([{ title: 'By the poet', settings }]);
});

test('a second import changes nothing, also not an assistant that was changed meanwhile', async () => {
  const [mine] = (await own(bob)).filter(({ sharedBy }) => sharedBy === undefined);
  await bob.api.assistants.update.mutate({ assistantId: mine?.assistantId ?? '', name: 'Bard' });
  const told = await importInto(here, bob, archive);
  expect(told.others).toContainEqual({ kind: 'assistants', imported: 0, present: 1, skipped: 0 });
  const names = (await own(bob)).filter(({ sharedBy }) => sharedBy === undefined).map(({ name }) => name);
  expect(names).toEqual(['Bard']);
  const before = await own(alice);
  expect((await importInto(here, alice, archive)).others).toContainEqual({
    kind: 'assistants',
    imported: 0,
    present: 1,
    skipped: 0,
  });
  expect(await own(alice)).toEqual(before);
});

test('none is made where the operator has disabled the builder', async () => {
  const CONFIG_PATH = join(createFolder(), 'parley.yaml');
  writeFileSync(CONFIG_PATH, 'version: 1.0.7\nendpoints:\n  assistants:\n    disableBuilder: true\n');
  const there = await openHttpClients({ env: { ...env, CONFIG_PATH } });
  const dora = await there.signUp('dora');
  const told = await importInto(there, dora, archive);
  expect(told.others).toContainEqual({ kind: 'assistants', imported: 0, present: 0, skipped: 1 });
  expect(await own(dora)).toEqual([]);
  const settings = { assistant_id: poet.assistantId };
  const { convos } = await dora.api.convos.list.query({});
  expect(convos).toMatchObject([{ endpoint: 'assistants', settings }]);

  const [convo] = convos;
  const { conversationId = '' } = convo ?? {};
  const reply = (await dora.api.messages.list.query({ conversationId })).at(-1);
  if (!convo || !reply) throw new Error('The conversation is not here');
  const again = followUp('Another poem?', { convo, reply }, { endpoint: 'assistants', model: null, settings });
  const refused = await dora.api.messages.ask.mutate(again).catch((error: unknown) => error);
  expect(refused).toMatchObject({ data: { reason: { type: 'not_found', what: 'assistant' } } });
  expect(await dora.api.messages.list.query({ conversationId })).toHaveLength(2);
  await dora.close();
  await there.close();
});

test('what is no assistant is left out', async () => {
  const carol = await here.signUp('carol');
  const foreign = changed(archive, (entries) => {
    const odd = { assistantId: 'asst_a', model: 'fake:echo', tools: [{ type: 'magic' }, 7], fileIds: ['x'], name: 3 };
    entries['assistants.json'] = jsonOf([{ name: 'No model', assistantId: 'asst_b' }, 'nothing', odd]);
  });
  const told = await importInto(here, carol, foreign);
  expect(told.others).toContainEqual({ kind: 'assistants', imported: 1, present: 0, skipped: 2 });
  expect((await own(carol)).filter(({ sharedBy }) => sharedBy === undefined)).toMatchObject([
    { name: null, model: 'fake:echo', tools: [], fileIds: [] },
  ]);
  await carol.close();
});
