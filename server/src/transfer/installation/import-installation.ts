// Imports the database export of a whole installation: users, conversations, messages, presets, prompts, bookmarks,
// balances, files, assistants, actions and keys. Ids are kept or derived, so running it again, also after an interruption,
// adds only what is missing.
import { importActions } from './actions.ts';
import { importAssistants } from './assistants.ts';
import { readBookmarks } from './bookmarks.ts';
import { importConvos } from './convos.ts';
import { findCollectionFile, readDocuments } from './documents.ts';
import { importFiles } from './files.ts';
import { assertFolder, countOthers, noteAllFields } from './folder.ts';
import { importKeys, importPluginKeys } from './people/keys.ts';
import { importPrompts } from './prompts.ts';
import { importBalances, importUsers } from './people/people.ts';
import { importPresets } from './people/presets.ts';
import { readSharing } from './sharing.ts';
import { emptyReport, skip, type Count, type Report } from './report.ts';
import type { Target } from './target.ts';

/** @throws Error with one sentence, before anything is written */
export async function importInstallation(target: Target, folder: string): Promise<Report> {
  const report = emptyReport();
  await assertFolder(folder);
  const path = (collection: string) => findCollectionFile(folder, collection);
  const people = await importUsers(target, folder, report);
  await importBalances(target, await path('balances'), people, report.balances);
  await importKeys(target, await path('keys'), people, report.keys);
  await importPluginKeys(target, await path('pluginauths'), people, report.pluginauths);
  const stored = await importFiles(target, folder, people, report.files);
  const sharing = await readSharing(folder, report);
  const paths = { assistants: await path('assistants'), agents: await path('agents') };
  const assistants = await importAssistants(target, { folder, people, kept: stored, sharing }, paths, report);
  await importPresets(target, await path('presets'), { people, assistants }, report);
  await importActions(target, await path('actions'), { people, assistants }, report.actions);
  const prompts = { prompts: await path('prompts'), groups: await path('promptgroups') };
  await importPrompts(target, { people, sharing }, prompts, report);
  sharing.tell(report);
  const bookmarks = await readBookmarks(target, await path('conversationtags'), people, report.conversationtags);
  await importConvos(target, folder, { people, kept: stored, assistants, bookmarks }, report);
  await countOnly(await path('transactions'), report.transactions, 'the balance contains them');
  await countOthers(folder, report);
  await noteAllFields(folder, report.fields);
  return report;
}

async function countOnly(path: string | null, count: Count, why: string): Promise<void> {
  for await (const _ of path === null ? [] : readDocuments(path)) {
    count.read += 1;
    skip(count, why);
  }
}
