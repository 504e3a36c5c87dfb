import type { Db } from '@parley/db/client';
import { blobs, files } from '@parley/db/tables/files';
import { and, eq } from 'drizzle-orm';
import { keyOf, MissingFile, type FileStores } from '../storage/file-store.ts';

/**
 * The bytes of a user's file in memory, for a provider. Null when the file is missing, another user's, or larger than
 * `maxBytes`.
 */
export async function readFileBytes(
  { db, stores }: { db: Db; stores: FileStores },
  userId: string,
  fileId: string,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; mime: string } | null> {
  const [file] = await db.query
    .select({ mime: files.mime, bytes: files.bytes, hash: blobs.hash, store: blobs.store })
    .from(files)
    .innerJoin(blobs, and(eq(blobs.userId, files.userId), eq(blobs.hash, files.hash)))
    .where(and(eq(files.userId, userId), eq(files.id, fileId)));
  if (!file || file.bytes > maxBytes) return null;
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await stores.of(file.store).read(keyOf(userId, file.hash))) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), mime: file.mime };
  } catch (error) {
    // Its user deleted it in between.
    if (error instanceof MissingFile) return null;
    throw error;
  }
}
