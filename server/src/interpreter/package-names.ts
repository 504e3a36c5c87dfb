import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { operatorCommand } from '../config/operator-command.ts';
import { PACKAGE_LIST, packagesFolder } from './program.ts';

/** The list that `npm run python-packages` writes, a part of Pyodide's own: packages by their names. */
const PackageList = z.record(z.string(), z.looseObject({ name: z.string(), version: z.string() }));

const MISSING = /^ModuleNotFoundError: No module named '([\w.]+)'/m;

/** What is there beside Python itself, for model and person. */
export function packagesSentence(packages: readonly string[]): string {
  return packages.length > 0
    ? `Beside the standard library there are: ${packages.join(', ')}.`
    : 'Only the standard library is there, without numpy and matplotlib.';
}

/** Says that a package is not on this server, where that is what code failed of. */
export function missingPackageSentence(error: string, packages: readonly string[]): string | null {
  const [name] = MISSING.exec(error)?.[1]?.split('.') ?? [];
  if (name === undefined) return null;
  return `There is no package ${name} on this server. ${packagesSentence(packages)} Its operator can add packages with: ${operatorCommand('python-packages')}\n`;
}

/** The names and versions of the packages that kernels offer; the list is read again when it has changed. */
export function createPackageNames(folder: string): () => Promise<string[]> {
  const path = join(packagesFolder(folder), PACKAGE_LIST);
  let read: { changed: number; names: string[] } | null = null;
  return async () => {
    const found = await stat(path).catch(() => null);
    if (!found) return [];
    if (read?.changed === found.mtimeMs) return read.names;
    const packages = PackageList.parse(JSON.parse(await readFile(path, 'utf8')));
    read = { changed: found.mtimeMs, names: Object.values(packages).map(({ name, version }) => `${name} ${version}`) };
    return read.names;
  };
}
