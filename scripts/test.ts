// `npm test`: everything that can be proven, in the order in which it fails soonest; the last lines name what failed and count.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureBrowser } from './browser.ts';
import { root } from './stamps.mjs';

interface Count {
  passed: number;
  failed: number;
}

const bin = (name: string) => join(root, 'node_modules/.bin', name);
const total: Count = { passed: 0, failed: 0 };
const failures: string[] = [];

await Promise.all([
  check('types', bin('tsc'), ['-p', 'tsconfig.base.json']),
  check('lint', bin('oxlint'), ['--deny-warnings']),
  check('format', bin('prettier'), ['--check', '--log-level', 'warn', '.']),
  check('build', process.execPath, ['--import', 'tsx', 'scripts/build.ts']),
]);
await suite('unit, router and REST tests', 'tests/vitest.config.ts');
ensureBrowser();
await suite('browser tests', 'tests/vitest.e2e.config.ts');

for (const failure of failures) console.log(`✗ ${failure}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** One command that holds or does not. */
async function check(name: string, program: string, args: string[]): Promise<void> {
  const began = performance.now();
  const ok = (await run(program, args)) === 0;
  add(ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  if (!ok) failures.push(name);
  report(name, ok, began);
}

/** One vitest run; a run that breaks down counts as one failure more than it reports. */
async function suite(name: string, config: string): Promise<void> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'parley-count-'));
  const outputFile = join(folder, 'count.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const code = await run(bin('vitest'), ['run', '--config', config, ...reporters]);
  const count = readCount(outputFile);
  const brokeDown = code !== 0 && count.failed === 0;
  add({ passed: count.passed, failed: count.failed + Number(brokeDown) });
  failures.push(...count.failures, ...(brokeDown ? [`${name} broke down`] : []));
  rmSync(folder, { recursive: true, force: true });
  report(name, code === 0, began);
}

/** What vitest's JSON reporter writes, as far as it is read here. */
interface Report {
  numPassedTests: number;
  numTotalTests: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}

function readCount(file: string): Count & { failures: string[] } {
  try {
    const { numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const failures = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
    );
    return { passed: numPassedTests, failed: numTotalTests - numPassedTests, failures };
  } catch {
    return { passed: 0, failed: 0, failures: [] };
  }
}

function run(program: string, args: string[]): Promise<number> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => child.once('error', () => resolve(1)).once('exit', (code) => resolve(code ?? 1)));
}

function add(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
}

function report(name: string, ok: boolean, began: number): void {
  console.log(`${ok ? '✓' : '✗'} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}
