// A server of Python packages: two small wheels, of which one needs the other.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lock } from '@parley/server/commands/python-packages';
import { strToU8, zipSync } from 'fflate';

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

export interface WheelServer {
  /** The list of its packages: `tiny` needs `tiny-base`. */
  lock: Lock;
  /** The address of the folder of its files. */
  from: string;
  /** The names of the files that were asked for. */
  asked: string[];
  /** Its files by their names. */
  wheels: ReadonlyMap<string, Uint8Array>;
  close(): void;
}

export async function startWheelServer(): Promise<WheelServer> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const name = url.replace('/full/', '');
    asked.push(name);
    const wheel = wheels.get(name);
    response.writeHead(wheel ? 200 : 404).end(wheel);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/full`;
  return { lock, from, asked, wheels, close: () => void server.close() };
}
