// The files beside `SKILL.md`: kept like all files of a person, so that their quota and the operator's scanner see them.
import type { Tx } from '@parley/db/client';
import { skillFiles, skills } from '@parley/db/tables/automation/skills';
import { withUserLock } from '@parley/db/user-rows';
import {
  collidingPath,
  foldedPath,
  SKILL_BYTES_MAX,
  SKILL_FILES_MAX,
  type Skill,
} from '@parley/schema/skills/skill-rules';
import type { PutSkillFile, SkillFileRef } from '@parley/schema/skills/skills';
import { and, eq, sql } from 'drizzle-orm';
import { addUses, endUses } from '../files/attach-files.ts';
import { detectType } from '../files/detect-type.ts';
import { createFileSaver, saveFile, type FileSaverDeps } from '../files/save-file.ts';
import { refuse } from '../platform/errors.ts';
import { receive, withArrival } from '../storage/arrivals.ts';
import { keptText, SKILLS } from '../texts/texts.ts';
import { listSkillFiles, readSkill } from './list-skills.ts';

/** A file that is kept, and not yet a part of a skill. */
export interface KeptFile {
  path: string;
  fileId: string;
  bytes: number;
}

/** Keeps the bytes as a file without a use, which goes after an hour unless a skill takes it. @throws Refusal */
export function keepBytes(
  deps: FileSaverDeps,
  userId: string,
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<KeptFile> {
  return withArrival(deps.config, async (place) => {
    const arrived = await receive(chunks, place, SKILL_BYTES_MAX);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const mime = await detectType(place, name, '');
    // As what tools make: of any type, kept as it is, not indexed, and no word of the person.
    const file = { userId, name, mime, context: 'assistants_output', path: place, ...arrived } as const;
    const { id, bytes } = await saveFile(createFileSaver(deps), file);
    return { path, fileId: id, bytes };
  });
}

/** Adds the file to the person's own skill, or puts it in place of the one at its path. @throws Refusal */
export async function putSkillFile(
  deps: FileSaverDeps,
  userId: string,
  { id, path, content }: PutSkillFile,
): Promise<Skill> {
  const ref = { ownerId: userId, id };
  await assertOwn(deps, userId, id);
  const kept = await keepBytes(deps, userId, path, [Buffer.from(content, 'base64')]);
  await withUserLock(deps.db.query, userId, async (tx) => {
    const before = await listSkillFiles(tx, ref);
    const others = before.filter((one) => foldedPath(one.path) !== foldedPath(path));
    await setSkillFiles(tx, userId, id, [...others, kept]);
  });
  return readSkill(deps.db, userId, ref);
}

/** @throws Refusal `not_found` */
export async function removeSkillFile(
  { db }: Pick<FileSaverDeps, 'db'>,
  userId: string,
  { id, path }: SkillFileRef,
): Promise<Skill> {
  const ref = { ownerId: userId, id };
  await assertOwn({ db }, userId, id);
  await withUserLock(db.query, userId, async (tx) => {
    const before = await listSkillFiles(tx, ref);
    const others = before.filter((one) => one.path !== path);
    await setSkillFiles(tx, userId, id, others);
  });
  return readSkill(db, userId, ref);
}

/**
 * Makes these the files of the skill. The caller holds the lock of the user.
 * @throws Refusal `not_found` for a skill in the trash; `invalid_input` for too many, too large ones, and paths that hide each other
 */
export async function setSkillFiles(tx: Tx, userId: string, id: string, wanted: readonly KeptFile[]): Promise<void> {
  assertFits(wanted);
  const isIt = keptText(SKILLS, userId, id);
  const changed = await tx
    .update(skills)
    .set({ updatedAt: sql`now()` })
    .where(isIt)
    .returning({ id: skills.id });
  if (changed.length === 0) refuse({ type: 'not_found', what: 'skill' });
  await tx.delete(skillFiles).where(and(eq(skillFiles.userId, userId), eq(skillFiles.skillId, id)));
  const use = { kind: 'skill', ref: id } as const;
  const fileIds = wanted.map(({ fileId }) => fileId);
  await addUses(tx, userId, use, fileIds);
  if (wanted.length > 0)
    await tx.insert(skillFiles).values(wanted.map(({ path, fileId }) => ({ userId, skillId: id, path, fileId })));
  await endUses(tx, userId, { ...use, except: fileIds });
}

/** @throws Refusal `invalid_input` */
export function assertFits(wanted: readonly { path: string; bytes: number }[]): void {
  if (wanted.length > SKILL_FILES_MAX)
    refuse({ type: 'invalid_input', text: `A skill has at most ${SKILL_FILES_MAX} files.` });
  if (wanted.reduce((sum, { bytes }) => sum + bytes, 0) > SKILL_BYTES_MAX)
    refuse({ type: 'invalid_input', text: 'The files of a skill have at most 10 MB together.' });
  const hidden = collidingPath(wanted.map(({ path }) => path));
  if (hidden !== null) refuse({ type: 'invalid_input', text: `Another file is at ${hidden}, but for case.` });
}

async function assertOwn({ db }: Pick<FileSaverDeps, 'db'>, userId: string, id: string): Promise<void> {
  if ((await db.query.$count(skills, keptText(SKILLS, userId, id))) === 0) refuse({ type: 'not_found', what: 'skill' });
}
