// What a change must pass at once: the checks of its files, and the tests of the rooms in which they are.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build-stamps.mjs';

/** Folders of the product, and where the tests of their rooms are. */
const TESTS_OF: readonly [sources: RegExp, tests: readonly string[]][] = [
  [/^server\/src\/([\w-]+)/, ['tests/unit', 'tests/integration']],
  [/^web\/src\/([\w-]+)/, ['tests/unit/web']],
  [/^schema\/src\/([\w-]+)/, ['tests/unit/schema', 'tests/unit', 'tests/integration']],
  [/^(db)\//, ['tests/integration']],
];

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

/** The tests among the changed files, and the folders or files of the tests of each changed room. */
export function findTests(
  changed: readonly string[],
  exists = (path: string) => existsSync(join(root, path)),
): string[] {
  const tests = changed.filter((path) => /\.test\.tsx?$/.test(path));
  const rooms = changed.flatMap((path) =>
    TESTS_OF.flatMap(([sources, folders]) => {
      const room = sources.exec(path)?.[1];
      return room ? folders.flatMap((folder) => [`${folder}/${room}/`, `${folder}/${room}.test.ts`]) : [];
    }),
  );
  return [...new Set([...tests, ...rooms.filter(exists)])].toSorted();
}

/** The files that the linter reads. */
export function lintable(changed: readonly string[]): string[] {
  return changed.filter((path) => /\.(ts|tsx|mjs|mts|js)$/.test(path));
}
