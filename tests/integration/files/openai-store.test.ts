import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeOpenAIFiles, type FakeOpenAIFiles } from '@parley/scripts/fake-openai-files/server';
import { storageKey } from '@parley/server/storage/file-store';
import { createOpenAIStore } from '@parley/server/files/stores/openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileStoreContract } from '../../contracts/file-store.ts';

fileStoreContract('OpenAI', async () => {
  const openAI = await startFakeOpenAIFiles();
  return { store: createOpenAIStore(openAI.settings), close: () => openAI.close() };
});

let openAI: FakeOpenAIFiles;
let folder: string;
beforeAll(async () => {
  openAI = await startFakeOpenAIFiles();
  folder = await mkdtemp(join(tmpdir(), 'parley-openai-'));
});
afterAll(async () => {
  await openAI.close();
  await rm(folder, { recursive: true, force: true });
});

const key = storageKey(randomUUID(), 'a'.repeat(64));

async function put(text: string) {
  const store = createOpenAIStore(openAI.settings);
  const path = join(folder, randomUUID());
  await writeFile(path, text);
  await store.put(key, { path, bytes: text.length, mime: 'text/plain' }, new AbortController().signal);
  return store;
}

it('neither lists nor removes files of the account that are not its own', async () => {
  const foreign = { id: 'file-foreign', filename: 'report.pdf', purpose: 'vision', content: Buffer.from('theirs') };
  openAI.files.set(foreign.id, foreign);
  const store = await put('ours');
  const keys: string[] = [];
  for await (const one of store.list('')) keys.push(one);
  expect(keys).toEqual([key]);
  await store.remove(key);
  expect([...openAI.files.keys()]).toEqual(['file-foreign']);
});

it('finds a file that another process removed and put again under a new id', async () => {
  const store = await put('same');
  const [before] = [...openAI.files.keys()].slice(-1);
  await (await put('same')).remove(key);
  await put('same');
  expect(openAI.files.has(before ?? '')).toBe(false);
  expect(await new Response((await store.read(key)) as BodyInit).text()).toBe('same');
});

it('a refusal by OpenAI is reported by its status only', async () => {
  const store = createOpenAIStore({ ...openAI.settings, apiKey: 'a wrong one' });
  await expect(store.read('key')).rejects.toThrow(/^The store answers 401 to GET$/);
});
