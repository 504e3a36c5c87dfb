// Which skills an answer may use: the person's own, those that others share with everybody, those of an assistant that its
// owner lends, and those of a project that its owner shares.
import type { Query } from '@parley/db/client';
import { skillFiles, skills } from '@parley/db/tables/automation/skills';
import { files } from '@parley/db/tables/files';
import { users } from '@parley/db/tables/users';
import { Id } from '@parley/schema/ids';
import { readSkillKey, SKILLS_OFFERED_MAX } from '@parley/schema/skills/skill-rules';
import { and, asc, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { isAmong } from '../convos/rows.ts';
import { hasToolOfSharedFolder } from '../folders/source-folder.ts';
import type { Chosen } from '../tools/tool.ts';
import { freeName } from '../texts/texts.ts';
import { isShared } from './list-skills.ts';

export interface Choosing extends Pick<Chosen, 'userId' | 'convoId' | 'keys' | 'lender'> {
  /** Where a conversation begins that is not written yet. */
  folderId?: string | null;
}

export interface UsableSkill {
  key: string;
  ownerId: string;
  id: string;
  /** No other skill of the answer has it. */
  name: string;
  description: string;
  /** Whether the person who is answered has written it here. */
  isOwnWord: boolean;
}

/** Keys of skills, in the order in which they were chosen, as many as an answer is offered. */
export function skillKeysIn({ keys }: Pick<Choosing, 'keys'>): string[] {
  return [...new Set(keys)].filter((key) => readSkillKey(key) !== null).slice(0, SKILLS_OFFERED_MAX);
}

const Rows = z.array(
  z.object({ ownerId: z.string(), id: z.string(), name: z.string(), description: z.string(), isImported: z.boolean() }),
);

/** What `findUsable` reads, for a statement that is sent anyway; null where no skill is chosen. */
export function usableRows(choosing: Choosing): SQL | null {
  const keys = skillKeysIn(choosing);
  if (keys.length === 0) return null;
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('ownerId', ${skills.userId}, 'id', ${skills.id}, 'name', ${skills.name},
      'description', ${skills.description}, 'isImported', ${skills.isImported})), '[]'::jsonb)
    from ${skills} join ${users} on ${users.id} = ${skills.userId}
    where ${skills.deletedAt} is null and ${mayUse(choosing, keys)})`;
}

/**
 * In one statement; in none where no skill is chosen, or `read` has the rows already. Those that are gone, or lent no
 * more, are left out.
 */
export async function findUsable(query: Query, choosing: Choosing, read?: unknown): Promise<UsableSkill[]> {
  const keys = skillKeysIn(choosing);
  if (keys.length === 0) return [];
  const rows = Rows.safeParse(read).data ?? (await readRows(query, choosing, keys));
  const { userId } = choosing;
  const lenderOf = lenders(choosing);
  const taken = new Set<string>();
  return keys.flatMap((key) => {
    const ref = readSkillKey(key);
    const ownerId = ref?.ownerId ?? lenderOf(key);
    const known = rows.filter(({ id }) => id === ref?.id);
    // Of two with one id the person's own comes before that of the project.
    const own = known.find((row) => row.ownerId === (ownerId ?? userId));
    const row = own ?? (ownerId === null ? known.find((one) => one.ownerId !== userId) : undefined);
    if (!row) return [];
    const name = freeName(row.name, taken);
    taken.add(name);
    return [{ ...row, key, name, isOwnWord: row.ownerId === userId && !row.isImported }];
  });
}

async function readRows(query: Query, choosing: Choosing, keys: readonly string[]): Promise<z.infer<typeof Rows>> {
  return query
    .select({
      ownerId: skills.userId,
      id: skills.id,
      name: skills.name,
      description: skills.description,
      isImported: skills.isImported,
    })
    .from(skills)
    .innerJoin(users, eq(users.id, skills.userId))
    .where(and(isNull(skills.deletedAt), mayUse(choosing, keys)));
}

/** Whose the skill of a key is, where an assistant lends it. */
function lenders({ lender }: Choosing): (key: string) => string | null {
  return (key) => (lender?.keys.includes(key) ? lender.userId : null);
}

function mayUse(choosing: Choosing, keys: readonly string[]): SQL | undefined {
  const { userId, convoId, folderId, lender } = choosing;
  const lenderOf = lenders(choosing);
  const refs = keys.flatMap((key) => {
    const ref = readSkillKey(key);
    return ref ? [{ ...ref, key }] : [];
  });
  const shared = refs.filter(({ ownerId }) => ownerId !== null);
  const bare = refs.filter(({ ownerId }) => ownerId === null);
  const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);
  const lent = idsOf(bare.filter(({ key }) => lenderOf(key) !== null));
  const plain = idsOf(bare.filter(({ key }) => lenderOf(key) === null));
  const owners = sql.param(shared.map(({ ownerId }) => ownerId));
  const isNamed = sql`(${skills.userId}, ${skills.id}) in (
    select * from unnest(${owners}::uuid[], ${sql.param(idsOf(shared))}::uuid[]))`;
  const isOfFolder = hasToolOfSharedFolder(userId, convoId, {
    folderId,
    ownerId: skills.userId,
    key: sql`'skill:' || ${skills.id}`,
  });
  return or(
    and(eq(skills.userId, userId), isAmong(skills.id, plain)),
    shared.length > 0 ? and(isShared(), isNamed) : undefined,
    lender && lent.length > 0 ? and(eq(skills.userId, lender.userId), isAmong(skills.id, lent)) : undefined,
    plain.length > 0 && Id.safeParse(convoId).success ? and(isAmong(skills.id, plain), isOfFolder) : undefined,
  );
}

/** The skill as it may be used at this moment, with its instructions; null where it is gone, or lent no more. */
export async function readUsable(query: Query, choosing: Choosing, key: string) {
  const [found] = await findUsable(query, { ...choosing, keys: [key] });
  if (!found || (lenders(choosing)(key) !== null && !(await choosing.lender?.isLending()))) return null;
  const isIt = and(eq(skills.userId, found.ownerId), eq(skills.id, found.id), isNull(skills.deletedAt));
  const [row] = await query.select({ body: skills.body }).from(skills).where(isIt);
  return row ? { ...found, body: row.body } : null;
}

/** A file of a skill, for the code interpreter. */
export interface LentSkillFile {
  ownerId: string;
  fileId: string;
  /** Below the folder of all skills: `<name>/<path>`. */
  path: string;
}

/** All files of the skills that an answer may use at this moment. */
export async function findUsableFiles(query: Query, choosing: Choosing): Promise<LentSkillFile[]> {
  const all = await findUsable(query, choosing);
  const lenderOf = lenders(choosing);
  const isLending = all.some(({ key }) => lenderOf(key) !== null) && (await choosing.lender?.isLending());
  const usable = all.filter(({ key }) => lenderOf(key) === null || isLending);
  if (usable.length === 0) return [];
  const owners = sql.param(usable.map(({ ownerId }) => ownerId));
  const ids = sql.param(usable.map(({ id }) => id));
  const isOne = sql`(${skillFiles.userId}, ${skillFiles.skillId}) in (
    select * from unnest(${owners}::uuid[], ${ids}::uuid[]))`;
  const rows = await query
    .select({ ownerId: skillFiles.userId, id: skillFiles.skillId, path: skillFiles.path, fileId: files.id })
    .from(skillFiles)
    .innerJoin(files, and(eq(files.userId, skillFiles.userId), eq(files.id, skillFiles.fileId)))
    .where(isOne)
    .orderBy(asc(skillFiles.path));
  return usable.flatMap(({ ownerId, id, name }) =>
    rows
      .filter((row) => row.ownerId === ownerId && row.id === id)
      .map(({ path, fileId }) => ({ ownerId, fileId, path: `${name}/${path}` })),
  );
}
