import { spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { OsUser } from './os-user.ts';
import type { Paths } from './paths.ts';

/** Creates the PostgreSQL cluster and its database, completely or not at all. */
export async function ensureCluster(paths: Paths, binaries: Binaries, identity: OsUser) {
  if (existsSync(paths.cluster)) return;
  removeLeftovers(paths);
  const unfinished = mkdtempSync(join(paths.data, `${UNFINISHED}${process.pid}-`));
  if (identity.uid !== undefined) chownSync(unfinished, identity.uid, identity.gid ?? identity.uid);
  try {
    await runInitdb(unfinished, binaries, identity);
    renameSync(unfinished, paths.cluster);
    syncFolder(paths.data);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(paths.cluster)) throw error;
  }
}

type Program = { program: string; args: string[]; options: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv } };

/** A command that runs as PostgreSQL's user. Its environment has none of our variables, above all no provider keys. */
export function databaseProgram(identity: OsUser, file: string, args: string[]): Program {
  const [program = file, ...rest] = [...identity.prefix, file, ...args];
  const { prefix: _, ...ids } = identity;
  return { program, args: rest, options: { ...ids, env: { PATH: process.env.PATH, LC_ALL: 'C' } } };
}

const UNFINISHED = 'postgres.new-';

/** Removes what a killed first start left. After a container restart its process id may be ours. */
function removeLeftovers(paths: Paths) {
  const began = Date.now() - process.uptime() * 1000;
  for (const name of readdirSync(paths.data)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const path = join(paths.data, name);
    const pid = Number.parseInt(name.slice(UNFINISHED.length), 10);
    const isLeft = pid === process.pid ? statSync(path).mtimeMs < began : !isAlive(pid);
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function runInitdb(folder: string, { initdb, postgres }: Binaries, identity: OsUser) {
  const locale = await findLocale();
  const options = [
    ['--username=parley', '--encoding=UTF8', '--data-checksums', '--no-instructions'],
    ['--auth-local=trust', '--auth-host=reject'],
    ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', `--locale=${locale}`],
  ].flat();
  await run(databaseProgram(identity, initdb, [...options, '-D', folder]));
  await run(databaseProgram(identity, postgres, ['--single', '-D', folder, 'postgres']), 'create database parley\n');
}

/**
 * Finds a UTF-8 locale. PostgreSQL itself handles order and case, but pg_trgm asks the C library what a letter is, and
 * the plain C locale would drop every letter beyond ASCII. Locale names differ between systems.
 */
async function findLocale() {
  const known = await run({ program: 'locale', args: ['-a'], options: {} }).catch(() => '');
  const names = known.split('\n');
  return (
    names.find((name) => /^C\.utf-?8$/i.test(name)) ?? names.find((name) => /^en_US\.utf-?8$/i.test(name)) ?? 'C.UTF-8'
  );
}

function run({ program, args, options }: Program, input = '') {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(program, args, options);
    let output = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdin.on('error', () => {}).end(input);
    child.on('error', (error) => reject(cannotRun(error)));
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(couldNotPrepare(stderr));
    });
  });
}

function couldNotPrepare(stderr: string) {
  const lines = stderr.trim().split('\n');
  const line = lines.find((text) => /error|FATAL|PANIC/.test(text)) ?? lines[0];
  return new Error(`PostgreSQL could not prepare its folder: ${line}.`);
}

function cannotRun(error: Error) {
  const sentence = `The installed PostgreSQL does not run on this system (${error.message}): set DATABASE_URL to a server.`;
  return new Error(sentence, { cause: error });
}

/** Without this, a power cut could undo the rename, and with it every row acknowledged since. */
function syncFolder(folder: string) {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
