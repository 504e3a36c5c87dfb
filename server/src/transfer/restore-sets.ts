// Sets of files of an export of everything, and the folders that have them.
import type { Db } from '@parley/db/client';
import { rowReader } from '@parley/db/travelling';
import { FOLDER_SETS_MAX } from '@parley/schema/convos/folder-rules';
import { SetName } from '@parley/schema/files/file-sets';
import { SET_FILES_MAX } from '@parley/schema/files/set-rules';
import { Id } from '@parley/schema/ids';
import type { Counts } from '@parley/schema/transfer/results';
import * as z from 'zod';
import { restoreSet } from '../files/library/sets.ts';
import { addSets } from '../folders/folders.ts';
import { derivedId } from '../platform/derived-id.ts';
import type { Zip } from '../platform/zip/read-zip.ts';
import type { StoredLinks } from './stored-links.ts';
import { findFolder, findSet } from './archive/find-restored.ts';
import { takeItems } from './archive/items-of.ts';
import { LISTS } from './archive/open-archive.ts';

const name = z.string().min(1).max(256);
const readSet = rowReader('fileSets', { name: SetName }, ['id']);
const NamedBySet = z.object({ id: name, fileIds: z.array(name).catch([]) });

/** Adds the sets that are not here, up to the limits; resolves to how many. */
export async function restoreSets(db: Db, userId: string, zip: Zip, stored: StoredLinks): Promise<Counts> {
  return takeItems(zip, LISTS.sets, take);

  async function take(value: unknown): Promise<keyof Counts> {
    const { data } = NamedBySet.safeParse(value);
    const { name: title, ...others } = readSet(value);
    if (!data || title === undefined) return 'skipped';
    const made = derivedId('import-set', userId, data.id);
    const own = Id.safeParse(data.id).data ?? made;
    const fileIds = data.fileIds.flatMap((id) => stored.file(id)?.fileId ?? []).slice(0, SET_FILES_MAX);
    return restoreSet(db, [own, made], { ...others, userId, id: made, name: title, fileIds });
  }
}

const NamedByFolder = z.object({
  id: name,
  setIds: z.array(name).min(1).max(FOLDER_SETS_MAX),
});

/** Gives folders that have none the sets of those in the export, as far as these are here. */
export async function restoreSetsOfFolders(db: Db, userId: string, value: unknown): Promise<void> {
  for (const one of Array.isArray(value) ? value : []) {
    const { data } = NamedByFolder.safeParse(one);
    const id = data && (await findFolder(db, userId, data.id));
    if (!data || id === undefined) continue;
    const here = await Promise.all(data.setIds.map((setId) => findSet(db, userId, setId)));
    await addSets(
      db,
      userId,
      id,
      here.filter((setId) => setId !== undefined),
    );
  }
}
