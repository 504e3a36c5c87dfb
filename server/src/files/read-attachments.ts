import type { Query } from '@parley/db/client';
import { files } from '@parley/db/tables/files';
import type { Attachment } from '@parley/schema/messages/messages';
import { and, eq } from 'drizzle-orm';
import { isAmong } from '../convos/rows.ts';
import { presentAttachment } from './present.ts';

/** The user's own files among these ids, as they would be attached. */
export async function readAttachments(query: Query, userId: string, ids: readonly string[]): Promise<Attachment[]> {
  if (ids.length === 0) return [];
  const rows = await query
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), isAmong(files.id, [...ids])));
  return rows.map(presentAttachment);
}
