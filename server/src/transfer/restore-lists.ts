// Lists of an archive whose items stand alone: prompts and skills.
import type { Counts } from '@parley/schema/transfer/results';
import type { Db } from '@parley/db/client';
import type { Zip } from '../platform/zip/read-zip.ts';
import { addExportedPrompt } from '../prompts/restore-prompts.ts';
import { addExportedSkill } from '../skills/restore-skills.ts';
import { itemsOf } from './archive/items-of.ts';
import { LISTS } from './archive/open-archive.ts';
import type { FileRestore } from './archive/restore-files.ts';

/** `presetIds` are those of the presets here by their ids in the archive. */
export async function restoreLists(
  db: Db,
  userId: string,
  zip: Zip,
  { presetIds, files }: { presetIds: ReadonlyMap<string, string>; files: Pick<FileRestore, 'find'> },
): Promise<Record<'prompts' | 'skills', Counts>> {
  const prompts = { imported: 0, present: 0, skipped: 0 };
  for await (const value of itemsOf(zip, LISTS.prompts))
    prompts[await addExportedPrompt(db, userId, value, (id) => presetIds.get(id))] += 1;
  const skills = { imported: 0, present: 0, skipped: 0 };
  for await (const value of itemsOf(zip, LISTS.skills))
    skills[await addExportedSkill(db, userId, value, files.find)] += 1;
  return { prompts, skills };
}
