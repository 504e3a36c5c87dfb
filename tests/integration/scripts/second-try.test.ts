// Other runs of vitest, whose files fail on purpose.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@parley/scripts/build-stamps';
import { runSuite } from '@parley/scripts/test/vitest-suite';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-second-try-'));
  mkdirSync(join(folder, 'tests'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  write(
    'vitest.config.ts',
    `export default { root: ${JSON.stringify(folder)}, test: { include: ['tests/*.test.ts'] } };`,
  );
  write('passing.test.ts', "import { it } from 'vitest'; it('passes', () => {});");
  write(
    'failing.test.ts',
    `import { it } from 'vitest'; ${counting('failing')} it('fails', () => { throw Error('twice'); });`,
  );
  write(
    'unstable.test.ts',
    `import { expect, it } from 'vitest'; ${counting('unstable')}
    it('passes at the second try', () => expect(tries).toBe(2)); it('passes always', () => {});`,
  );
  write(
    'unloadable.test.ts',
    `${counting('unloadable')} if (tries === 1) throw Error('no module');
    const { it } = await import('vitest'); it('passes once it loads', () => {});`,
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a failed test file runs once more in CI, and only what fails twice counts as failed', async () => {
  const { passed, failed, failures, unstable } = await runSuite([], { folder, again: true, output: 'ignore' });
  expect({ passed, failed }).toEqual({ passed: 4, failed: 1 });
  expect(failures).toEqual([expect.stringContaining('tests/failing.test.ts: fails\n    Error: twice')]);
  expect(unstable.map(({ file }) => file).sort()).toEqual(['tests/unloadable.test.ts', 'tests/unstable.test.ts']);
  expect(unstable.flatMap(({ first }) => first).join()).toContain('no module');
  expect(['failing', 'unstable', 'unloadable'].map(triesOf)).toEqual([2, 2, 2]);
});

it('a failed test file runs once outside of CI', async () => {
  const { passed, failed, unstable } = await runSuite([], { folder, again: false, output: 'ignore' });
  expect({ passed, failed, unstable }).toEqual({ passed: 2, failed: 3, unstable: [] });
  expect(['failing', 'unstable', 'unloadable'].map(triesOf)).toEqual([1, 1, 1]);
});

it('an error that no test awaited fails the run in CI, too', async () => {
  write('unhandled.test.ts', "import { it } from 'vitest'; it('leaves', () => void Promise.reject(Error('nobody')));");
  const { failed, failures } = await runSuite([], { folder, again: true, output: 'ignore' });
  expect(failed).toBe(2);
  expect(failures).toContainEqual(expect.stringContaining('nobody'));
});

function write(name: string, source: string): void {
  writeFileSync(join(folder, 'tests', name), source);
}

/** Source that counts in `tries` how often its file has run. */
function counting(name: string): string {
  const file = JSON.stringify(join(folder, `${name}.tries`));
  return `import { appendFileSync, readFileSync } from 'node:fs'; appendFileSync(${file}, '.');
    const tries = readFileSync(${file}, 'utf8').length;`;
}

function triesOf(name: string): number {
  return readFileSync(join(folder, `${name}.tries`), 'utf8').length;
}
