// Built-in tools and plugins that the operator takes out, or the only ones that are left.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../../support/services.ts';
import { choosing } from '../../support/tools/tool-run.ts';

/** The keys that a person can choose, of these the ones that are offered, and the keys of the store. */
async function toolsWith(settings: Record<string, string[]>) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-filtered-'));
  const file = join(folder, 'parley.yaml');
  writeFileSync(file, JSON.stringify({ version: '1.0.7', ...settings }));
  const services = await openTestServices({ CONFIG_PATH: file });
  try {
    const alice = await services.as('alice');
    const { tools } = services.deps;
    const listed = (await tools.list(alice.id)).map(({ key }) => key);
    const offered = await tools.for(choosing(alice.id, ['calculator', 'web_page']));
    const store = (await alice.api.plugins.list()).map(({ key }) => key);
    return { listed, offered: [...offered.tools.keys()], store };
  } finally {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

it('filteredTools are in no list, and are not offered to a model that was given them', async () => {
  const { listed, offered, store } = await toolsWith({ filteredTools: ['calculator', 'wolfram'] });
  expect(listed).toContain('web_page');
  expect(listed.filter((key) => ['calculator', 'wolfram'].includes(key))).toEqual([]);
  expect(offered).toEqual(['web_page']);
  expect(store).toContain('google');
  expect(store.filter((key) => ['calculator', 'wolfram'].includes(key))).toEqual([]);
});

it('includedTools are the only ones', async () => {
  const { listed, offered, store } = await toolsWith({
    includedTools: ['calculator', 'google'],
    filteredTools: ['google'],
  });
  expect(listed.sort()).toEqual(['calculator', 'google']);
  expect(offered).toEqual(['calculator']);
  expect(store.sort()).toEqual(['calculator', 'google']);
});
