// Checks whether a build is up to date with its sources. Plain JavaScript, because every start runs it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The web imports only types from the server, which are not part of its build. */
const inputs = {
  server: ['package-lock.json', 'scripts/build.ts', 'scripts/build', 'schema/src', 'db/src', 'server/src'],
  web: ['package-lock.json', 'scripts/build.ts', 'schema/src', 'web'],
};

export function isFresh(half, folder = root) {
  const stamp = stampIn(join(folder, half, 'dist'));
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashInputs(half, folder);
}

/** Hashes the names and contents of all inputs of one half. */
export function hashInputs(half, folder = root) {
  const hash = createHash('sha256');
  for (const input of inputs[half]) {
    for (const path of listFiles(folder, input)) hash.update(`${path}\0`).update(readFileSync(join(folder, path)));
  }
  return hash.digest('hex');
}

export function stamp(dist, hash) {
  writeFileSync(stampIn(dist), hash);
}

function stampIn(dist) {
  return join(dist, '.stamp');
}

function listFiles(folder, path) {
  if (!existsSync(join(folder, path))) return [];
  if (statSync(join(folder, path)).isFile()) return [path];
  const names = readdirSync(join(folder, path)).filter((name) => name !== 'dist' && name !== 'node_modules');
  return names.toSorted().flatMap((name) => listFiles(folder, `${path}/${name}`));
}
