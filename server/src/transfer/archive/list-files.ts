// The files of a ZIP file, by the ids that its conversations know them by: those of an export of everything are listed
// in `files.json`, those of ChatGPT's export have their ids in the names of their entries.
import { rowReader } from '@parley/db/travelling';
import { FILE_CONTEXTS } from '@parley/schema/files/stored-file';
import * as z from 'zod';
import { cleanName } from '../../files/upload/receive-upload.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';
import { itemsOf } from './items-of.ts';

export const FILES = 'files.json';
/** The names that people gave to the files of ChatGPT's export, by the names of their entries. */
export const CHATGPT_NAMES = 'conversation_asset_file_names.json';

export const Time = z.iso.datetime().optional().catch(undefined);

/** A line of `files.json`. */
const ExportedFile = z.object({
  fileId: z.string().min(1).max(256),
  name: z.string().max(4096).catch('').transform(cleanName),
  mime: z.string().max(256).catch(''),
  context: z.enum(FILE_CONTEXTS).exclude(['avatar']).catch('message_attachment'),
  /** The name of its entry. */
  path: z.string().max(4096),
  /** Of its bytes, in hexadecimal; exports of before have none. */
  sha256: z.string().max(64).nullish().catch(null),
  /** Null for one that was used. */
  expiresAt: z.string().nullish(),
  /** Its person keeps it, whatever uses it. */
  isKept: z.boolean().optional().catch(undefined),
  createdAt: Time,
  updatedAt: Time,
});
const FIELDS = ['id', 'name', 'mime', 'context', 'expiresAt', 'createdAt', 'updatedAt'] as const;
export const readOthersOfFile = rowReader('files', {}, FIELDS);

/** `others` are the columns that have no field of their own. */
export type ExportedFile = z.infer<typeof ExportedFile> & {
  others?: ReturnType<typeof readOthersOfFile> | undefined;
};

export type FileColumns = Pick<ExportedFile, 'createdAt' | 'updatedAt' | 'others'>;

/**
 * `file-4x7Kite-kite.png`, `file_00000000a5d0-sanitized.png`, `dalle-generations/file-9dBoat-<uuid>.webp` and
 * `file_00000000a5d0.dat` (docs/dev/chatgpt-spec.md of github.com/mohamed-chs/convoviz).
 */
const CHATGPT_FILE = /^(?:[^/]+\/)*(file[-_][A-Za-z0-9]+)(?:-([^/]*)|\.[^/]*)?$/;
/** Grok's, without a name: `ttl/30d/export_data/<id>/prod-mc-asset-server/<id>/content`. */
const GROK_FILE = /(?:^|\/)prod-mc-asset-server\/([0-9a-f-]{36})\/content$/;
/** Tails of names that no person gave. */
const MADE_TAIL = /^(?:sanitized|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.\w+$/i;

/** Bytes of their entries, unpacked. */
export function bytesOfFiles(zip: Zip): number {
  const isFile = zip.has(FILES)
    ? (name: string) => name.startsWith('files/')
    : (name: string) => CHATGPT_FILE.test(name) || GROK_FILE.test(name);
  return zip.names().reduce((sum, name) => (isFile(name) ? sum + zip.sizeOf(name).unpacked : sum), 0);
}

/** `chatGptNames`: the parsed `conversation_asset_file_names.json`. */
export async function* listFiles(zip: Zip, chatGptNames: unknown): AsyncGenerator<ExportedFile, void> {
  if (!zip.has(FILES)) {
    yield* chatGptFiles(zip, chatGptNames);
    return;
  }
  for await (const value of itemsOf(zip, FILES)) {
    const file = ExportedFile.safeParse(value).data;
    if (file) yield { ...file, others: readOthersOfFile(value) };
  }
}

function* chatGptFiles(zip: Zip, given: unknown): Generator<ExportedFile, void> {
  const names = new Map(Object.entries(z.record(z.string(), z.unknown()).safeParse(given).data ?? {}));
  for (const path of zip.names()) {
    const [, fileId = GROK_FILE.exec(path)?.[1], tail] = CHATGPT_FILE.exec(path) ?? [];
    if (fileId === undefined) continue;
    const entry = GROK_FILE.test(path) ? fileId : path.slice(path.lastIndexOf('/') + 1);
    const name = [names.get(path), names.get(entry), tail && !MADE_TAIL.test(tail) ? tail : entry];
    yield {
      fileId,
      name: cleanName(name.find((one) => typeof one === 'string') ?? entry),
      mime: '',
      context: 'message_attachment',
      path,
      sha256: null,
      // Without a message that shows it, it has no use here.
      expiresAt: '',
    };
  }
}
