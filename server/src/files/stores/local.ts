// Files in a folder of this machine.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { MissingFile, type ByteRange, type FileStore } from '../../storage/file-store.ts';

/** A copy in progress. It is no key: listing skips it, and the next copy of the same key uses another name. */
const UNFINISHED = '.part';
/** Each piece costs its way to the socket, whatever its length. */
const READ_PIECE_BYTES = 256 * 1024;

/** `folder` is absolute; it is created when it is first written to. */
export function createLocalStore(folder: string): FileStore {
  const root = resolve(folder);
  return {
    source: 'local',
    async put(key, { path }) {
      const target = pathOf(key);
      await sync(path);
      await pathInFolder(path, target);
      // Without this a power cut may lose the name of the file though not its bytes.
      await sync(dirname(target));
    },
    async read(key, range, signal) {
      const file = await openFile(pathOf(key));
      // A stream that is made for a signal which has aborted already fails without anybody to catch it.
      if (signal?.aborted) await file.close();
      signal?.throwIfAborted();
      return streamOf(file, range, signal);
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await removeEmpty(dirname(path), root);
    },
    async *list(prefix) {
      // Only the folder that the prefix is in.
      const folder = resolve(root, ...prefix.split('/').slice(0, -1));
      for await (const path of filesBelow(folder)) {
        const key = relative(root, path).split(sep).join('/');
        if (key.startsWith(prefix) && !key.endsWith(UNFINISHED)) yield key;
      }
    },
    async abortUploads(before) {
      for await (const path of filesBelow(root))
        if (path.endsWith(UNFINISHED) && (await beganBefore(path, before))) await rm(path, { force: true });
    },
  };

  /** Keys come from the database; one that leaves the folder is an error of ours. */
  function pathOf(key: string): string {
    const path = resolve(root, ...key.split('/'));
    if (!path.startsWith(root + sep)) throw new Error('The key leads out of the folder');
    return path;
  }
}

/** A folder that a removal finds empty may go between its making and its use; it is made again then. */
async function pathInFolder(path: string, target: string, attempts = 20): Promise<void> {
  try {
    await mkdir(dirname(target), { recursive: true });
    await place(path, target);
  } catch (error) {
    if (attempts === 1 || !isMissing(error)) throw error;
    await pathInFolder(path, target, attempts - 1);
  }
}

/** A link is whole at once. Where links do not work, a copy is renamed when it is whole. */
async function place(path: string, target: string): Promise<void> {
  const unfinished = `${target}.${randomUUID()}${UNFINISHED}`;
  try {
    await link(path, unfinished).catch(async () => {
      await copyFile(path, unfinished, constants.COPYFILE_EXCL);
      await sync(unfinished);
    });
    await rename(unfinished, target);
  } finally {
    // Renaming a link over another link of the same file leaves both.
    await rm(unfinished, { force: true });
  }
}

/** Follows no link: a key names the file itself. */
async function openFile(path: string) {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    throw isMissing(error) ? new MissingFile('The file is not in the folder', { cause: error }) : error;
  }
}

/** Closes the file at its end, or when nobody reads on. `Readable.toWeb` would copy each piece. */
function streamOf(file: FileHandle, range?: ByteRange, signal?: AbortSignal): ReadableStream<Uint8Array> {
  const { from, to } = range ?? { from: 0, to: Infinity };
  let at = from;
  signal?.addEventListener('abort', () => void file.close(), { once: true });
  return new ReadableStream({
    async pull(controller) {
      try {
        signal?.throwIfAborted();
        const piece = Buffer.allocUnsafeSlow(Math.min(READ_PIECE_BYTES, to + 1 - at));
        const { bytesRead } = await file.read(piece, 0, piece.length, at);
        at += bytesRead;
        if (bytesRead > 0) controller.enqueue(piece.subarray(0, bytesRead));
        if (bytesRead > 0 && at <= to) return;
        await file.close();
        controller.close();
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    cancel: () => file.close(),
  });
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Folder by folder: one that goes meanwhile has no files, and hides none of the others. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Of a link only the time of its own making is its own. */
async function beganBefore(path: string, time: Date): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.ctimeMs < time.getTime();
}

/** Removes folders from this one upwards, below `root`, as long as they are empty: their names are a user's. */
async function removeEmpty(folder: string, root: string): Promise<void> {
  if (!folder.startsWith(root + sep)) return;
  const isRemoved = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (isRemoved) await removeEmpty(dirname(folder), root);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
