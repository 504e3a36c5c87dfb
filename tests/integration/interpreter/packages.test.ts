import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fetchPackages, type Lock } from '@parley/scripts/python-packages';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { openTestInterpreter } from '../../support/interpreter.ts';

/** A wheel with one module, which may import another. */
function wheelOf(name: string, source: string): Uint8Array {
  const info = `${name}-1.0.dist-info`;
  return zipSync({
    [`${name}.py`]: strToU8(source),
    [`${info}/METADATA`]: strToU8(`Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`),
    [`${info}/WHEEL`]: strToU8('Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    [`${info}/RECORD`]: strToU8(''),
  });
}

const wheels = new Map([
  ['tiny-1.0-py3-none-any.whl', wheelOf('tiny', 'import tiny_base\nanswer = tiny_base.half * 2\n')],
  ['tiny_base-1.0-py3-none-any.whl', wheelOf('tiny_base', 'half = 21\n')],
]);

const lock: Lock = {
  packages: Object.fromEntries(
    [
      { name: 'tiny', depends: ['tiny-base'], imports: ['tiny'] },
      { name: 'tiny-base', depends: [], imports: ['tiny_base'] },
    ].map((one) => {
      const file = `${one.name.replace('-', '_')}-1.0-py3-none-any.whl`;
      const sha256 = createHash('sha256')
        .update(wheels.get(file) ?? '')
        .digest('hex');
      const usual = { version: '1.0', install_dir: 'site', package_type: 'package', unvendored_tests: false };
      return [one.name, { ...one, ...usual, file_name: file, sha256 }];
    }),
  ),
};

const asked: string[] = [];
const server = createServer(({ url = '' }, response) => {
  asked.push(url);
  const wheel = wheels.get(url.replace('/full/', ''));
  response.writeHead(wheel ? 200 : 404).end(wheel);
});
let from: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/full`;
});
afterAll(() => void server.close());

describe('python-packages', () => {
  it('fetches a package with what it needs, once; kernels load it when it is imported', async () => {
    const of = await openTestInterpreter();
    try {
      const folder = join(of.services.deps.config.server.dataDir, 'sandbox', 'packages');
      expect((await of.tool()).description).toContain('Only the standard library');
      await fetchPackages({ lock, names: ['tiny'], from, folder });
      await fetchPackages({ lock, names: ['tiny'], from, folder });
      expect(asked.toSorted()).toEqual([...wheels.keys()].map((name) => `/full/${name}`).toSorted());
      expect((await of.tool()).description).toContain('tiny 1.0, tiny-base 1.0');
      const { text } = await of.run('import tiny\ntiny.answer');
      expect(text).toContain('42\n');
    } finally {
      await of.close();
    }
  });

  it('keeps nothing whose hash is wrong', async () => {
    const folder = createFolder();
    const wrong = structuredClone(lock);
    Object.assign(wrong.packages['tiny-base'] ?? {}, { sha256: '0'.repeat(64) });
    const fetching = fetchPackages({ lock: wrong, names: ['tiny-base'], from, folder });
    await expect(fetching).rejects.toThrow('is not the file that Pyodide lists');
    expect(await readdir(folder)).toEqual([]);
  });

  it('says what Pyodide does not have, and what a server does not', async () => {
    const folder = createFolder();
    await expect(fetchPackages({ lock, names: ['huge'], from, folder })).rejects.toThrow('has no package huge');
    const elsewhere = fetchPackages({ lock, names: ['tiny'], from: `${from}/other/`, folder });
    await expect(elsewhere).rejects.toThrow('answers 404');
  });
});
