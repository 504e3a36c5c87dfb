import { createHash } from 'node:crypto';
import { accessSync, constants, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Place = {
  /** The data folder itself, absolute. */
  data: string;
  /** PostgreSQL's own folder. */
  cluster: string;
  /** Where its socket is: whoever can enter is trusted, so it is nobody else's to enter. */
  sockets: string;
  log: string;
};

/** Makes the data and socket folders, each closed to other users. Throws a sentence where it may not. */
export function preparePlace(dataDir: string): Place {
  const data = prepareFolder(dataDir);
  const place = {
    data,
    cluster: join(data, 'postgres'),
    sockets: socketFolderFor(data),
    log: join(data, 'postgres.log'),
  };
  prepareFolder(place.sockets);
  assertOurs(place);
  return place;
}

export function connectionTo(place: Place, database: string) {
  return { kind: 'socket', folder: place.sockets, user: 'parley', database } as const;
}

/** The user who owns a file or folder; undefined when there is none. */
export function ownerOf(path: string) {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && { uid: stats.uid, gid: stats.gid };
}

/** The kernel's limit for a socket's path in bytes: 107 on Linux, 103 on macOS. */
const LONGEST_SOCKET_PATH = 103;

function socketFolderFor(data: string) {
  const near = join(data, 'run');
  if (Buffer.byteLength(join(near, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH) return near;
  return join(tmpdir(), `parley-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`);
}

function prepareFolder(path: string) {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (error) {
    throw new Error(`The folder ${path} cannot be used: ${error instanceof Error ? error.message : error}.`);
  }
}

/** Root serves anyone's data. In a temporary folder shared by all users, another one may have made ours first. */
function assertOurs({ data, sockets, cluster }: Place) {
  const user = process.getuid?.();
  const owner = ownerOf(cluster)?.uid ?? user;
  if (user !== 0 && user !== owner) throw new Error(`The database in ${cluster} belongs to another user.`);
  if (sockets.startsWith(data)) return;
  const stats = lstatSync(sockets);
  if (stats.isDirectory() && [user, owner].includes(stats.uid) && (stats.mode & 0o077) === 0) return;
  throw new Error(`The folder ${sockets} must belong to the user who runs Parley and be closed to others (mode 0700).`);
}
