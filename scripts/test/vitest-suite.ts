// One run of vitest, counted. In CI a test file that fails runs once more, alone: what passes then is reported as
// unstable. There is no other retry.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../build-stamps.mjs';
import { run, type RunOptions } from './run-program.ts';
import type { TestCount, TestFile } from './vitest-count.ts';

export interface Count {
  passed: number;
  failed: number;
}

/** A file that failed at first and passed alone: its path from the root and how it failed. */
export interface Unstable {
  file: string;
  first: string[];
}

export interface SuiteResult extends Count {
  /** Of each failure the test's name and the first lines of its message. */
  failures: string[];
  unstable: Unstable[];
}

export interface SuiteOptions extends Pick<RunOptions, 'output'> {
  /** The folder with tests/vitest.config.ts; the repository by default. */
  folder?: string;
  /** Whether each failed file runs a second time, alone and after all others. Its tests count as they end then. */
  again: boolean;
}

/** Runs vitest with these arguments. */
export async function runSuite(args: string[], options: SuiteOptions): Promise<SuiteResult> {
  const { files, unhandled } = await runVitest(args, options);
  const result: SuiteResult = { passed: 0, failed: unhandled.length, failures: unhandled, unstable: [] };
  for (const file of files) {
    if (options.again && file.failures.length > 0) await tryAgain(args, options, file, result);
    else addFile(result, file);
  }
  return result;
}

async function tryAgain(args: string[], options: SuiteOptions, before: TestFile, result: SuiteResult): Promise<void> {
  if (options.output !== 'ignore') console.log(`\nSecond try, alone: ${before.path}`);
  const projects = args.flatMap((arg, index) => (arg === '--project' ? [arg, args[index + 1] ?? ''] : []));
  const { files, unhandled } = await runVitest([...projects, before.path], options);
  const after = files.find(({ path }) => path === before.path) ?? before;
  addFile(result, unhandled.length > 0 ? before : after);
  if (after.failures.length === 0 && unhandled.length === 0)
    result.unstable.push({ file: before.path, first: before.failures });
}

function addFile(result: SuiteResult, { passed, failures }: TestFile): void {
  result.passed += passed;
  result.failed += failures.length;
  result.failures.push(...failures);
}

async function runVitest(args: string[], { folder = root, output = 'inherit' }: SuiteOptions): Promise<TestCount> {
  const reports = mkdtempSync(join(tmpdir(), 'parley-count-'));
  const countFile = join(reports, 'count.json');
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/test/vitest-count.ts')}`];
  const vitest = join(root, 'node_modules/.bin/vitest');
  const command = ['run', '--config', 'tests/vitest.config.ts', ...reporters, ...args];
  const code = await run(folder, vitest, command, { env: { PARLEY_TEST_COUNT: countFile }, output });
  const count = readCount(countFile);
  rmSync(reports, { recursive: true, force: true });
  const isExplained = count.unhandled.length > 0 || count.files.some(({ failures }) => failures.length > 0);
  if (code !== 0 && !isExplained) count.unhandled.push(`vitest ended with ${code} and named no failure`);
  return count;
}

function readCount(file: string): TestCount {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TestCount;
  } catch {
    return { files: [], unhandled: [] };
  }
}
