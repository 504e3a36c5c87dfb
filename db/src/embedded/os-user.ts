import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs';
import { pathOwner } from './paths.ts';
import type { Paths } from './paths.ts';

/** How to run a PostgreSQL program, which refuses to run as root. */
export type OsUser = { prefix: string[]; uid?: number; gid?: number };

/**
 * As root there are three ways. Data of an ordinary user is served as that user. Otherwise the process runs in a user
 * namespace: it sees itself as user 1000 and stays root outside, so it can enter folders closed to everyone else. Where
 * namespaces are refused (many containers), the data is handed to an unprivileged user.
 */
export function osUserFor(paths: Paths): OsUser {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = pathOwner(paths.cluster);
  if (owner && owner.uid !== 0) return { prefix: [], ...owner };
  return canMapUsers() ? { prefix: namespace } : handOver(paths);
}

const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];

function canMapUsers() {
  const [program = '', ...args] = namespace;
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}

function handOver(paths: Paths): OsUser {
  const { uid, gid } = findUnprivilegedUser();
  chmodSync(paths.data, statSync(paths.data).mode | 0o011);
  for (const path of [paths.sockets, paths.cluster]) if (pathOwner(path)) chownTree(path, uid, gid);
  const entered = spawnSync('ls', ['-d', `${paths.data}/.`], { uid, gid, stdio: 'ignore' });
  if (entered.status === 0) return { prefix: [], uid, gid };
  throw new Error(
    `PostgreSQL cannot run as root, and no other user can enter ${paths.data}: ` +
      'start Parley as an ordinary user, or set DATA_DIR to another folder or DATABASE_URL to a server.',
  );
}

/** `postgres` if the system has it, else `nobody`, by its numeric id if even that name is missing. */
export function findUnprivilegedUser() {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres', 'nobody'].map((name) => users.find((user) => user.startsWith(`${name}:`))).find(Boolean);
  const [, , uid = 65534, gid = 65534] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function chownTree(path: string, uid: number, gid: number) {
  chownSync(path, uid, gid);
  spawnSync('chown', ['-R', `${uid}:${gid}`, path], { stdio: 'ignore' });
}
