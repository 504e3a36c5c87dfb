// Texts that were read aloud, for a day, each for the person alone who had it read: what somebody else has heard can be
// told neither by the time nor by the cost. A folder of this server that is bounded in size.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../storage/arrivals.ts';

/** About fifteen hours of speech. */
export const SPOKEN_BYTES_MAX = 512 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60_000;
/** A file that is being written has this ending, and the hash of its content none. */
const PARTIAL = '.part';

function folderOf({ server }: DataFolder): string {
  return join(server.dataDir, 'speech');
}

export interface Spoken {
  service: Readonly<Record<'url' | 'model', string>> & { readonly extras: Readonly<Record<string, unknown>> };
  userId: string;
  text: string;
  /** One of the service's. */
  voice: string;
  /** A multiple of the usual speed. */
  speed: number;
}

/** The name of what would be read: SHA-256 in hexadecimal of all that decides how it sounds, and of whose it is. */
export function spokenKey({ service, userId, text, voice, speed }: Spoken): string {
  const parts = [userId, service.url, service.model, service.extras, voice, speed, text];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Its sound, if it was read within the last day. */
export async function findSpoken(
  config: DataFolder,
  key: string,
  now = Date.now(),
): Promise<AsyncIterable<Uint8Array> | null> {
  const path = join(folderOf(config), key);
  const made = await stat(path).catch(() => null);
  return made && now - made.mtimeMs < DAY_MS ? createReadStream(path) : null;
}

/** Hands the sound on and stores it, if it comes to its end. A full disk stores nothing, and is heard by nobody. */
export async function* storeSpoken(
  config: DataFolder,
  key: string,
  sound: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const folder = folderOf(config);
  const part = join(folder, `${randomUUID()}${PARTIAL}`);
  const opened = mkdir(folder, { recursive: true }).then(() => open(part, 'wx', 0o600));
  let file = await opened.catch(() => null);
  let isWhole = false;
  try {
    for await (const piece of sound) {
      // Written before it is handed on: at the end the file is as long as what was heard.
      const written = await file?.write(piece).catch(() => null);
      if (file && !written) {
        await file.close().catch(() => undefined);
        file = null;
      }
      yield piece;
    }
    isWhole = true;
  } finally {
    await file?.close().catch(() => undefined);
    if (isWhole && file) await rename(part, join(folder, key)).catch(() => undefined);
    await rm(part, { force: true });
  }
  await sweepSpoken(config);
}

/** Removes what is a day old, and then the oldest until the rest has room. */
export async function sweepSpoken(config: DataFolder, maxBytes = SPOKEN_BYTES_MAX, now = Date.now()): Promise<void> {
  const folder = folderOf(config);
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      return found && { path, bytes: found.size, madeMs: found.mtimeMs };
    }),
  );
  let bytes = 0;
  for (const file of files.filter((one) => one !== null).toSorted((a, b) => b.madeMs - a.madeMs)) {
    bytes += file.bytes;
    if (bytes > maxBytes || now - file.madeMs >= DAY_MS) await rm(file.path, { force: true });
  }
}
