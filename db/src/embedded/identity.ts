import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs';
import { ownerOf } from './place.ts';
import type { Place } from './place.ts';

/** How to start a program of PostgreSQL's, which refuses to run as root. */
export type Identity = { prefix: string[]; uid?: number; gid?: number };

/**
 * As root there are three ways. Data of an ordinary user is served as that user. Else, in a user namespace the
 * process sees itself as user 1000 and stays root outside, so it can enter folders closed to everyone else. Where
 * namespaces are refused (many containers), the data is handed to a user without rights.
 */
export function identityFor(place: Place): Identity {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = ownerOf(place.cluster);
  if (owner && owner.uid !== 0) return { prefix: [], ...owner };
  return canMapUsers() ? { prefix: namespace } : handOver(place);
}

const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];

function canMapUsers() {
  const [program = '', ...args] = namespace;
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}

function handOver(place: Place): Identity {
  const { uid, gid } = findServant();
  chmodSync(place.data, statSync(place.data).mode | 0o011);
  for (const path of [place.sockets, place.cluster]) if (ownerOf(path)) own(path, uid, gid);
  const entered = spawnSync('ls', ['-d', `${place.data}/.`], { uid, gid, stdio: 'ignore' });
  if (entered.status === 0) return { prefix: [], uid, gid };
  throw new Error(
    `PostgreSQL cannot run as root, and no other user can enter ${place.data}: ` +
      'start Parley as an ordinary user, or set DATA_DIR to another folder or DATABASE_URL to a server.',
  );
}

/** `postgres` where the system has it, else `nobody`, by its number where even that is missing. */
function findServant() {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres', 'nobody'].map((name) => users.find((user) => user.startsWith(`${name}:`))).find(Boolean);
  const [, , uid = 65534, gid = 65534] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function own(path: string, uid: number, gid: number) {
  chownSync(path, uid, gid);
  spawnSync('chown', ['-R', `${uid}:${gid}`, path], { stdio: 'ignore' });
}
