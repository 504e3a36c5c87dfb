// What a change must pass at once: the checks of its files, and the tests of the rooms in which they are.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build-stamps.mjs';

/** A room: a folder directly below the sources of a workspace. The database's tables are one. */
const ROOM = /^(?:(?:server|web|schema)\/src\/[\w-]+(?=\/)|db(?=\/))/;
/** The first line of the first file of a room names the tests of the room. */
const NAMED = /^\/\/ Tests of this room: (.+)\.$/m;
const TESTS_OF_TABLES = ['tests/integration/db'];

/** The paths, from the root, of files that differ from the main branch and exist, committed or not. */
export function findChanged(folder: string = root): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads/main', 'refs/remotes/origin/main');
  const main = branches.split('\n').find((name) => name === 'origin/main') ?? 'main';
  const base = branches === '' ? 'HEAD' : git('merge-base', 'HEAD', main);
  const names = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')];
  const paths = names.flatMap((text) => text.split('\n'));
  return [...new Set(paths)].filter((path) => path !== '' && existsSync(join(folder, path))).toSorted();
}

/** The tests among the changed files, and those of each changed room: in the browser only on a wider run. */
export function findTests(changed: readonly string[], folder: string = root): string[] {
  const tests = changed.filter((path) => /\.test\.tsx?$/.test(path));
  const rooms = new Set(changed.flatMap((path) => ROOM.exec(path)?.[0] ?? []));
  const named = [...rooms].flatMap((room) => readRoomTests(room, folder));
  return [...new Set([...tests, ...named.filter((path) => !path.startsWith('tests/e2e/'))])].toSorted();
}

/** The folders and files of a room's tests, as its first file names them; none for a room that is gone. */
export function readRoomTests(room: string, folder: string = root): string[] {
  if (room === 'db') return TESTS_OF_TABLES;
  const first = firstSource(join(folder, room));
  return first === null ? [] : (NAMED.exec(readFileSync(first, 'utf8'))?.[1]?.split(', ') ?? []);
}

/** The first source file of a folder by name, or of the first folder inside it that has one. */
function firstSource(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const file = entries.find((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name));
  if (file) return join(folder, file.name);
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => firstSource(join(folder, name))).find((path) => path !== null) ?? null;
}

/** The files that the linter reads. */
export function lintable(changed: readonly string[]): string[] {
  return changed.filter((path) => /\.(ts|tsx|mjs|mts|js)$/.test(path));
}
