import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchPackages } from '@parley/server/commands/python-packages';
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

  it('takes them from a folder of the operator, whose files must have the same hashes', async () => {
    const { lock, wheels, asked } = server;
    const [from, folder] = [createFolder(), createFolder()];
    const before = asked.length;
    for (const [name, bytes] of wheels) await writeFile(join(from, name), bytes);
    await fetchPackages({ lock, names: ['tiny'], from, folder });
    expect((await readdir(folder)).toSorted()).toEqual(['packages.json', ...[...wheels.keys()].toSorted()]);
    expect(asked).toHaveLength(before);

    const other = createFolder();
    await writeFile(join(from, 'tiny_base-1.0-py3-none-any.whl'), 'another file');
    const wrong = fetchPackages({ lock, names: ['tiny-base'], from, folder: other });
    await expect(wrong).rejects.toThrow('is not the file that Pyodide lists');
    const missing = fetchPackages({ lock, names: ['tiny'], from: createFolder(), folder: other });
    await expect(missing).rejects.toThrow('cannot be read');
    expect(await readdir(other)).toEqual([]);
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
