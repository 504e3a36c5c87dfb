// Lists of an archive whose items stand alone: prompts and skills.
import type { Counts } from '@parley/schema/transfer/results';
import type { Db } from '@parley/db/client';
import type { Zip } from '../platform/zip/read-zip.ts';
import { addExportedPrompt } from '../prompts/restore-prompts.ts';
import { addExportedSkill } from '../skills/restore-skills.ts';
import { takeItems } from './archive/items-of.ts';
import { LISTS } from './archive/open-archive.ts';
import type { FileRestore } from './archive/restore-files.ts';

/** `presetIds` are those of the presets here by their ids in the archive. */
export async function restoreLists(
  db: Db,
  userId: string,
  zip: Zip,
  { presetIds, files }: { presetIds: ReadonlyMap<string, string>; files: Pick<FileRestore, 'find'> },
): Promise<Record<'prompts' | 'skills', Counts>> {
  const presetOf = (id: string) => presetIds.get(id);
  return {
    prompts: await takeItems(zip, LISTS.prompts, (value) => addExportedPrompt(db, userId, value, presetOf)),
    skills: await takeItems(zip, LISTS.skills, (value) => addExportedSkill(db, userId, value, files.find)),
  };
}
