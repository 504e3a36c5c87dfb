// The parts of the tests: `unit` needs this process alone, `integration` real PostgreSQL, HTTP and processes, `e2e` a
// browser; `slow` is what measures or takes long, and runs on demand. Each is also a command: `npm run test:unit` …
import { readFileSync, readdirSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { webPackages } from './unit/web-packages.ts';

const root = new URL('..', import.meta.url).pathname;
const slow = ['tests/slow/**', 'tests/**/*.slow.test.{ts,tsx}'];
const never = ['**/node_modules/**'];

// Files in modules of their own: the web's keep stores, dictionaries and a document; others change modules: by spies, or a row in a table.
const web = ['tests/unit/web/**/*.test.{ts,tsx}'];
/** In a process of their own: what they use knows errors, files or windows only as those of the process. */
const isolated = [
  'tests/unit/auth/passwords.test.ts',
  'tests/unit/web/endpoints/describe-off.test.ts',
  'tests/unit/web/i18n/offline-page.test.ts',
];
const replacing = ['tests/integration/auth/router.test.ts', 'tests/integration/providers/define-provider.test.ts'];
const clusters = ['tests/integration/cluster/**/*.test.ts'];

/** Files that go further in the slow run: those that ask `support/extent.ts` how far. */
const extended = readdirSync(new URL('.', import.meta.url), { recursive: true })
  .map((file) => `tests/${file}`)
  .filter((file) => /^tests\/(unit|integration|e2e)\/.*\.test\.tsx?$/.test(file))
  .filter((file) => readFileSync(`${root}${file}`, 'utf8').includes('support/extent.ts'));

const setupFiles = ['tests/support/unit-setup.ts'];
const webSetup = [...setupFiles, 'tests/support/unit-web-setup.ts'];

/** How long a state may take to come. A poll that waits longer than this is stuck, however busy the machine. */
const expect = { poll: { timeout: 60_000, interval: 20 } };

const waiting = { maxWorkers: 4, maxConcurrency: 12, sequence: { groupOrder: 1 } };

/** Its timeouts are for tests that hang, not for slow ones: a busy machine is no failure. */
function part(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  const include = [`tests/${name}/**/*.test.{ts,tsx}`];
  return {
    root,
    test: { name, include, exclude: [...never, ...slow], testTimeout: 300_000, hookTimeout: 300_000, expect, ...test },
  };
}

export default defineConfig({
  root,
  test: {
    maxWorkers: 2,
    projects: [
      // Most share nothing but the modules; those of the web keep stores, dictionaries and a document in theirs.
      part('unit', { isolate: false, exclude: [...never, ...slow, ...isolated, ...web], setupFiles }),
      part('unit-isolated', { include: isolated, setupFiles: webSetup }),
      {
        // Contexts of one process have modules of their own for half the CPU of processes.
        ...part('unit-web', {
          include: web,
          exclude: [...never, ...slow, ...isolated],
          pool: 'vmForks',
          setupFiles: webSetup,
        }),
        plugins: [webPackages()],
      },
      // Four workers on two cores, since much of their time is waiting.
      part('integration', {
        ...waiting,
        globalSetup: ['tests/support/global-setup.ts'],
        isolate: false,
        exclude: [...never, ...slow, ...replacing, ...clusters],
      }),
      part('integration-isolated', { ...waiting, include: replacing, globalSetup: ['tests/support/global-setup.ts'] }),
      // A cluster has twenty processes: after the others, and the machine for itself.
      part('integration-cluster', { include: clusters, maxWorkers: 1, sequence: { groupOrder: 4 } }),
      // The files of a worker share its browser and, where they need no configuration of their own, its server. Three
      // workers on two cores, since pages wait for answers that are written slowly.
      part('e2e', {
        maxWorkers: 3,
        env: { TEST_PART: 'e2e' },
        sequence: { groupOrder: 3 },
        globalSetup: ['tests/support/global-setup.ts'],
        isolate: false,
      }),
      part('slow', {
        include: ['tests/slow/**/*.test.{ts,tsx}', 'tests/**/*.slow.test.{ts,tsx}', ...extended],
        exclude: never,
        env: { TEST_EXTENT: 'full' },
        globalSetup: ['tests/support/global-setup.ts'],
        // What is measured has the machine for itself.
        maxWorkers: 1,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});
