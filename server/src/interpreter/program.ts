// How kernels are started: Deno with Python in WebAssembly, or a program of the operator's.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { KernelProgram } from './kernel.ts';

/** What a kernel on Deno is made of, as absolute paths. */
export interface DenoKernel {
  deno: string;
  /** The folder of Pyodide. */
  pyodide: string;
  kernel: string;
  /** The folder that keeps the snapshot and packages. */
  folder: string;
}

/** Names of the packages that hold Deno for a platform. */
const DENO: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm64': 'linux-arm64-glibc',
  'linux-x64': 'linux-x64-glibc',
  'win32-arm64': 'win32-arm64',
  'win32-x64': 'win32-x64',
};

/** Null where Deno or Pyodide is not installed, such as on a platform without Deno. */
export function findDenoKernel(folder: string, platform = `${process.platform}-${process.arch}`): DenoKernel | null {
  const require = createRequire(import.meta.url);
  const name = DENO[platform];
  if (name === undefined) return null;
  try {
    const manifest = require.resolve(`@deno/${name}/package.json`);
    const deno = join(dirname(manifest), platform.startsWith('win32') ? 'deno.exe' : 'deno');
    if (!existsSync(deno)) return null;
    const pyodide = dirname(require.resolve('pyodide/pyodide.mjs'));
    return { deno, pyodide, kernel: fileURLToPath(kernelBeside(import.meta.url)), folder };
  } catch {
    return null;
  }
}

/** Beside this module in the sources; in a build with `main.js`, where this module is in that or in `chunks/`. */
function kernelBeside(module: string): URL {
  return new URL(module.includes('/chunks/') ? '../kernel.mjs' : './kernel.mjs', module);
}

/** What the kernel gets at its start. */
interface KernelOptions {
  /** Starts from the memory in this file, instead of from nothing, which takes several times as long. */
  snapshot?: string;
  /** Writes its memory to its standard output and ends. */
  makesSnapshot?: boolean;
}

/** Where `npm run python-packages` puts wheels, and their list, which is a part of Pyodide's own. */
export function packagesFolder(folder: string): string {
  return join(folder, 'packages');
}

export const PACKAGE_LIST = 'packages.json';

/** The process may read these files and folders, and do nothing else: no network, no writing, no other program. */
export async function denoProgram(of: DenoKernel, options: KernelOptions = {}): Promise<KernelProgram> {
  const packages = packagesFolder(of.folder);
  const hasPackages = existsSync(join(packages, PACKAGE_LIST));
  const readable = [of.pyodide, of.kernel, options.snapshot, hasPackages ? packages : undefined];
  const [cwd, noFolder] = [join(of.folder, 'empty'), join(of.folder, 'no-folder')];
  await mkdir(cwd, { recursive: true });
  await writeFile(noFolder, '');
  return {
    file: of.deno,
    args: [
      'run',
      '--no-prompt',
      '--no-config',
      '--no-lock',
      '--no-remote',
      '--no-npm',
      '--cached-only',
      // A comma in a path is written twice.
      `--allow-read=${readable.flatMap((path) => path?.replaceAll(',', ',,') ?? []).join(',')}`,
      '--v8-flags=--max-old-space-size=256,--wasm-lazy-compilation',
      of.kernel,
      JSON.stringify({ pyodide: pathToFileURL(`${of.pyodide}/`).href, ...(hasPackages && { packages }), ...options }),
    ],
    // Deno's own folder cannot exist below a file: its Cache API would write there without a permission, for others to
    // read. It would also ask for newer versions of itself.
    env: { DENO_DIR: join(noFolder, 'deno'), DENO_NO_UPDATE_CHECK: '1' },
    cwd,
  };
}

/** What a snapshot depends on: it fits no other version. */
export async function programVersion({ deno, pyodide, kernel }: DenoKernel): Promise<string> {
  const hash = createHash('sha256').update(await readFile(kernel));
  for (const of of [dirname(deno), pyodide]) hash.update(await readFile(join(of, 'package.json')));
  return hash.digest('hex').slice(0, 16);
}

/** A command of the operator's: words, of which those in quotes may have spaces. */
export function commandProgram(command: string, cwd: string): KernelProgram {
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const [file = '', ...args] = words;
  const { PATH = '', HOME = '' } = process.env;
  return { file, args, env: { PATH, HOME }, cwd };
}
