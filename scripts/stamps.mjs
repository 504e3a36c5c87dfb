// Tells whether what was built is still what the sources say. Plain JavaScript, because every start asks it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The web takes only types from the server, and types are not in what is built. */
const inputs = {
  server: ['package-lock.json', 'scripts/build.ts', 'schema/src', 'db/src', 'server/src'],
  web: ['package-lock.json', 'scripts/build.ts', 'schema/src', 'web'],
};

export function isFresh(half, folder = root) {
  const stamp = stampIn(join(folder, half, 'dist'));
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashInputs(half, folder);
}

/** The content and names of everything that goes into one half. */
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
