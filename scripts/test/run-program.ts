import { spawn } from 'node:child_process';

/** The type checker is written in Go: a quarter less CPU where it may use up to 4 GB before it collects its garbage. */
const CHECKERS_MEMORY = { GOGC: '400', GOMEMLIMIT: '4GiB' };

export interface RunOptions {
  /** Added to our environment. */
  env?: Record<string, string>;
  /** Where its output goes; to ours by default. */
  output?: 'inherit' | 'ignore';
}

/** Runs a program in a folder and returns its exit code, which is 1 when it cannot start. */
export function run(cwd: string, program: string, args: string[], options: RunOptions = {}): Promise<number> {
  const { output = 'inherit' } = options;
  const env = { ...CHECKERS_MEMORY, ...process.env, ...options.env };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', output, output] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1)).once('close', (code) => resolve(code ?? 1));
  });
}
