// What conversations and folders of an export are called here. They are restored before what names them.
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { fileSets } from '@parley/db/tables/files';
import { folders } from '@parley/db/tables/folders';
import { Id } from '@parley/schema/ids';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { derivedId } from '../../platform/derived-id.ts';

/** The id here of a conversation of the export that is not in the trash. */
export async function findConvo({ query }: Db, userId: string, sourceId: string): Promise<string | undefined> {
  const ids = idsOf(sourceId, derivedId('import', userId, sourceId));
  const rows = await query
    .select({ id: convos.id })
    .from(convos)
    .where(and(eq(convos.userId, userId), inArray(convos.id, ids), isNull(convos.deletedAt)));
  return ids.find((id) => rows.some((row) => row.id === id));
}

/** The id here of a folder of the export. */
export async function findFolder({ query }: Db, userId: string, sourceId: string): Promise<string | undefined> {
  const ids = idsOf(sourceId, derivedId('import-folder', userId, sourceId));
  const rows = await query
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.userId, userId), inArray(folders.id, ids)));
  return ids.find((id) => rows.some((row) => row.id === id));
}

/** The id here of a set of files of the export. */
export async function findSet({ query }: Db, userId: string, sourceId: string): Promise<string | undefined> {
  const ids = idsOf(sourceId, derivedId('import-set', userId, sourceId));
  const rows = await query
    .select({ id: fileSets.id })
    .from(fileSets)
    .where(and(eq(fileSets.userId, userId), inArray(fileSets.id, ids)));
  return ids.find((id) => rows.some((row) => row.id === id));
}

/** Its own comes first: it may be that very row. */
function idsOf(sourceId: string, made: string): string[] {
  return [Id.safeParse(sourceId).data ?? made, made];
}
