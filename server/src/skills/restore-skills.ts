// Skills of an export of everything, with their versions and the names of their files.
import { skillFiles, skills } from '@parley/db/tables/automation/skills';
import type { Db, Tx } from '@parley/db/client';
import { files } from '@parley/db/tables/files';
import { exportedRow, rowReader } from '@parley/db/travelling';
import { Id } from '@parley/schema/ids';
import { SKILL_FILES_MAX, SKILL_VERSIONS_MAX } from '@parley/schema/skills/skill-rules';
import { SkillFields, SkillPath } from '@parley/schema/skills/skills';
import type { Counts } from '@parley/schema/transfer/results';
import { and, asc, eq, inArray } from 'drizzle-orm';
import * as z from 'zod';
import { isAmong } from '../convos/rows.ts';
import { derivedId } from '../platform/derived-id.ts';
import { addText, exportedTexts } from '../texts/transfer-texts.ts';
import { SKILLS } from '../texts/texts.ts';
import { setSkillFiles, type KeptFile } from './skill-files.ts';

const { name, description, body } = SkillFields.shape;
const n = z.int().min(1).max(1_000_000);
const readRow = rowReader('skills', { name, description, body, version: n }, ['id']);
const readVersion = rowReader('skillVersions', { n, name, description, body }, ['skillId']);

const Nested = z.object({
  id: z.string().min(1).max(256),
  versions: z.array(z.unknown()).max(SKILL_VERSIONS_MAX).catch([]),
  files: z.array(z.unknown()).max(SKILL_FILES_MAX).catch([]),
});
const NestedFile = z.object({ path: SkillPath, fileId: z.string().max(256) });

/** Each of a person's own that is not in the trash, as `addExportedSkill` reads it. */
export function exportedSkills(db: Db, userId: string): AsyncGenerator<object> {
  return exportedTexts(db, SKILLS, userId, async (ids) => {
    const isOfThese = and(eq(skillFiles.userId, userId), inArray(skillFiles.skillId, ids));
    const beside = await db.query.select().from(skillFiles).where(isOfThese).orderBy(asc(skillFiles.path));
    return (id) => ({
      files: beside.filter(({ skillId }) => skillId === id).map((file) => exportedRow('skillFiles', file)),
    });
  });
}

/** Finds a file here by its id in the export. */
type FindFile = (id: string) => { fileId: string } | undefined;

/**
 * Adds a skill, unless it is here. It keeps its id, by which chats and assistants of the export name it. Its texts may be
 * anybody's: it is imported.
 * @returns `skipped` for what is no skill, and above the limit
 */
export async function addExportedSkill(
  db: Db,
  userId: string,
  value: unknown,
  findFile: FindFile,
): Promise<keyof Counts> {
  const { data: nested } = Nested.safeParse(value);
  const given = readRow(value);
  if (!nested || given.name === undefined || given.description === undefined || given.body === undefined)
    return 'skipped';
  const id = Id.safeParse(nested.id).data ?? derivedId('import-skill', userId, nested.id);
  const row = { ...given, body: given.body, userId, id, isImported: true };
  const text = { row, name: given.name, knownIds: [id], versions: nested.versions.map(readVersion) };
  return addText(db, SKILLS, text, (tx) => addFiles(tx, row, nested.files, findFile));
}

/** Without those whose bytes did not come along. Its times stay those of the export. */
async function addFiles(
  tx: Tx,
  { userId, id, updatedAt }: { userId: string; id: string; updatedAt?: string },
  given: readonly unknown[],
  findFile: FindFile,
): Promise<void> {
  const named = given.flatMap((value) => {
    const { data } = NestedFile.safeParse(value);
    const fileId = data && findFile(data.fileId)?.fileId;
    return data && fileId !== undefined ? [{ path: data.path, fileId }] : [];
  });
  if (named.length === 0) return;
  const isOne = and(
    eq(files.userId, userId),
    isAmong(
      files.id,
      named.map(({ fileId }) => fileId),
    ),
  );
  const sizes = new Map(
    (await tx.select({ id: files.id, bytes: files.bytes }).from(files).where(isOne)).map((one) => [one.id, one.bytes]),
  );
  const wanted = named.map((file): KeptFile => ({ ...file, bytes: sizes.get(file.fileId) ?? 0 }));
  await setSkillFiles(tx, userId, id, wanted);
  if (updatedAt !== undefined)
    await tx
      .update(skills)
      .set({ updatedAt })
      .where(and(eq(skills.userId, userId), eq(skills.id, id)));
}
