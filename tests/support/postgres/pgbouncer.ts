// PgBouncer before the run's PostgreSQL, for tests of what a pooler does to sessions.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from '@parley/db/client';
import { findProgram } from '@parley/scripts/cluster/programs';
import { expect, inject, onTestFinished } from 'vitest';
import { createFolder } from '../folders.ts';
import { freePort } from '../free-port.ts';
import { socketAddressOf } from '../server.ts';

const PROGRAM = findProgram('pgbouncer');

/** PgBouncer knows the names of statements since 1.21. */
export const pgbouncerNames = PROGRAM !== null && versionOf(PROGRAM) >= 21;

/** Starts one with `settings` before `database`, and returns both addresses, and what kills it and starts it again. */
export async function startPgbouncer(database: string, settings: Record<string, string>) {
  const { folder: sockets, user } = inject('database');
  const folder = createFolder();
  const port = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, [`[databases]`, `* = host=${sockets} user=${user}`, '[pgbouncer]', ...lines, ''].join('\n'));
  const [program = '', ...args] = [...asPostgres(folder, file, sockets), PROGRAM ?? 'pgbouncer', file];
  const url = `postgres://${user}@127.0.0.1:${port}/${database}`;
  let child: ChildProcess;
  const start = async () => {
    child = spawn(program, args, { stdio: 'ignore' });
    await expect.poll(() => isAnswering(url), { timeout: 20_000 }).toBe(true);
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await expect.poll(() => isAnswering(url)).toBe(false);
  };
  onTestFinished(() => void child.kill('SIGKILL'));
  await start();
  return { url, directUrl: socketAddressOf(database), kill, start };
}

/** It refuses root, as PostgreSQL does: the words before the command that make it another user, who may use the socket. */
function asPostgres(folder: string, file: string, sockets: string): string[] {
  if (process.getuid?.() !== 0) return [];
  const { uid, gid } = statSync(join(sockets, '.s.PGSQL.5432'));
  if (uid === 0) return ['unshare', '--user', '--map-user=1000', '--map-group=1000'];
  for (const path of [folder, file]) chownSync(path, uid, gid);
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

async function isAnswering(url: string): Promise<boolean> {
  const sql = open({ kind: 'url', url, prepare: false }, { max: 1, connect_timeout: 2 });
  return sql`select 1`.then(Boolean, () => false).finally(() => sql.end({ timeout: 0 }));
}

function versionOf(program: string): number {
  return Number(/PgBouncer 1\.(\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1]);
}
