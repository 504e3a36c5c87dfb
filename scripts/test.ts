// `npm test`: runs all ordinary checks, quickest to fail first; the last lines name and count the failures. `npm test
// -- <file>` runs single files of any part, `npm run test:<part>` one part or some of its
// files, `npm run test:changed` what the files that differ from the main branch must pass at once.
import { join } from 'node:path';
import { build } from './build.ts';
import { ensureBrowser } from './browser.ts';
import { root } from './build-stamps.mjs';
import { installMissing } from './cluster/programs.ts';
import { findChanged, lintable, findTests } from './test/changed.ts';
import { run } from './test/run-program.ts';
import { runSuite, type Count, type Unstable } from './test/vitest-suite.ts';

const PARTS = ['unit', 'integration', 'e2e', 'slow'] as const;
type Part = (typeof PARTS)[number];

const TYPED = ['--type-aware', '--type-check', '--tsconfig', 'tsconfig.base.json', '--deny-warnings'];

const bin = (name: string) => join(root, 'node_modules/.bin', name);
const total: Count = { passed: 0, failed: 0 };
const failures: string[] = [];
const unstable: Unstable[] = [];

const [first = '', ...rest] = process.argv.slice(2);
const part = PARTS.find((name) => name === first);
if (part) await testPart(part, rest);
else if (first === 'changed') await testChanged();
else if (first !== '') await testFiles([first, ...rest]);
else await testAll();

for (const failure of failures) console.log(`✗ ${failure}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
for (const { file, first } of unstable) console.log(`passed at the second try: ${[file, ...first].join('\n    ')}`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function testAll(): Promise<void> {
  const checks = [
    // The types are checked by the linter's own TypeScript: it has the whole program at hand anyway.
    check('types and lint', bin('oxlint'), [...TYPED, '--report-unused-disable-directives-severity=error']),
    check('format', bin('oxfmt'), ['--check', '.']),
    check('build', process.execPath, ['--import', 'tsx', 'scripts/build.ts']),
    // The type checker keeps one core busy; these need nothing that is built.
    testPart('unit'),
  ];
  // Where it is not installed yet, that is done meanwhile.
  ensureBrowser();
  await Promise.all(checks);
  // One after the other: each keeps two cores busy, and two of them at once only wait longer for everything.
  await testPart('integration');
  await testPart('e2e');
}

/** The checks of the changed files, and the tests of their rooms. */
async function testChanged(): Promise<void> {
  const changed = findChanged();
  const sources = lintable(changed);
  const tests = findTests(changed);
  console.log(`${changed.length} files changed; their tests: ${tests.join(' ') || 'none'}`);
  if (changed.length > 0)
    await check('format', bin('oxfmt'), ['--check', '--no-error-on-unmatched-pattern', ...changed]);
  if (sources.length > 0) await check('types and lint', bin('oxlint'), [...TYPED, ...sources]);
  if (tests.length > 0) await testFiles(tests);
}

/** One part, or those of its files whose paths contain one of `filters`. */
async function testPart(name: Part, filters: string[] = []): Promise<void> {
  if (name !== 'unit') await build();
  if (name === 'e2e' || name === 'slow') ensureBrowser();
  if (name === 'integration') installMissing();
  // `unit` has separate projects for tests that share a process and tests that do not.
  await suite(`${name} tests`, ['--project', `${name}*`, ...filters]);
}

/** Files of any part; the slow ones only when named. */
async function testFiles(filters: string[]): Promise<void> {
  await build();
  if (filters.some((filter) => /e2e|slow/.test(filter))) ensureBrowser();
  if (filters.some((filter) => /cluster|pooler|standby/.test(filter))) installMissing();
  const projects = filters.some((filter) => filter.includes('slow')) ? [] : ['--project', '!slow'];
  await suite('tests', [...projects, ...filters]);
}

/** Runs one command that passes or fails. */
async function check(name: string, program: string, args: string[]): Promise<void> {
  const began = performance.now();
  const ok = (await run(root, program, args)) === 0;
  add(ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  if (!ok) failures.push(name);
  report(name, ok, began);
}

async function suite(name: string, args: string[]): Promise<void> {
  const began = performance.now();
  const result = await runSuite(args, { again: process.env.CI === 'true' });
  add(result);
  failures.push(...result.failures);
  unstable.push(...result.unstable);
  report(name, result.failed === 0, began);
}

function add(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
}

function report(name: string, ok: boolean, began: number): void {
  console.log(`${ok ? '✓' : '✗'} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}
