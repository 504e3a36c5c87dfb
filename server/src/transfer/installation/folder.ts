// The folder of an export, and the sentences for one that cannot be read.
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readDocuments } from './documents.ts';
import { emptyCount, skip, type Report } from './report.ts';

const HOW =
  'Export each collection into one folder: mongoexport --uri=<the MONGO_URI> --collection=users --out=<folder>/users.json, and so conversations, messages, presets, balances, files, assistants, actions, agents, keys and pluginauths.';
const BSON =
  'bsondump --outFile=<folder>/users.json <folder>/users.bson turns a file into one that can be read, and so for each collection.';

/** The collections that are read by others. */
const READ = new Set([
  'users',
  'conversations',
  'messages',
  'presets',
  'balances',
  'transactions',
  'files',
  'assistants',
  'agents',
  'actions',
  'keys',
  'pluginauths',
]);

/** Why some collections have no place here. */
const WITHOUT_PLACE: Readonly<Record<string, string>> = {
  sessions: 'people sign in again',
  tokens: 'links in mails are valid for minutes only',
  roles: 'permissions of roles have no place here; who is ADMIN there is so here',
  sharedlinks: 'links are made anew, by those who share',
  conversationtags: 'tags have no place here',
  prompts: 'prompts have no place here',
  promptgroups: 'prompts have no place here',
};

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

function isExport(file: string): boolean {
  return ['.json', '.jsonl', '.ndjson'].includes(extname(file)) && !file.endsWith('.metadata.json');
}

function nameOf(file: string): string {
  return file.slice(0, -extname(file).length);
}
