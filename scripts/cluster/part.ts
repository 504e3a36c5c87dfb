// What every part of a cluster has: a folder in which all of its processes work, so that they are found again, no matter who
// started them.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Programs } from './programs.ts';

export interface Site {
  folder: string;
  programs: Programs;
  /** Who runs what refuses to run as root; null where we are not root. */
  user: { uid: number; gid: number } | null;
  /** The password of all roles in the database. */
  password: string;
  /** Whether the primary confirms a commit before its standby has it. */
  asynchronous: boolean;
}

export type Role = 'etcd' | 'database' | 'balancer' | 'pooler' | 'bucket' | 'node';

export interface Part {
  name: string;
  role: Role;
  /** `host:port` of what it serves. */
  address: string;
  folder: string;
  command: string[];
  /** Added to PATH and HOME. */
  env?: Record<string, string>;
  /** Who runs it where that is not us. */
  user: Site['user'];
  isReady(): Promise<boolean>;
}

const HOST = '127.0.0.1';
/** Below the ports that systems give to connections: these come and go. */
const [LOWEST, HIGHEST] = [12_000, 19_999];
const LOOK_EVERY_MS = 100;
/** Which field of a process's `stat`, from the one behind its name, is its terminal. */
const TERMINAL = 4;
const given = new Set<number>();

/** Whether nobody listens at this port of 127.0.0.1 now. */
export function isFreePort(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

/** A port that is free and was not given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (given.has(port) || !(await isFreePort(port))) continue;
    given.add(port);
    return port;
  }
}

export function addressAt(port: number): string {
  return `${HOST}:${port}`;
}

/** Makes the folder of a part; what is in it belongs to `user`, who runs the part. */
export function prepareFolder(
  { folder: above, user }: Pick<Site, 'folder' | 'user'>,
  name: string,
  files: Record<string, string> = {},
): string {
  const folder = join(above, name);
  mkdirSync(folder, { mode: 0o700 });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text, { mode: 0o600 });
  for (const path of [folder, ...Object.keys(files).map((file) => join(folder, file))])
    if (user) chownSync(path, user.uid, user.gid);
  return folder;
}

/** Starts a part. Its output is in its folder's `log`. */
export function launch({ command: [program = '', ...args], env, folder, user }: Part): ChildProcess {
  const log = openSync(`${folder}.log`, 'a', 0o600);
  const child = spawn(program, args, {
    cwd: folder,
    // A session of its own: Ctrl-C is for the command, which ends the parts.
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...env },
    ...user,
  });
  child.on('error', (error) => console.error(`${program} does not start: ${error.message}`));
  closeSync(log);
  return child;
}

/** Kills every process that works in a folder or below, until there is none. */
export async function killIn(folder: string): Promise<void> {
  for (;;) {
    const found = processesIn(folder);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
    await sleep(LOOK_EVERY_MS / 10);
  }
}

/**
 * The processes that work in a folder or below. One with a terminal is a person's shell, which may be in there to look
 * around.
 */
export function processesIn(folder: string): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.filter((pid) => isWithin(workingFolderOf(pid), folder) && !hasTerminal(pid)).map(Number);
}

function hasTerminal(pid: string): boolean {
  try {
    // The name of the program, in parentheses, may have spaces.
    const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return fields.split(' ')[TERMINAL] !== '0';
  } catch {
    return false;
  }
}

/** A process that has ended and is not yet waited for has none. */
function workingFolderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Resolves when `isThere` says so; asks again however often that takes. Throws when `signal` is aborted. */
export async function waitFor(isThere: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  while (!(await isThere())) await sleep(LOOK_EVERY_MS, undefined, signal && { signal });
}

/** Whether a server answers an HTTP request, with 2xx. */
export async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );
}

/** Whether a server takes connections. */
export function listens(address: string): Promise<boolean> {
  const [host = HOST, port] = address.split(':');
  const socket = connect({ host, port: Number(port) });
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

/** Lets who runs the parts pass through a folder, but not list it. */
export function openTo(folder: string): void {
  chmodSync(folder, 0o711);
}
