import { readdir } from 'node:fs/promises';
import { fetchPackages } from '@parley/scripts/python-packages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { startWheelServer, type WheelServer } from '../../support/interpreter/wheels.ts';

let server: WheelServer;

beforeAll(async () => {
  server = await startWheelServer();
});
afterAll(() => server.close());

describe('python-packages', () => {
  it('fetches a package with what it needs, each file once, and removes what is no longer wanted', async () => {
    const { lock, from, asked } = server;
    const folder = createFolder();
    await fetchPackages({ lock, names: ['tiny'], from, folder });
    await fetchPackages({ lock, names: ['tiny'], from, folder });
    const [base, tiny] = ['tiny_base-1.0-py3-none-any.whl', 'tiny-1.0-py3-none-any.whl'];
    expect(asked.toSorted()).toEqual([tiny, base]);
    await fetchPackages({ lock, names: ['tiny-base'], from, folder });
    expect((await readdir(folder)).toSorted()).toEqual(['packages.json', base]);
  });

  it('keeps nothing whose hash is wrong', async () => {
    const folder = createFolder();
    const wrong = structuredClone(server.lock);
    Object.assign(wrong.packages['tiny-base'] ?? {}, { sha256: '0'.repeat(64) });
    const fetching = fetchPackages({ lock: wrong, names: ['tiny-base'], from: server.from, folder });
    await expect(fetching).rejects.toThrow('is not the file that Pyodide lists');
    expect(await readdir(folder)).toEqual([]);
  });

  it('says what Pyodide does not have, and what a server does not', async () => {
    const folder = createFolder();
    const { lock, from } = server;
    await expect(fetchPackages({ lock, names: ['huge'], from, folder })).rejects.toThrow('has no package huge');
    const elsewhere = fetchPackages({ lock, names: ['tiny'], from: `${from}/other/`, folder });
    await expect(elsewhere).rejects.toThrow('answers 404');
  });
});
