// A reporter of vitest: writes how each test file ended to the file that PARLEY_TEST_COUNT names.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** How one file of tests ended. */
export interface TestFile {
  /** From the folder of the run. */
  path: string;
  passed: number;
  /** Of each failure the test's name and the first lines of its message. */
  failures: string[];
}

export interface TestCount {
  files: TestFile[];
  /** Errors that no test awaited: which file caused them is not known. */
  unhandled: string[];
}

/** Of each failure, this many lines of its message are repeated at the end. */
const LINES_OF_A_FAILURE = 12;

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { stack?: string; message: string }[]): void {
    const unhandled = errors.map((error) => describe('an error that no test awaited', [error]));
    const count: TestCount = { files: modules.map(countFile), unhandled };
    writeFileSync(process.env.PARLEY_TEST_COUNT ?? '', JSON.stringify(count));
  }
}

function countFile(file: TestModule): TestFile {
  const path = relative(process.cwd(), file.moduleId);
  const tests = [...file.children.allTests()];
  // A test that was skipped has proved nothing.
  const failed = tests.filter((test) => test.result().state !== 'passed');
  const failures = failed.map((test) => describe(`${path}: ${test.fullName}`, test.result().errors));
  const suites = [file, ...file.children.allSuites()].flatMap((suite) => suite.errors());
  if (suites.length > 0) failures.push(describe(path, suites));
  return { path, passed: tests.length - failed.length, failures };
}

function describe(title: string, errors: readonly { stack?: string; message: string }[] = []): string {
  const why = errors[0]?.stack ?? errors[0]?.message ?? '';
  return [title, ...why.split('\n').slice(0, LINES_OF_A_FAILURE)].join('\n    ');
}
