import { createHash } from 'node:crypto';
import { accessSync, constants, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Paths = {
  /** The data folder itself, absolute. */
  data: string;
  /** PostgreSQL's own folder. */
  cluster: string;
  /** The socket's folder. Anyone who can enter it is trusted, so it is closed to other users. */
  sockets: string;
  log: string;
};

/** Creates the data and socket folders, closed to other users. Throws a sentence if it may not. */
export function preparePaths(dataDir: string): Paths {
  const data = prepareFolder(dataDir);
  const paths = {
    data,
    cluster: join(data, 'postgres'),
    sockets: socketFolderFor(data),
    log: join(data, 'postgres.log'),
  };
  prepareFolder(paths.sockets);
  assertOwnFolder(paths);
  return paths;
}

export function connectionTo(paths: Paths, database: string) {
  return { kind: 'socket', folder: paths.sockets, user: 'parley', database } as const;
}

/** The user who owns a file or folder; undefined when there is none. */
export function pathOwner(path: string) {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && { uid: stats.uid, gid: stats.gid };
}

/** The kernel's limit for a socket's path in bytes: 107 on Linux, 103 on macOS. */
const SOCKET_PATH_BYTES_MAX = 103;

function socketFolderFor(data: string) {
  const near = join(data, 'run');
  if (Buffer.byteLength(join(near, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES_MAX) return near;
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

/**
 * Checks that we own these folders; root serves any user's data. In a shared temporary folder another user may have
 * created one first.
 */
function assertOwnFolder({ data, sockets, cluster }: Paths) {
  const user = process.getuid?.();
  const owner = pathOwner(cluster)?.uid ?? user;
  if (user !== 0 && user !== owner) throw new Error(`The database in ${cluster} belongs to another user.`);
  if (sockets.startsWith(data)) return;
  const stats = lstatSync(sockets);
  if (stats.isDirectory() && [user, owner].includes(stats.uid) && (stats.mode & 0o077) === 0) return;
  throw new Error(`The folder ${sockets} must belong to the user who runs Parley and be closed to others (mode 0700).`);
}
