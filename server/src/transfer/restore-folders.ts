import type { TravellingRow } from '@parley/db/all-tables';
import type { Tx } from '@parley/db/client';
import { folders } from '@parley/db/tables/folders';
import { rowReader } from '@parley/db/travelling';
import { FOLDERS_MAX, type ExportedFolder } from '@parley/schema/convos/folders';
import { Id } from '@parley/schema/ids';
import { eq } from 'drizzle-orm';
import { nextHint } from '../convos/changes.ts';
import { addUses } from '../files/attach-files.ts';
import { derivedId } from '../platform/derived-id.ts';

const FIELDS = ['id', 'name', 'color', 'presetId', 'instructions', 'setIds'] as const;
/** The columns that travel with the whole list only. */
export const readOthersOfFolder = rowReader('folders', {}, FIELDS);

/** `presetId`: of a preset here. */
type RestoredFolder = ExportedFolder & {
  presetId?: string | null;
  /** Ids of files that are here. */
  files?: readonly string[];
  others?: Partial<Omit<TravellingRow<'folders'>, (typeof FIELDS)[number]>>;
};

/**
 * Makes the folders of imported conversations. Their ids derive from those in the file, so another import finds them; a
 * folder that this user still has is that one. Returns their ids by the file's; one above the limit has none.
 */
export async function restoreFolders(
  tx: Tx,
  userId: string,
  items: readonly { convo: { folder?: RestoredFolder } }[],
): Promise<Map<string | undefined, string>> {
  const wanted = new Map(items.flatMap(({ convo: { folder } }) => (folder ? [[folder.id, folder]] : [])));
  const ids = new Map<string | undefined, string>();
  if (wanted.size === 0) return ids;
  const rows = await tx.select({ id: folders.id }).from(folders).where(eq(folders.userId, userId));
  const known = new Set(rows.map(({ id }) => id));
  const missing: (typeof folders.$inferInsert)[] = [];
  const filesOf = new Map<string, readonly string[]>();
  for (const { id, others, files = [], ...folder } of wanted.values()) {
    const made = derivedId('import-folder', userId, id);
    const kept = [Id.safeParse(id).data ?? made, made].find((one) => known.has(one));
    if (kept === undefined && known.size >= FOLDERS_MAX) continue;
    ids.set(id, kept ?? made);
    if (kept !== undefined) continue;
    known.add(made);
    filesOf.set(made, files);
    missing.push({ ...others, ...folder, userId, id: made });
  }
  if (missing.length === 0) return ids;
  await nextHint(tx, userId, 'folders');
  await tx.insert(folders).values(missing);
  for (const [ref, fileIds] of filesOf) await addUses(tx, userId, { kind: 'folder', ref }, fileIds);
  return ids;
}
