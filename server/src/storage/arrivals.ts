import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';

/** The folder of files that are not kept yet: uploads while they arrive, and pictures while they are written anew. */
export function arrivalsFolder({ server }: Pick<Config, 'server'>): string {
  return join(server.dataDir, 'uploads', 'arriving');
}

/** The folder of copies of files while their text is read. */
export function readingFolder({ server }: Pick<Config, 'server'>): string {
  return join(server.dataDir, 'uploads', 'reading');
}

/** SHA-256 of a file, in hexadecimal. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
