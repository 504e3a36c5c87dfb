// Skills of an export of everything, with their versions and the names of their files.
import { skillFiles, skills, skillVersions } from '@parley/db/tables/automation/skills';
import type { Db, Tx } from '@parley/db/client';
import { files } from '@parley/db/tables/files';
import { exportedRow, rowReader } from '@parley/db/travelling';
import { lockUser } from '@parley/db/user-rows';
import { Id } from '@parley/schema/ids';
import { SKILL_FILES_MAX, SKILL_VERSIONS_MAX } from '@parley/schema/skills/skill-rules';
import { SkillFields, SkillPath } from '@parley/schema/skills/skills';
import type { Counts } from '@parley/schema/transfer/results';
import { and, asc, eq, gt, inArray, or } from 'drizzle-orm';
import * as z from 'zod';
import { isAmong } from '../convos/rows.ts';
import { derivedId } from '../platform/derived-id.ts';
import { Refusal } from '../platform/errors.ts';
import { present } from './list-skills.ts';
import { assertRoom, findFreeName } from './save-skill.ts';
import { setSkillFiles, type KeptFile } from './skill-files.ts';

/** One may have twenty versions of its text. */
const READ_AT_ONCE = 10;

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
export async function* exportedSkills({ query }: Db, userId: string): AsyncGenerator<object> {
  let after: string | undefined;
  do {
    const rows = await query
      .select()
      .from(skills)
      .where(and(present(userId), after === undefined ? undefined : gt(skills.id, after)))
      .orderBy(asc(skills.id))
      .limit(READ_AT_ONCE);
    const ids = rows.map(({ id }) => id);
    const isOfThese = and(eq(skillVersions.userId, userId), inArray(skillVersions.skillId, ids));
    const versions = await query.select().from(skillVersions).where(isOfThese).orderBy(asc(skillVersions.n));
    const isFileOfThese = and(eq(skillFiles.userId, userId), inArray(skillFiles.skillId, ids));
    const beside = await query.select().from(skillFiles).where(isFileOfThese).orderBy(asc(skillFiles.path));
    for (const row of rows)
      yield {
        ...exportedRow('skills', row),
        versions: versions
          .filter(({ skillId }) => skillId === row.id)
          .map((version) => exportedRow('skillVersions', version)),
        files: beside.filter(({ skillId }) => skillId === row.id).map((file) => exportedRow('skillFiles', file)),
      };
    after = rows.length < READ_AT_ONCE ? undefined : rows.at(-1)?.id;
  } while (after !== undefined);
}

/** Finds a file here by its id in the export. */
type FindFile = (id: string) => { fileId: string } | undefined;

/**
 * Adds a skill, unless it is here: by its id, also in the trash, or by name and text. It keeps its id, by which chats and
 * assistants of the export name it. A name that is taken gets a number. Its texts may be anybody's: it is imported.
 * @returns `skipped` for what is no skill, and above the limit
 */
export async function addExportedSkill(
  { query }: Db,
  userId: string,
  value: unknown,
  findFile: FindFile,
): Promise<keyof Counts> {
  const { data: nested } = Nested.safeParse(value);
  const given = readRow(value);
  if (!nested || given.name === undefined || given.description === undefined || given.body === undefined)
    return 'skipped';
  const id = Id.safeParse(nested.id).data ?? derivedId('import-skill', userId, nested.id);
  const row = { ...given, name: given.name, description: given.description, body: given.body, userId, id };
  try {
    return await query.transaction(async (tx) => {
      await lockUser(tx, userId);
      const isSame = and(present(userId), eq(skills.name, row.name), eq(skills.body, row.body));
      const isKnown = and(eq(skills.userId, userId), eq(skills.id, id));
      const known = await tx.select({ id: skills.id }).from(skills).where(or(isSame, isKnown)).limit(1);
      if (known.length > 0) return 'present';
      const free = await findFreeName(tx, userId, id, row.name);
      await tx.insert(skills).values({ ...row, name: free, isImported: true });
      await assertRoom(tx, userId);
      await addVersions(tx, row, nested.versions);
      await addFiles(tx, row, nested.files, findFile);
      return 'imported';
    });
  } catch (error) {
    if (error instanceof Refusal) return 'skipped';
    throw error;
  }
}

/** Those of the file, and the present text, which is a version in any case. */
async function addVersions(
  tx: Tx,
  { userId, id: skillId, name: called, description: about, body: said, version = 1 }: typeof skills.$inferInsert,
  given: readonly unknown[],
): Promise<void> {
  const read = given.map(readVersion);
  const versions = read.flatMap(({ n: number, name: one, description: what, body: text, ...others }) => {
    if (number === undefined || number >= version) return [];
    if (one === undefined || what === undefined || text === undefined) return [];
    return [{ ...others, userId, skillId, n: number, name: one, description: what, body: text }];
  });
  const newest = read.find((one) => one.n === version);
  const now = { ...newest, userId, skillId, n: version, name: called, description: about, body: said };
  await tx
    .insert(skillVersions)
    .values([...versions, now])
    .onConflictDoNothing();
}

/** Without those whose bytes did not come along. Its times stay those of the export. */
async function addFiles(
  tx: Tx,
  { userId, id, updatedAt }: typeof skills.$inferInsert,
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
