// Skills as ZIP files: a folder with `SKILL.md` and the files beside it. Strangers make such files, too: a path becomes
// the name of a file of a skill and never one on this machine's disk, and a bomb is refused by its directory.
import { writeFile } from 'node:fs/promises';
import { withUserLock } from '@parley/db/user-rows';
import {
  pathProblem,
  SKILL_BODY_MAX,
  SKILL_BYTES_MAX,
  SKILL_FILES_MAX,
  SKILL_MAIN_FILE,
  type ImportedSkill,
} from '@parley/schema/skills/skill-rules';
import type { ImportSkill } from '@parley/schema/skills/skills';
import { assertDiskSpace, NoSpace } from '../files/quota.ts';
import { openFile } from '../files/read-file.ts';
import type { FileSaverDeps } from '../files/save-file.ts';
import { refuse } from '../platform/errors.ts';
import { openZip, ZipFault, type Zip } from '../platform/zip/read-zip.ts';
import { zip as writeZip, type ZipEntry } from '../platform/zip/write-zip.ts';
import { withArrival } from '../storage/arrivals.ts';
import { putText } from '../texts/save-text.ts';
import { findFreeName, SKILLS } from '../texts/texts.ts';
import { listSkillFiles, readSkill } from './list-skills.ts';
import { assertFits, keepBytes, setSkillFiles, type KeptFile } from './skill-files.ts';
import { readSkillMarkdown, writeSkillMarkdown } from './skill-markdown.ts';

/** Of `SKILL.md`, unpacked: its characters at three bytes, and as much again that is cut. */
const MAIN_BYTES_MAX = 6 * SKILL_BODY_MAX;
/** Folders are entries, too, and programs add files of their own. */
const LIMITS = {
  entries: 4 * SKILL_FILES_MAX,
  unpacked: SKILL_BYTES_MAX + MAIN_BYTES_MAX,
  directory: 1_000_000,
};
const MAIN = /(?:^|\/)SKILL\.md$/i;
/** What programs add that nobody has put there. */
const ADDED = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/;

/** The ZIP file as a skill of the person, with a number where its name is taken. @throws Refusal */
export async function importSkill(deps: FileSaverDeps, userId: string, input: ImportSkill): Promise<ImportedSkill> {
  const { id, content, fileName } = input;
  const { text, kept } = await withArrival(deps.config, async (place) => {
    const bytes = Buffer.from(content, 'base64');
    await hasRoom(deps, bytes.length);
    await writeFile(place, bytes, { flag: 'wx', mode: 0o600 });
    return readArchive(deps, userId, place, fileName.replace(/\.\w+$/, ''));
  });
  const name = await withUserLock(deps.db.query, userId, async (tx) => {
    const { description, body } = text;
    const free = await findFreeName(tx, SKILLS, userId, { id, name: text.name });
    await putText(tx, SKILLS, userId, { id, name: free, description, body, isImported: true });
    await setSkillFiles(tx, userId, id, kept);
    return free;
  });
  const skill = await readSkill(deps.db, userId, { ownerId: userId, id });
  return { skill, renamedFrom: name === text.name ? null : text.name, isCut: text.isCut };
}

async function readArchive(deps: FileSaverDeps, userId: string, place: string, fallback: string) {
  try {
    const archive = await openZip(place, LIMITS);
    const { main, paths } = listEntries(archive);
    const folder = main.slice(0, -SKILL_MAIN_FILE.length);
    const named = folder.split('/').at(-2) ?? fallback;
    const markdown = (await readWhole(archive.read(main))).toString();
    const text = readSkillMarkdown(markdown, named);
    if (!text) return unreadable(`${SKILL_MAIN_FILE} needs a head with a description, and instructions below it.`);
    const kept: KeptFile[] = [];
    for (const path of paths) kept.push(await keepBytes(deps, userId, path, archive.read(folder + path)));
    return { text, kept };
  } catch (error) {
    if (error instanceof ZipFault && error.reason === 'too_large') return unreadable('It unpacks to more than 10 MB.');
    if (error instanceof ZipFault || isOfZlib(error)) return unreadable('It is no ZIP file, or is damaged.');
    throw error;
  }
}

/** The one skill of the archive and the paths of its files, all of which are checked before anything is unpacked. */
function listEntries(archive: Zip): { main: string; paths: string[] } {
  const names = archive.names().filter((name) => !name.endsWith('/') && !ADDED.test(name));
  const mains = names.filter((name) => MAIN.test(name)).toSorted((one, other) => depthOf(one) - depthOf(other));
  const [main, second] = mains;
  if (main === undefined) return unreadable(`It has no ${SKILL_MAIN_FILE}.`);
  if (second !== undefined && depthOf(second) === depthOf(main)) return unreadable('It has more than one skill.');
  const folder = main.slice(0, -SKILL_MAIN_FILE.length);
  if (archive.sizeOf(main).unpacked > MAIN_BYTES_MAX) return unreadable(`${SKILL_MAIN_FILE} is too long.`);
  for (const name of names) {
    if (archive.isLink(name)) return unreadable(`${name} is a link to another file.`);
    // The skill itself may lie in a folder, of which the same holds.
    const problem = pathProblem(name === main ? `${folder}-` : name);
    if (problem !== null) return unreadable(`${problem}: ${name}`);
  }
  const paths = names
    .filter((name) => name !== main && name.startsWith(folder))
    .map((name) => name.slice(folder.length));
  assertFits(paths.map((path) => ({ path, bytes: archive.sizeOf(folder + path).unpacked })));
  return { main, paths };
}

function depthOf(name: string): number {
  return name.split('/').length;
}

function unreadable(why: string): never {
  return refuse({ type: 'invalid_input', text: `This file cannot be imported. ${why}` });
}

async function hasRoom({ config }: FileSaverDeps, bytes: number): Promise<void> {
  try {
    await assertDiskSpace(config.server.dataDir, 2 * bytes);
  } catch (error) {
    if (error instanceof NoSpace) refuse({ type: 'storage_full' });
    throw error;
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

/** A ZIP file in base64. @throws Refusal `not_found` for one that is neither the person's own nor shared */
export async function exportSkill(
  from: Pick<FileSaverDeps, 'db' | 'stores'>,
  userId: string,
  ref: { ownerId: string; id: string },
): Promise<{ fileName: string; content: string }> {
  const skill = await readSkill(from.db, userId, ref);
  const kept = await listSkillFiles(from.db.query, ref);
  const packed = await readWhole(writeZip(entries()));
  return { fileName: `${skill.name}.zip`, content: packed.toString('base64') };

  async function* entries(): AsyncGenerator<ZipEntry> {
    const main = Buffer.from(writeSkillMarkdown(skill));
    yield { name: `${skill.name}/${SKILL_MAIN_FILE}`, chunks: once(main), isCompressed: true };
    for (const { path, fileId } of kept) {
      const opened = await openFile(from, ref.ownerId, fileId, SKILL_BYTES_MAX);
      if (opened) yield { name: `${skill.name}/${path}`, chunks: opened.chunks, isCompressed: true };
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function readWhole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
