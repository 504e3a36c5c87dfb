// Changing skills: each save of a name, a description or instructions is a version.
import type { Db, Tx } from '@parley/db/client';
import { skillVersions } from '@parley/db/tables/automation/skills';
import type { Skill } from '@parley/schema/skills/skill-rules';
import type { SaveSkill } from '@parley/schema/skills/skills';
import { and, eq } from 'drizzle-orm';
import { endUses } from '../files/attach-files.ts';
import { refuse } from '../platform/errors.ts';
import { purgeText } from '../texts/remove-text.ts';
import { saveText } from '../texts/save-text.ts';
import { isVersionOfText, SKILLS } from '../texts/texts.ts';
import { readSkill } from './list-skills.ts';

/** What was imported stays so. @throws Refusal `conflict` for a name that is taken and when there are too many */
export async function saveSkill(db: Db, userId: string, input: SaveSkill): Promise<Skill> {
  await saveText(db, SKILLS, userId, input);
  return readSkill(db, userId, { ownerId: userId, id: input.id });
}

/** @throws Refusal `not_found` for a version that is not there; `conflict` for a name that is taken meanwhile */
export async function restoreVersion(db: Db, userId: string, id: string, n: number): Promise<Skill> {
  const isIt = and(isVersionOfText(SKILLS, userId, id), eq(skillVersions.n, n));
  const [version] = await db.query.select().from(skillVersions).where(isIt);
  if (!version) return refuse({ type: 'not_found', what: 'skill' });
  await readSkill(db, userId, { ownerId: userId, id });
  const { name, description, body } = version;
  return saveSkill(db, userId, { id, name, description, body });
}

/** Deletes it permanently, with its versions; its files go unless something else uses them. */
export async function purgeSkill(tx: Tx, userId: string, deletionId: string): Promise<void> {
  for (const { id } of await purgeText(tx, SKILLS, userId, deletionId))
    await endUses(tx, userId, { kind: 'skill', ref: id });
}
