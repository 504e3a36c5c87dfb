// `npm test`: runs all ordinary checks, quickest to fail first; the last lines name and count the failures. `npm test
// -- <file>` runs single files of any part, `npm run test:<part>` one part or some of its files.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build } from './build.ts';
import { ensureBrowser } from './browser.ts';
import { root } from './build-stamps.mjs';

/** Of each failed test, this many lines of its message are repeated at the end. */
const LINES_OF_A_FAILURE = 12;

interface Count {
  passed: number;
  failed: number;
}

const PARTS = ['unit', 'integration', 'e2e', 'slow'] as const;
type Part = (typeof PARTS)[number];

const TYPED = ['--type-aware', '--type-check', '--tsconfig', 'tsconfig.base.json', '--deny-warnings'];

/** The type checker is written in Go: a quarter less CPU where it may use up to 4 GB before it collects its garbage. */
const CHECKERS_MEMORY = { GOGC: '400', GOMEMLIMIT: '4GiB' };

const bin = (name: string) => join(root, 'node_modules/.bin', name);
const total: Count = { passed: 0, failed: 0 };
const failures: string[] = [];

const [first = '', ...rest] = process.argv.slice(2);
const part = PARTS.find((name) => name === first);
if (part) await testPart(part, rest);
else if (first !== '') await testFiles([first, ...rest]);
else await testAll();

for (const failure of failures) console.log(`✗ ${failure}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
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

/** One part, or those of its files whose paths contain one of `filters`. */
async function testPart(name: Part, filters: string[] = []): Promise<void> {
  if (name !== 'unit') await build();
  if (name === 'e2e' || name === 'slow') ensureBrowser();
  // `unit` has separate projects for tests that share a process and tests that do not.
  await suite(`${name} tests`, ['--project', `${name}*`, ...filters]);
}

/** Files of any part; the slow ones only when named. */
async function testFiles(filters: string[]): Promise<void> {
  await build();
  if (filters.some((filter) => /e2e|slow/.test(filter))) ensureBrowser();
  const projects = filters.some((filter) => filter.includes('slow')) ? [] : ['--project', '!slow'];
  await suite('tests', [...projects, ...filters]);
}

/** Runs one command that passes or fails. */
async function check(name: string, program: string, args: string[]): Promise<void> {
  const began = performance.now();
  const ok = (await run(program, args)) === 0;
  add(ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  if (!ok) failures.push(name);
  report(name, ok, began);
}

/** One vitest run; a run that crashes counts as one more failure than it reports. */
async function suite(name: string, args: string[]): Promise<void> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'parley-count-'));
  const outputFile = join(folder, 'count.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const code = await run(bin('vitest'), ['run', '--config', 'tests/vitest.config.ts', ...reporters, ...args]);
  const count = readCount(outputFile);
  const brokeDown = code !== 0 && count.failed === 0;
  add({ passed: count.passed, failed: count.failed + Number(brokeDown) });
  failures.push(...count.failures, ...(brokeDown ? [`${name} broke down`] : []));
  rmSync(folder, { recursive: true, force: true });
  report(name, code === 0, began);
}
/** The fields used from vitest's JSON reporter. */
interface Report {
  numPassedTests: number;
  numTotalTests: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string; failureMessages?: string[] }[] }[];
}

function readCount(file: string): Count & { failures: string[] } {
  try {
    const { numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const failures = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ fullName, failureMessages }) => {
          const [why = ''] = failureMessages ?? [];
          return [`${relative(root, name)}: ${fullName}`, ...why.split('\n').slice(0, LINES_OF_A_FAILURE)].join(
            '\n    ',
          );
        }),
    );
    return { passed: numPassedTests, failed: numTotalTests - numPassedTests, failures };
  } catch {
    return { passed: 0, failed: 0, failures: [] };
  }
}

function run(program: string, args: string[]): Promise<number> {
  const env = { ...CHECKERS_MEMORY, ...process.env };
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1)).once('close', (code) => resolve(code ?? 1));
  });
}

function add(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
}

function report(name: string, ok: boolean, began: number): void {
  console.log(`${ok ? '✓' : '✗'} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}
