// How much a user may store, and how much of the disk stays free.
import { mkdir, statfs } from 'node:fs/promises';
import type { Db, Tx } from '@parley/db/client';
import { blobs } from '@parley/db/tables/files';
import { MEGABYTE } from '@parley/schema/files/file-limits';
import type { FileProblem } from '@parley/schema/files/file-problem';
import { and, eq, ne, sql } from 'drizzle-orm';
import { Refusal } from '../platform/errors.ts';

/** Of the disk with the data folder, in bytes. The database may be on it, and must be able to write. */
const FREE_MIN = 1024 * MEGABYTE;

/** A refusal that ends when space is freed. */
export class NoSpace extends Refusal {
  override name = 'NoSpace';
  readonly text: string;
  /** Of the disk only the operator can make room. */
  readonly problem: Extract<FileProblem, { type: 'no_room' | 'disk_full' }>;

  constructor(text: string, problem: NoSpace['problem']) {
    super({ type: 'storage_full' });
    this.text = text;
    this.problem = problem;
  }
}

/** The bytes that a user has stored; the same bytes count once. */
export async function usedBytes(query: Db['query'] | Tx, userId: string): Promise<number> {
  const [sum] = await query
    .select({ bytes: sql<string>`coalesce(sum(${blobs.bytes}), 0)` })
    .from(blobs)
    .where(and(eq(blobs.userId, userId), ne(blobs.state, 'leaving')));
  return Number(sum?.bytes);
}

/** `more` are bytes that are about to come. @throws NoSpace */
export async function assertQuota(
  query: Db['query'] | Tx,
  userId: string,
  quotaBytes: number,
  more = 0,
): Promise<void> {
  if ((await usedBytes(query, userId)) + more <= quotaBytes) return;
  const megabytes = Math.floor(quotaBytes / MEGABYTE);
  throw new NoSpace(`Your files would take more than the ${megabytes} MB that you may store. Please delete some.`, {
    type: 'no_room',
    megabytes,
  });
}

/** `free` is how many bytes a folder's disk has left. @throws NoSpace */
export async function assertDiskSpace(folder: string, more: number, free = freeBytes): Promise<void> {
  if ((await free(folder)) - more >= FREE_MIN) return;
  throw new NoSpace("The server's disk is almost full. No file can be stored until there is room.", {
    type: 'disk_full',
  });
}

/** Makes the folder where nothing has been put into it yet. */
async function freeBytes(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
