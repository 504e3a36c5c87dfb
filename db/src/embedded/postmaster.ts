import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { databaseProgram } from './cluster.ts';
import type { OsUser } from './os-user.ts';
import type { Paths } from './paths.ts';

export type Postmaster = {
  isRunning(): boolean;
  /** The server's own error message. */
  complaint(): string;
};

/**
 * Small memory and little logging. Durability is unchanged: fsync and synchronous_commit stay on, PostgreSQL's default.
 */
const defaults = {
  listen_addresses: '',
  max_connections: '60',
  shared_buffers: '64MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '256MB',
  huge_pages: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The caller reports a failed statement; in the log it would contain users' text.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/** Starts the server in a session of its own, so that neither Ctrl-C nor a killed parent takes it along. */
export function launchPostmaster(
  paths: Paths,
  binaries: Binaries,
  identity: OsUser,
  settings: Record<string, string>,
): Postmaster {
  const all = {
    ...defaults,
    unix_socket_directories: quoted(paths.sockets),
    unix_socket_permissions: '0700',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { program, args, options } = databaseProgram(identity, binaries.postgres, ['-D', paths.cluster, ...flags]);
  const log = openLog(paths);
  const child = spawn(program, args, {
    ...options,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor],
  });
  closeSync(log.descriptor);
  let failure = '';
  child.on('error', (error) => (failure = error.message));
  child.unref();
  return {
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    complaint: () => failure || lastError(paths, log.start, child.pid),
  };
}

/** Fast shutdown: sessions are cut, committed data is on disk. Resolves when the server has ended. */
export async function stopPostmaster(paths: Paths) {
  const pid = findPid(paths);
  if (pid === undefined) return;
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 5],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (let waited = 0; waited < seconds * 1000; waited += 10) {
      if (findPid(paths) !== pid) return;
      await sleep(10);
    }
  }
}

/**
 * Removes a lock when no process works in the cluster's folder. PostgreSQL trusts a lock whose process id is alive,
 * even if the id has been reused (every container start has the same few) or its owner is a zombie, and an empty lock
 * file for ever.
 */
export function clearStaleLocks(paths: Paths) {
  const locks = [join(paths.cluster, 'postmaster.pid'), join(paths.sockets, '.s.PGSQL.5432.lock')];
  const seen = locks.map((path) => ({ path, stats: statSync(path, { throwIfNoEntry: false }) }));
  if (isInUse(paths.cluster)) return;
  for (const { path, stats } of seen) if (stats) removeUnchanged(path, stats);
}

/** The log restarts at this length. */
const LOG_BYTES_MAX = 1_000_000;

function openLog(paths: Paths) {
  const size = statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES_MAX) unlinkSync(paths.log);
  const descriptor = openSync(paths.log, 'a', 0o600);
  return { descriptor, start: fstatSync(descriptor).size };
}

/** The log also has lines of other processes, such as starters that won the race. */
function lastError(paths: Paths, start: number, pid = 0) {
  const lines = readFileSync(paths.log).subarray(start).toString().trim().split('\n');
  const own = lines.findLast((line) => line.includes(`[${pid}] FATAL: `));
  const line = own ?? lines.findLast((text) => /(FATAL|PANIC): /.test(text)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?(FATAL|PANIC): +/, '');
}

/** Quoted, because a comma or a space would end a name in the list. */
function quoted(folder: string) {
  return `"${folder.replaceAll('"', '""')}"`;
}

function findPid(paths: Paths) {
  try {
    const [pid] = readFileSync(join(paths.cluster, 'postmaster.pid'), 'utf8').split('\n');
    return Number(pid) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Every server process works in its cluster's folder, even before it takes the lock; a zombie has no working folder.
 */
function isInUse(cluster: string) {
  if (process.platform !== 'linux') return spawnSync('ps', ['-Ao', 'command=']).stdout.includes(`-D ${cluster}`);
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && workingFolderOf(name) === cluster);
}

function workingFolderOf(pid: string) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Another starter may have replaced the lock since we read it: then it is put back. */
function removeUnchanged(path: string, seen: { ino: number; mtimeMs: number }) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    const { ino, mtimeMs } = statSync(aside);
    if (ino !== seen.ino || mtimeMs !== seen.mtimeMs) linkSync(aside, path);
    unlinkSync(aside);
  } catch {
    return;
  }
}
