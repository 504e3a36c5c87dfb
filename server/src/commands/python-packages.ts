// `npm run python-packages [-- --from <address or folder>] [-- <name>...]`: fetches Python packages for the code
// interpreter, with what they need, as the installed Pyodide lists them; numpy, pandas, matplotlib and pillow unless others
// are named. They come from a mirror or a folder of the operator's (or PYTHON_PACKAGES_FROM), else from Pyodide's host.
// About 40 MB, once; again after an update. Each file must have the hash of the list.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { loadConfig } from '../load-config.ts';
import { isHttpUrl } from '../config/addresses.ts';
import { PACKAGE_LIST, packagesFolder } from '../interpreter/program.ts';
import { installOutboundProxy } from '../platform/outbound-proxy.ts';
import { megabytes, NO_OPERATOR, type Operator } from '../config/operator.ts';
import { hashFile } from '../storage/arrivals.ts';
import { withoutTrailingSlash } from '../config/addresses.ts';
import type { Command } from './run-command.ts';

const Lock = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      name: z.string(),
      version: z.string(),
      // A name, never a path.
      file_name: z.string().regex(/^[\w.+-]+$/),
      sha256: z.string().regex(/^[\da-f]{64}$/),
      depends: z.array(z.string()),
    }),
  ),
});
export type Lock = z.infer<typeof Lock>;
type Package = Lock['packages'][string];

const USUAL = ['numpy', 'pandas', 'matplotlib', 'pillow'];
const FILE_MAX_MS = 10 * 60_000;

/**
 * Fetches the packages and what they depend on into `folder`, beside the list that kernels read; files of other packages
 * are removed. Files that are there already stay. `from` is their folder: an http(s) address, or a path.
 * @throws Error with one sentence for an unknown package, a missing file or a wrong hash; the list is as before then
 */
export async function fetchPackages(given: {
  lock: Lock;
  names: readonly string[];
  from: string;
  folder: string;
  operator?: Operator;
}): Promise<void> {
  const { lock, names, from, folder, operator = NO_OPERATOR } = given;
  const chosen = withDependencies(lock, names);
  await mkdir(folder, { recursive: true });
  for (const [index, one] of [...chosen.values()].entries()) {
    const doing = `Fetching ${one.file_name} (${index + 1} of ${chosen.size})`;
    const show = (bytes: number) => operator.show(`${doing}: ${megabytes(bytes)}`, from);
    const path = join(folder, one.file_name);
    if ((await hashFile(path).catch(() => null)) === one.sha256) continue;
    show(0);
    await copyFile(await openFile(from, one.file_name, operator.signal), path, one.sha256, show);
  }
  const unfinished = join(folder, `${PACKAGE_LIST}.${randomUUID()}`);
  await writeFile(unfinished, JSON.stringify(Object.fromEntries(chosen)));
  await rename(unfinished, join(folder, PACKAGE_LIST));
  const kept = new Set([PACKAGE_LIST, ...[...chosen.values()].map(({ file_name: name }) => name)]);
  for (const name of await readdir(folder)) if (!kept.has(name)) await rm(join(folder, name));
}

/** By their keys in the list. */
function withDependencies({ packages }: Lock, names: readonly string[]): Map<string, Package> {
  const chosen = new Map<string, Package>();
  const left = [...names];
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    const found = packages[key];
    if (!found) throw new Error(`Pyodide has no package ${key}.`);
    if (chosen.has(key)) continue;
    chosen.set(key, found);
    left.push(...found.depends);
  }
  return chosen;
}

interface OpenFile {
  /** Its address or path. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

async function openFile(from: string, file: string, signal: AbortSignal): Promise<OpenFile> {
  if (!isHttpUrl(from)) {
    const name = join(resolve(from), file);
    return { name, bytes: createReadStream(name, { signal }) };
  }
  const name = `${withoutTrailingSlash(from)}/${file}`;
  const response = await fetch(name, { signal: AbortSignal.any([signal, AbortSignal.timeout(FILE_MAX_MS)]) });
  if (!response.ok || !response.body) throw new Error(`${name} answers ${response.status}.`);
  return { name, bytes: response.body };
}

async function copyFile(
  { name, bytes }: OpenFile,
  path: string,
  sha256: string,
  show: (bytes: number) => void,
): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  const hash = createHash('sha256');
  let read = 0;
  try {
    await pipeline(
      bytes,
      async function* count(pieces: AsyncIterable<Uint8Array>) {
        for await (const piece of pieces) {
          hash.update(piece);
          show((read += piece.length));
          yield piece;
        }
      },
      createWriteStream(unfinished),
    );
    if (hash.digest('hex') !== sha256) throw new Error(`${name} is not the file that Pyodide lists.`);
    await rename(unfinished, path);
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new Error(`${name} cannot be read: ${error.message}`) : error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

export const packagesCommand: Command = {
  args: '[--from <address or folder>] [name…]',
  help: `Fetches Python packages for the code interpreter, with what they need: ${USUAL.join(', ')} unless others are named.
  --from   a mirror or a folder instead of Pyodide's host, or of PYTHON_PACKAGES_FROM`,
  whenStopped: 'Run it again: what is there already stays.',
  run: fetchPythonPackages,
};

async function fetchPythonPackages(
  args: string[],
  _migrations: string,
  operator: Operator = NO_OPERATOR,
): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { from: { type: 'string' } }, allowPositionals: true });
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const { dataDir, outboundProxy } = config.server;
  if (outboundProxy) await installOutboundProxy(outboundProxy);
  const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide/pyodide.mjs'));
  const { version } = z.object({ version: z.string() }).parse(await readJson(join(pyodide, 'package.json')));
  const folder = packagesFolder(join(dataDir, 'sandbox'));
  await fetchPackages({
    lock: Lock.parse(await readJson(join(pyodide, 'pyodide-lock.json'))),
    names: positionals.length > 0 ? positionals : USUAL,
    from: values.from ?? config.interpreter.packagesFrom ?? `https://cdn.jsdelivr.net/pyodide/v${version}/full/`,
    folder,
    operator,
  });
  return `The packages are in ${folder}.`;
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}
