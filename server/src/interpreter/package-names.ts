import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PACKAGE_LIST, packagesFolder } from './program.ts';

/** The list that `npm run python-packages` writes, a part of Pyodide's own: packages by their names. */
export const PackageList = z.record(z.string(), z.looseObject({ name: z.string(), version: z.string() }));

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
