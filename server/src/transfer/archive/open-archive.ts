// Receives the ZIP file of an export of everything, and checks it before anything of it is kept. Strangers make such
// files, too: names are looked up and never become paths, and a bomb is refused by its directory.
import { open } from 'node:fs/promises';
import type { ImportFault } from '@parley/schema/transfer/results';
import type { Config } from '../../config/config.ts';
import { assertDiskSpace, NoSpace } from '../../files/quota.ts';
import { openZip, ZipFault, type Zip } from '../../platform/zip/read-zip.ts';
import type { Chunks } from '../import-convos.ts';
import { describeUnreadZip, type Unread } from '../formats/other-products.ts';
import { CHATGPT_NAMES, FILES } from './list-files.ts';

export interface Archive {
  zip: Zip;
  /** The names of the entries that have the conversations, in their order. */
  conversations: string[];
  /** Parsed JSON; undefined where the file has none. */
  presets: unknown;
  folders: unknown;
  settings: unknown;
  chatGptNames: unknown;
}

const CONVERSATIONS = 'conversations.json';
/** ChatGPT divides them among `conversations-000.json`, `conversations-001.json` and so on. */
const NUMBERED = /^conversations-\d+\.json$/;
/** Either of them, in the folder that somebody has packed again. */
const IN_FOLDER = /^((?:[^/]+\/)+)conversations(?:-\d+)?\.json$/;
/** Grok's, and Gemini's of Google Takeout, whose folders are named in the language of the account. */
const GROK = /(?:^|\/)prod-grok-backend\.json$/;
const GEMINI = /(?:^|\/)(?:gemini[^/]*|[^/]*bard)\/[^/]*(?:activit|aktivit|actividad|attivit|atividade)[^/]*\.json$/i;
/** Lists that are read an item at a time. */
export const LISTS = {
  assistants: 'assistants.json',
  prompts: 'prompts.json',
  skills: 'skills.json',
  drafts: 'drafts.json',
  queue: 'queue.json',
  schedules: 'schedules.json',
  /** `memories.json` is Claude's. */
  memory: 'memory.json',
  sets: 'file-sets.json',
  avatars: 'avatars.json',
};
export const CLAUDE_LISTS = { projects: 'projects.json', memories: 'memories.json' };
const SMALL = ['presets', 'folders', 'settings'] as const;

const GIGABYTE = 1024 ** 3;
const MEGABYTE = 1024 ** 2;
/** What a ZIP file may have beside as many files as a person may store here, twice, in bytes. */
const PACKED_MAX = GIGABYTE;
const UNPACKED_MAX = 8 * GIGABYTE;
/** An entry of this size may be packed as well as it likes; JSON of long conversations reaches a fiftieth. */
const FREE_RATIO_BYTES = 10 * MEGABYTE;
const RATIO_MAX = 250;
const ENTRIES_MAX = 200_000;
const DIRECTORY_MAX = 64 * MEGABYTE;
/** JSON that is parsed at once, in bytes: the most presets of a person, at four bytes a character. */
const SMALL_MAX = 24 * MEGABYTE;
/** After so many bytes the room on the disk is looked at again. */
const LOOK_EVERY = 64 * MEGABYTE;

/** Writes the file to `path`; returns why it did not arrive. */
export async function receiveArchive(config: Config, chunks: Chunks, path: string): Promise<ImportFault | null> {
  const max = 2 * config.files.quotaBytes + PACKED_MAX;
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  let looked = -LOOK_EVERY;
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      if (done) return value;
      if (size - looked >= LOOK_EVERY) {
        await assertDiskSpace(config.server.dataDir, LOOK_EVERY);
        looked = size;
      }
      size += value.length;
      if (size > max) return 'large_zip';
      await file.writeFile(value);
    }
  } catch (error) {
    if (error instanceof NoSpace || isFull(error)) return 'disk_full';
    throw error;
  } finally {
    await file.close();
  }
}

/** Why a file is not read, and what it is where that is known. */
interface Unopened {
  fault: ImportFault;
  unread?: Unread | null;
}

/** The file at `path`, read through as far as nothing can be left out of it; or why it is not read. */
export async function openArchive(config: Config, path: string): Promise<Archive | Unopened> {
  const unpacked = 2 * config.files.quotaBytes + UNPACKED_MAX;
  try {
    // Conversations are read twice.
    const whole = await openZip(path, { entries: ENTRIES_MAX, directory: DIRECTORY_MAX, unpacked: 2 * unpacked });
    const zip = withoutFolder(whole);
    if (conversationsIn(zip).length === 0) return { fault: 'foreign_zip', unread: describeUnreadZip(zip.names()) };
    const fault = faultOf(whole, unpacked);
    if (fault) return { fault };
    const conversations = conversationsIn(zip);
    for (const name of [...conversations, FILES, ...Object.values(LISTS), ...Object.values(CLAUDE_LISTS)])
      if (zip.has(name)) await readThrough(zip, name);
    const small = await Promise.all(SMALL.map(async (name) => [name, await readJson(zip, `${name}.json`)] as const));
    return {
      zip,
      conversations,
      presets: undefined,
      folders: undefined,
      settings: undefined,
      ...Object.fromEntries(small),
      chatGptNames: await readJson(zip, CHATGPT_NAMES),
    };
  } catch (error) {
    if (error instanceof ZipFault) return { fault: error.reason === 'too_large' ? 'large_zip' : 'damaged_zip' };
    // What does not unpack, or is no JSON.
    if (error instanceof SyntaxError || isOfZlib(error)) return { fault: 'damaged_zip' };
    throw error;
  }
}

function faultOf(zip: Zip, unpackedMax: number): ImportFault | null {
  let all = 0;
  for (const name of zip.names()) {
    const { packed, unpacked } = zip.sizeOf(name);
    if (unpacked > FREE_RATIO_BYTES && unpacked > RATIO_MAX * packed) return 'damaged_zip';
    all += unpacked;
  }
  return all > unpackedMax ? 'large_zip' : null;
}

/** The archive as it was before somebody unpacked it and packed its folder. */
function withoutFolder(zip: Zip): Zip {
  if (conversationsIn(zip).length > 0) return zip;
  const folders = new Set(zip.names().flatMap((name) => IN_FOLDER.exec(name)?.[1] ?? []));
  const [folder = ''] = folders;
  // Of several nobody knows which is meant.
  if (folders.size !== 1) return zip;
  return {
    names: () => zip.names().flatMap((name) => (name.startsWith(folder) ? name.slice(folder.length) : [])),
    has: (name) => zip.has(folder + name),
    sizeOf: (name) => zip.sizeOf(folder + name),
    isLink: (name) => zip.isLink(folder + name),
    read: (name) => zip.read(folder + name),
  };
}

function conversationsIn(zip: Zip): string[] {
  if (zip.has(CONVERSATIONS)) return [CONVERSATIONS];
  const others = zip.names().filter((name) => GROK.test(name) || GEMINI.test(name));
  const numbered = zip.names().filter((name) => NUMBERED.test(name));
  if (numbered.length === 0) return others;
  return numbered.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

async function readThrough(zip: Zip, name: string): Promise<void> {
  for await (const _ of zip.read(name));
}

async function readJson(zip: Zip, name: string): Promise<unknown> {
  if (!zip.has(name)) return undefined;
  if (zip.sizeOf(name).unpacked > SMALL_MAX) throw new ZipFault('too_large');
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.read(name)) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}

/** Whether bytes do not unpack. */
export function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
