import type { Db } from '@parley/db/client';
import { blobs, files } from '@parley/db/tables/files';
import { and, eq } from 'drizzle-orm';
import { storageKey, MissingFile, type FileStores } from '../storage/file-store.ts';

interface From {
  db: Db;
  stores: FileStores;
}

/**
 * The bytes of a user's file in memory, for a provider. Null when the file is missing, another user's, or larger than
 * `maxBytes`.
 */
export async function readFileBytes(
  from: From,
  userId: string,
  fileId: string,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; mime: string } | null> {
  const file = await openFile(from, userId, fileId, maxBytes);
  if (!file) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.chunks) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), mime: file.mime };
}

/** The same, to be read piece by piece. */
export async function openFile(
  { db, stores }: From,
  userId: string,
  fileId: string,
  maxBytes: number,
): Promise<{ chunks: AsyncIterable<Uint8Array>; mime: string; bytes: number } | null> {
  const [file] = await db.query
    .select({ mime: files.mime, bytes: files.bytes, hash: blobs.hash, store: blobs.store })
    .from(files)
    .innerJoin(blobs, and(eq(blobs.userId, files.userId), eq(blobs.hash, files.hash)))
    .where(and(eq(files.userId, userId), eq(files.id, fileId)));
  if (!file || file.bytes > maxBytes) return null;
  const { mime, bytes, hash, store } = file;
  try {
    return { chunks: await stores.of(store).read(storageKey(userId, hash)), mime, bytes };
  } catch (error) {
    // Its user deleted it in between.
    if (error instanceof MissingFile) return null;
    throw error;
  }
}
