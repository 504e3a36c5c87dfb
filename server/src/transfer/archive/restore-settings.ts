// Settings and folders of an export of everything.
import type { Db } from '@parley/db/client';
import { FOLDER_FILES_MAX } from '@parley/schema/convos/folder-rules';
import { ExportedFolder } from '@parley/schema/convos/folders';
import type { StoredSettings } from '@parley/schema/settings/interface';
import { SetSettings } from '@parley/schema/settings/interface-inputs';
import type { ArchiveLine } from '@parley/schema/transfer/results';
import * as z from 'zod';
import { readSettings, saveSettings } from '../../settings/settings.ts';
import { readOthersOfFolder, restoreFolders } from '../restore-folders.ts';
import type { StoredLinks } from '../stored-links.ts';

const Given = z.record(z.string(), z.unknown()).catch({});

/** Sets what this account has no value of its own for; null where there is nothing to tell. */
export async function restoreSettings(db: Db, userId: string, value: unknown): Promise<ArchiveLine | null> {
  const given = Object.entries(readable(Given.parse(value)));
  if (given.length === 0) return null;
  const own = await readSettings(db, userId);
  const missing = given.filter(([name]) => !Object.hasOwn(own, name));
  if (missing.length > 0) await saveSettings(db, userId, Object.fromEntries(missing) as SetSettings);
  const same = given.filter(([name, wanted]) => Object.entries(own).some(([key, is]) => key === name && is === wanted));
  return { kind: 'settings', imported: missing.length, kept: given.length - missing.length - same.length };
}

/** Each by itself: one that another version wrote does not affect the others. */
function readable(given: Record<string, unknown>): StoredSettings {
  const settings: StoredSettings = {};
  for (const [name, value] of Object.entries(given))
    if (value !== null) Object.assign(settings, SetSettings.safeParse({ [name]: value }).data);
  return settings;
}

const Folders = z
  .array(z.unknown())
  .catch([])
  .transform((list) =>
    list.flatMap((one) => {
      const { data } = Folder.safeParse(one);
      return data ? [{ ...data, others: readOthersOfFolder(one) }] : [];
    }),
  );
const FileIds = z.array(z.string().max(256)).catch([]);
const Folder = ExportedFolder.extend({
  presetId: z.string().nullable().catch(null),
  fileIds: FileIds.transform((ids) => ids.slice(0, FOLDER_FILES_MAX)),
});

/** Also those without conversations. `presetIds` are the ids that presets have here, by those in the export. */
export async function restoreAllFolders(
  db: Db,
  userId: string,
  value: unknown,
  { presetIds, file }: { presetIds: ReadonlyMap<string, string>; file: StoredLinks['file'] },
): Promise<void> {
  const folders = Folders.parse(value).map(({ fileIds, ...folder }) => ({
    ...folder,
    presetId: presetIds.get(folder.presetId ?? '') ?? null,
    files: fileIds.flatMap((id) => file(id)?.fileId ?? []),
  }));
  if (folders.length === 0) return;
  await db.query.transaction((tx) =>
    restoreFolders(
      tx,
      userId,
      folders.map((folder) => ({ convo: { folder } })),
    ),
  );
}
