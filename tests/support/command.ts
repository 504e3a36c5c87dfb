// An `npm run` command as its own process.
import { execFile } from 'node:child_process';
import { root } from '@parley/scripts/build-stamps';
import { inject } from 'vitest';
import { createFolder } from './folders.ts';

/** What a command says while it runs, which depends on how busy the machine is. */
export function withoutProgress(stderr: string): string {
  return stderr.replace(/^.* \(\d+ s\)(?:: .*)?\n/gm, '');
}

/** Runs a command on a database of the run's server. */
export function runCommand(command: string[], database: string, extra: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const { folder, user } = inject('database');
  const env = {
    PATH,
    HOME,
    PGHOST: folder,
    PGUSER: user,
    DATABASE_URL: `postgres:///${database}`,
    DATA_DIR: createFolder(),
    ...extra,
  };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['scripts/install.mjs', ...command], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr: withoutProgress(stderr) }),
    );
  });
}
