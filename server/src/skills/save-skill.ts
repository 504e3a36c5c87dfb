// Changing skills: each save of a name, a description or instructions is a version.
import type { Db, Tx } from '@parley/db/client';
import { skills, skillVersions } from '@parley/db/tables/automation/skills';
import { deletions } from '@parley/db/tables/deletions';
import { lockUser } from '@parley/db/user-rows';
import { SKILL_NAME_MAX, SKILL_VERSIONS_MAX, SKILLS_MAX, type Skill } from '@parley/schema/skills/skill-rules';
import type { SaveSkill } from '@parley/schema/skills/skills';
import { and, eq, lte, ne, or, sql } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { present, readSkill } from './list-skills.ts';

/**
 * Of two browsers that save one skill the later wins, and both texts are versions.
 * @throws Refusal `conflict` for a name that is taken and when there are too many
 */
export async function saveSkill(db: Db, userId: string, input: SaveSkill): Promise<Skill> {
  await db.query.transaction(async (tx) => {
    await lockUser(tx, userId);
    await putSkill(tx, userId, input);
  });
  return readSkill(db, userId, { ownerId: userId, id: input.id });
}

/** @throws Refusal `not_found` for a version that is not there; `conflict` for a name that is taken meanwhile */
export async function restoreVersion(db: Db, userId: string, id: string, n: number): Promise<Skill> {
  const isIt = and(eq(skillVersions.userId, userId), eq(skillVersions.skillId, id), eq(skillVersions.n, n));
  const [version] = await db.query.select().from(skillVersions).where(isIt);
  if (!version) return refuse({ type: 'not_found', what: 'skill' });
  await readSkill(db, userId, { ownerId: userId, id });
  const { name, description, body } = version;
  return saveSkill(db, userId, { id, name, description, body });
}

/** Lends it to everybody on this server, or to nobody. */
export async function shareSkill({ query }: Db, userId: string, id: string, isShared: boolean): Promise<void> {
  const changed = await query
    .update(skills)
    .set({ isShared })
    .where(and(present(userId), eq(skills.id, id)))
    .returning({ id: skills.id });
  if (changed.length === 0) refuse({ type: 'not_found', what: 'skill' });
}

/**
 * The caller holds the lock of the user. What was imported stays so.
 * @throws Refusal `conflict`
 */
export async function putSkill(
  tx: Tx,
  userId: string,
  { id, name, description, body, isImported = false }: SaveSkill & { isImported?: boolean },
): Promise<void> {
  const same = await tx
    .select({ id: skills.id, deletionId: skills.deletionId })
    .from(skills)
    .where(or(and(present(userId), eq(skills.name, name)), and(eq(skills.userId, userId), eq(skills.id, id))));
  if (same.some((row) => row.id !== id))
    refuse({ type: 'conflict', text: `You have a skill with the name ${name} already` });
  const before = sql`(${skills.name}, ${skills.description}, ${skills.body})`;
  const isChanged = sql`${before} is distinct from (${name}::text, ${description}::text, ${body}::text)`;
  const [row] = await tx
    .insert(skills)
    .values({ userId, id, name, description, body, isImported })
    .onConflictDoUpdate({
      target: [skills.userId, skills.id],
      set: {
        name,
        description,
        body,
        deletedAt: null,
        deletionId: null,
        updatedAt: sql`now()`,
        version: sql`${skills.version} + case when ${isChanged} then 1 else 0 end`,
      },
    })
    .returning({ n: skills.version });
  await assertRoom(tx, userId);
  // Saved after it was deleted elsewhere, it is not in the trash any more.
  for (const { deletionId } of same)
    if (deletionId) await tx.delete(deletions).where(and(eq(deletions.userId, userId), eq(deletions.id, deletionId)));
  if (!row) return;
  const { n } = row;
  await tx.insert(skillVersions).values({ userId, skillId: id, n, name, description, body }).onConflictDoNothing();
  const isOld = lte(skillVersions.n, n - SKILL_VERSIONS_MAX);
  await tx.delete(skillVersions).where(and(eq(skillVersions.userId, userId), eq(skillVersions.skillId, id), isOld));
}

/** @throws Refusal `conflict` when there are too many */
export async function assertRoom(tx: Tx, userId: string): Promise<void> {
  if ((await tx.$count(skills, present(userId))) > SKILLS_MAX)
    refuse({ type: 'conflict', text: `There is room for ${SKILLS_MAX} skills. Please delete some first.` });
}

/** The wanted one, or the first number of it that no other skill of the person has. */
export async function findFreeName(tx: Tx, userId: string, id: string, wanted: string): Promise<string> {
  const rows = await tx
    .select({ name: skills.name })
    .from(skills)
    .where(and(present(userId), ne(skills.id, id)));
  return freeName(wanted, new Set(rows.map(({ name }) => name)));
}

export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let n = 2; ; n++) {
    const end = `-${n}`;
    const name = `${wanted.slice(0, SKILL_NAME_MAX - end.length)}${end}`;
    if (!taken.has(name)) return name;
  }
}
