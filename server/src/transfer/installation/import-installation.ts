// Imports the database export of a whole installation: users, conversations, messages, presets, prompts, bookmarks,
// balances, files, assistants, actions and keys. Ids are kept or derived, so running it again, also after an interruption,
// adds only what is missing.
import { importActions } from './actions.ts';
import { importAssistants } from './assistants.ts';
import { importConvos } from './convos.ts';
import { findCollectionFile, readDocuments } from './documents.ts';
import { importFiles } from './files.ts';
import { importKeys, importPluginKeys } from './people/keys.ts';
import { importPrompts } from './prompts.ts';
import { importBalances, importUsers, documentOwner } from './people/people.ts';
import { importPresets } from './people/presets.ts';
import { readSharing } from './sharing.ts';
import { emptyReport, skip, type Count, type Report, emptyCount } from './report.ts';
import type { Target, People } from './target.ts';
import { cleanText } from '@parley/schema/clean-text';
import * as z from 'zod';
import { restoreFolders } from '../restore-folders.ts';
import { folderNamed, type Bookmarks } from './reference-convo.ts';
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { FIELDS, WITHOUT_PLACE } from './fields.ts';
import { noteCollection, type FieldNotes } from './field-census.ts';

const HOW =
  'Export each collection into one folder: mongoexport --uri=<the MONGO_URI> --collection=users --out=<folder>/users.json, and so conversations, messages, presets, balances, files, assistants, actions, agents, prompts, promptgroups, conversationtags, keys, pluginauths, aclentries, accessroles and groups.';

const BSON =
  'bsondump --outFile=<folder>/users.json <folder>/users.bson turns a file into one that can be read, and so for each collection.';

/** The collections that are read by others. */
const READ = new Set([...Object.keys(FIELDS).filter((name) => !Object.hasOwn(WITHOUT_PLACE, name)), 'transactions']);

/** What may be millions, or is noted once its settings are known. */
const NOTED_APART = new Set(['conversations', 'messages', 'presets', 'transactions']);

const Bookmark = z.object({ tag: z.string().overwrite(cleanText).trim().min(1), position: z.number().catch(0) });

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

// Bookmarks: each becomes a folder, also one without conversations.

/** The places of bookmarks in the list of each person here. */
async function readBookmarks(
  target: Target,
  path: string | null,
  people: People,
  count: Count,
): Promise<ReadonlyMap<string, Bookmarks>> {
  const found = new Map<string, Map<string, number>>();
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    const userId = documentOwner(document, people, count);
    const { data } = Bookmark.safeParse(document);
    if (!userId) continue;
    if (!data) {
      skip(count, 'not readable');
      continue;
    }
    const own = found.get(userId) ?? new Map<string, number>();
    found.set(userId, own.set(data.tag, data.position));
  }
  for (const [userId, places] of found) {
    const tags = [...places]
      .toSorted(([, a], [, b]) => a - b)
      .map(([tag]) => ({ convo: { folder: folderNamed(tag) } }));
    const made = target.isDry
      ? tags.length
      : (await target.db.query.transaction((tx) => restoreFolders(tx, userId, tags))).size;
    count.written += made;
    skip(count, 'their person has as many folders as one may have', tags.length - made);
  }
  return found;
}

// The folder of an export, and the sentences for one that cannot be read.

/** @throws Error with one sentence on what to do */
async function assertFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') throw new Error(`${folder} is a file, not the folder of an export. ${HOW}`);
    throw new Error(`The folder ${folder} cannot be read (${error.code ?? error.message}). ${HOW}`);
  });
  const tops = names.filter((name) => !name.includes('/'));
  if (tops.some((name) => isExport(name) && nameOf(name) === 'users')) return;
  if (names.some((name) => /\.bson(?:\.gz)?$/.test(name)))
    throw new Error(`${folder} is a dump of mongodump, whose files are BSON. ${BSON}`);
  throw new Error(`${folder} has no users.json. ${HOW}`);
}

/** Counts the documents of collections that have no place here. */
async function countOthers(folder: string, report: Report): Promise<void> {
  for (const file of (await readdir(folder)).toSorted()) {
    const name = nameOf(file);
    if (!isExport(file) || READ.has(name)) continue;
    const count = emptyCount();
    for await (const _ of readDocuments(join(folder, file))) count.read += 1;
    skip(count, WITHOUT_PLACE[name] ?? 'they have no place here', count.read);
    report.others.set(name, count);
  }
}

/** Notes the fields of all collections but those that are noted while they are read. */
async function noteAllFields(folder: string, notes: FieldNotes): Promise<void> {
  for (const file of (await readdir(folder)).toSorted())
    if (isExport(file) && !NOTED_APART.has(nameOf(file))) await noteCollection(notes, join(folder, file));
}

function isExport(file: string): boolean {
  return ['.json', '.jsonl', '.ndjson'].includes(extname(file)) && !file.endsWith('.metadata.json');
}

function nameOf(file: string): string {
  return file.slice(0, -extname(file).length);
}
