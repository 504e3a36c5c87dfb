// Tests of this room: tests/integration/interpreter.

// Files on their way into the folder of a kernel, and back from it.
import { cleanText } from '@parley/schema/clean-text';
import { MEGABYTE } from '@parley/schema/files/file-limits';
import type { Attachment } from '@parley/schema/messages/messages';
import { detectType } from '../files/detect-type.ts';
import { saveConverted } from '../files/save-converted.ts';
import type { FileSaverDeps } from '../files/save-file.ts';
import { scanProblem } from '../files/upload/file-refusal.ts';
import { presentAttachment } from '../files/present.ts';
import { NoSpace } from '../files/quota.ts';
import { openFile } from '../files/read-file.ts';
import { Refusal } from '../platform/errors.ts';
import { receive, withArrival } from '../storage/arrivals.ts';
import { SKILLS_FOLDER } from '@parley/schema/skills/skill-rules';
import type { Kernel } from './kernel.ts';

/** A file by its name in the kernel's folder. */
export interface DataFile {
  name: string;
  file: Attachment;
}

/** The files of a conversation in the folder of one kernel, in bytes. */
const FOLDER_MAX = 100 * MEGABYTE;
const MADE_MAX = 20;
const MADE_BYTES_MAX = 50 * MEGABYTE;
const NAME_MAX = 255;

/** Names in one folder: no two files have the same, and none is a path. */
export function nameFiles(files: readonly Attachment[]): DataFile[] {
  const named = new Map<string, Attachment>();
  const ids = new Set<string>();
  for (const file of files) {
    if (ids.has(file.fileId)) continue;
    ids.add(file.fileId);
    named.set(freeName(plainName(file), named), file);
  }
  return [...named].map(([name, file]) => ({ name, file }));
}

function plainName({ name = '', fileId, mime = '' }: Attachment): string {
  const last = cleanText(name)
    .replace(/^.*[/\\]/s, '')
    .replaceAll(/\p{Cc}/gu, '');
  return /^\.*$/.test(last) ? `${fileId}.${mime.replace(/^.*\//, '')}` : last;
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let n = 2; ; n++) if (!taken.has(`${stem}-${n}${ending}`)) return `${stem}-${n}${ending}`;
}

/**
 * Writes the files into the kernel's folder, as long as there is room. Returns sentences about those that are not
 * there.
 * @param diskUse bytes, of the files that the kernel has already
 */
export async function bringFiles(
  deps: FileSaverDeps,
  userId: string,
  kernel: Kernel,
  files: readonly DataFile[],
  diskUse: DiskUse,
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for (const { name, file } of files) {
    const found = await openFile(deps, userId, file.fileId, FOLDER_MAX - diskUse.used);
    if (found) {
      diskUse.used += found.bytes;
      await kernel.write(name, found.chunks, signal);
    } else {
      missing.push(`${JSON.stringify(name)} is not in /mnt/data: it was deleted, or the files are more than 100 MB.`);
    }
  }
  return missing;
}

/** A file of a skill. */
export interface SkillFolderFile {
  ownerId: string;
  fileId: string;
  /** Below the folder of all skills. */
  path: string;
}

interface KnownFiles {
  diskUse: DiskUse;
  has(name: string): boolean;
  note(name: string): void;
}

/** Writes the files of skills that the kernel does not have yet beside its own folder, like `bringFiles`. */
export async function bringSkillFiles(
  deps: FileSaverDeps,
  kernel: Kernel,
  files: readonly SkillFolderFile[],
  { diskUse, has, note }: KnownFiles,
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for (const { ownerId, fileId, path } of files) {
    const place = `${SKILLS_FOLDER}/${path}`;
    const known = `${place} ${fileId}`;
    if (has(known)) continue;
    const found = await openFile(deps, ownerId, fileId, FOLDER_MAX - diskUse.used);
    if (found) {
      diskUse.used += found.bytes;
      await kernel.write(place, found.chunks, signal);
      note(known);
    } else missing.push(`${place} is not there: it was deleted, or the files are more than 100 MB.`);
  }
  return missing;
}

/** How much a kernel's folder has got, in bytes. */
export interface DiskUse {
  used: number;
}

export interface GeneratedFiles {
  files: DataFile[];
  /** Sentences about those that were not kept. */
  lost: string[];
}

/** Keeps what the code made, as files of the user without a use: `noteOutputUses` notes it with the reply. */
export async function takeFiles(
  deps: FileSaverDeps,
  userId: string,
  kernel: Kernel,
  made: readonly { name: string; bytes: number }[],
  signal: AbortSignal,
): Promise<GeneratedFiles> {
  const files: DataFile[] = [];
  const lost = made.slice(MADE_MAX).length > 0 ? [`Of ${made.length} files the first ${MADE_MAX} were kept.`] : [];
  for (const { name, bytes } of made.slice(0, MADE_MAX)) {
    if (bytes > MADE_BYTES_MAX) lost.push(`${JSON.stringify(name)} was not kept: it is larger than 50 MB.`);
    else {
      const file = await takeFile(deps, userId, kernel, { name, bytes }, signal);
      if (typeof file === 'string') lost.push(file);
      else files.push({ name, file });
    }
  }
  return { files, lost };
}

/** A sentence when it could not be kept. */
async function takeFile(
  deps: FileSaverDeps,
  userId: string,
  kernel: Kernel,
  { name, bytes }: { name: string; bytes: number },
  signal: AbortSignal,
): Promise<Attachment | string> {
  try {
    return await withArrival(deps.config, async (path) => {
      const arrived = await receive(kernel.read(name, bytes, signal), path);
      const mime = await detectType(path, name, '');
      const facts = { userId, name: fileName(name), mime, context: 'assistants_output' } as const;
      return presentAttachment(await saveConverted(deps, { ...facts, path, ...arrived }));
    });
  } catch (error) {
    if (error instanceof NoSpace) return `${JSON.stringify(name)} was not kept: ${error.text}`;
    if (scanProblem(error))
      return `${JSON.stringify(name)} was not kept: the scanner of this server did not let it pass.`;
    if (error instanceof Refusal) return `${JSON.stringify(name)} was not kept: it cannot be read as a picture.`;
    throw error;
  }
}

/** The last part of a path. */
function fileName(name: string): string {
  const last = cleanText(name)
    .replace(/^.*[/\\]/s, '')
    .replaceAll(/\p{Cc}/gu, '');
  return [...last].slice(0, NAME_MAX).join('') || 'file';
}
