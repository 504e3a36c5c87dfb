import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

interface Forked {
  /** Of a test database. */
  connection: { database: string };
  /** Its DATA_DIR. */
  folder: string;
  /** Added to the environment. */
  env?: Record<string, string>;
  /** Node's flags, such as a bound for its memory. */
  flags?: string[];
}

/** Starts a server as a process of its own on a database of the run, and waits for its address. */
export async function forkServer({ connection, folder, env = {}, flags = [] }: Forked) {
  const { folder: host, user } = inject('database');
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    PGHOST: host,
    PGUSER: user,
    DATABASE_URL: `postgres:///${connection.database}`,
    ...env,
  };
  const program = fileURLToPath(new URL('./forked-server.ts', import.meta.url));
  const child: ChildProcess = fork(program, { env: environment, execArgv: ['--import', 'tsx', ...flags] });
  const [told] = (await once(child, 'message')) as [{ url: string }];
  return { child, url: told.url };
}
