// Tests of this room: tests/unit/skills, tests/integration/skills.

// Reading skills: a person's own, and those that others share.
import type { Db, Query } from '@parley/db/client';
import { skillFiles, skills, skillVersions } from '@parley/db/tables/automation/skills';
import { files } from '@parley/db/tables/files';
import { users } from '@parley/db/tables/users';
import { isActive } from '@parley/db/user-rows';
import { skillKey, type Skill, type SkillHead, type SkillVersion } from '@parley/schema/skills/skill-rules';
import type { AnySkillRef } from '@parley/schema/skills/skills';
import { and, asc, desc, eq, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { isVersionOfText, keptText, presentHead, SKILLS } from '../texts/texts.ts';

/** How many skills of others a list has: the first by name. */
const SHARED_MAX = 500;

const head = {
  ownerId: skills.userId,
  id: skills.id,
  name: skills.name,
  description: skills.description,
  isShared: skills.isShared,
  isImported: skills.isImported,
  updatedAt: skills.updatedAt,
  ownerName: users.name,
};

/** Lent to everybody while the account of its owner is active. */
export function isShared(): SQL | undefined {
  return and(skills.isShared, isActive);
}

/** Without their instructions: own ones, then those of others, each by name. */
export async function listSkills({ query }: Pick<Db, 'query'>, userId: string): Promise<SkillHead[]> {
  const order = [asc(skills.name), asc(skills.id)];
  const own = select(query, eq(skills.userId, userId)).orderBy(...order);
  const shared = select(query, and(ne(skills.userId, userId), isShared()))
    .orderBy(...order)
    .limit(SHARED_MAX);
  return (await Promise.all([own, shared])).flat().map((row) => withKey(row, userId));
}

/** @throws Refusal `not_found` for one that is neither the person's own nor shared */
export async function readSkill({ query }: Pick<Db, 'query'>, userId: string, ref: AnySkillRef): Promise<Skill> {
  const [row] = await query
    .select({ ...head, body: skills.body, version: skills.version })
    .from(skills)
    .innerJoin(users, eq(users.id, skills.userId))
    .where(and(keptText(SKILLS, ref.ownerId, ref.id), or(eq(skills.userId, userId), isShared())));
  if (!row) return refuse({ type: 'not_found', what: 'skill' });
  const found = await listSkillFiles(query, ref);
  return { ...withKey(row, userId), files: found.map(({ path, bytes }) => ({ path, bytes })) };
}

interface StoredSkillFile {
  path: string;
  fileId: string;
  bytes: number;
}

/** By their paths. */
export async function listSkillFiles(query: Query, { ownerId, id }: AnySkillRef): Promise<StoredSkillFile[]> {
  return query
    .select({ path: skillFiles.path, fileId: skillFiles.fileId, bytes: files.bytes })
    .from(skillFiles)
    .innerJoin(files, and(eq(files.userId, skillFiles.userId), eq(files.id, skillFiles.fileId)))
    .where(and(eq(skillFiles.userId, ownerId), eq(skillFiles.skillId, id)))
    .orderBy(sql`${skillFiles.path} collate "C"`);
}

/** The newest first; none for a skill of another. */
export async function listVersions({ query }: Db, userId: string, id: string): Promise<SkillVersion[]> {
  const rows = await query
    .select()
    .from(skillVersions)
    .where(isVersionOfText(SKILLS, userId, id))
    .orderBy(desc(skillVersions.n));
  return rows.map(({ n, name, description, body, createdAt }) => {
    return { n, name, description, body, createdAt: isoTime(createdAt) };
  });
}

function select(query: Query, which: SQL | undefined) {
  return query
    .select(head)
    .from(skills)
    .innerJoin(users, eq(users.id, skills.userId))
    .where(and(isNull(skills.deletedAt), which));
}

/** Named by its key where tools are chosen. */
function withKey<Row extends Parameters<typeof presentHead>[0] & { id: string }>(row: Row, userId: string) {
  const ownerId = row.ownerId === userId ? null : row.ownerId;
  return { ...presentHead(row, userId), key: skillKey({ ownerId, id: row.id }) };
}
