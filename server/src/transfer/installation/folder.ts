// The folder of an export, and the sentences for one that cannot be read.
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readDocuments } from './documents.ts';
import { FIELDS, WITHOUT_PLACE } from './fields.ts';
import { noteCollection, type FieldNotes } from './field-census.ts';
import { emptyCount, skip, type Report } from './report.ts';

const HOW =
  'Export each collection into one folder: mongoexport --uri=<the MONGO_URI> --collection=users --out=<folder>/users.json, and so conversations, messages, presets, balances, files, assistants, actions, agents, prompts, promptgroups, conversationtags, keys, pluginauths, aclentries, accessroles and groups.';
const BSON =
  'bsondump --outFile=<folder>/users.json <folder>/users.bson turns a file into one that can be read, and so for each collection.';

/** The collections that are read by others. */
const READ = new Set([...Object.keys(FIELDS).filter((name) => !Object.hasOwn(WITHOUT_PLACE, name)), 'transactions']);

/** @throws Error with one sentence on what to do */
export async function assertFolder(folder: string): Promise<void> {
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
export async function countOthers(folder: string, report: Report): Promise<void> {
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
export async function noteAllFields(folder: string, notes: FieldNotes): Promise<void> {
  for (const file of (await readdir(folder)).toSorted())
    if (isExport(file) && !NOTED_APART.has(nameOf(file))) await noteCollection(notes, join(folder, file));
}
/** What may be millions, or is noted once its settings are known. */
const NOTED_APART = new Set(['conversations', 'messages', 'presets', 'transactions']);

function isExport(file: string): boolean {
  return ['.json', '.jsonl', '.ndjson'].includes(extname(file)) && !file.endsWith('.metadata.json');
}

function nameOf(file: string): string {
  return file.slice(0, -extname(file).length);
}
