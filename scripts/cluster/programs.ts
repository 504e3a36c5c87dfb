// The programs of a cluster: Debian's, wherever they are.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Programs {
  etcd: string;
  patroni: string;
  haproxy: string;
  pgbouncer: string;
  /** The folder of PostgreSQL's programs. */
  postgres: string;
}

/** Debian's package of each that has another name. */
const PACKAGES: Partial<Record<keyof Programs, string>> = { etcd: 'etcd-server', postgres: 'postgresql' };

const keys = ['etcd', 'patroni', 'haproxy', 'pgbouncer', 'postgres'] as const;
const POSTGRES = '/usr/lib/postgresql';
const POSTGRES_OLDEST = 15;

/** The packages whose programs are missing here. */
export function missingPackages(): string[] {
  return keys.filter((name) => findProgram(name) === null).map((name) => PACKAGES[name] ?? name);
}

/** @throws Error with a sentence that says how to install what is missing */
export function findPrograms(): Programs {
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(missingSentence(missing));
  const [etcd = '', patroni = '', haproxy = '', pgbouncer = '', postgres = ''] = keys.map(
    (name) => findProgram(name) ?? '',
  );
  return { etcd, patroni, haproxy, pgbouncer, postgres };
}

/** Installs what is missing where this user may and no services would be started: in containers. */
export function installMissing(): void {
  const missing = missingPackages();
  if (missing.length === 0 || process.getuid?.() !== 0 || existsSync('/run/systemd/system')) return;
  console.log(`Installing ${missing.join(', ')} for the tests of a cluster.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  aptGet('update');
  aptGet('install', '-y', '--no-install-recommends', ...missing);
}

/** @param missing names of packages, at least one */
export function missingSentence(missing: readonly string[]): string {
  return `A cluster needs programs that are not here; on Debian: apt-get install -y --no-install-recommends ${missing.join(' ')}`;
}

/** Its path; for PostgreSQL, the folder of its programs. */
export function findProgram(name: keyof Programs): string | null {
  if (name === 'postgres') return findPostgres();
  // Daemons are in folders that ordinary users have not in their path.
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function findPostgres(): string | null {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).map(Number) : [];
  const newest = versions.filter((version) => version >= POSTGRES_OLDEST).toSorted((a, b) => b - a);
  const folders = newest.map((version) => join(POSTGRES, String(version), 'bin'));
  return folders.find((folder) => isProgram(join(folder, 'initdb'))) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
