// Tests of this room: tests/integration/prompts.

// Reading prompts: a person's own, and those that others share.
import type { Db, Query } from '@parley/db/client';
import { promptMarks, prompts, promptVersions } from '@parley/db/tables/prompts';
import { users } from '@parley/db/tables/users';
import type { Prompt, PromptHead, PromptVersion } from '@parley/schema/prompts/prompt-rules';
import type { AnyPromptRef } from '@parley/schema/prompts/prompts';
import { isActive } from '@parley/db/user-rows';
import { and, asc, desc, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { isVersionOfText, presentHead, PROMPTS } from '../texts/texts.ts';

/** How many prompts of others a list has: the first by title. */
const SHARED_MAX = 2000;

const head = {
  ownerId: prompts.userId,
  id: prompts.id,
  command: prompts.command,
  title: prompts.title,
  tags: prompts.tags,
  isShared: prompts.isShared,
  updatedAt: prompts.updatedAt,
  ownerName: users.name,
  isFavorite: sql<boolean>`coalesce(${promptMarks.isFavorite}, false)`,
  uses: sql<number>`coalesce(${promptMarks.uses}, 0)`,
};

/** Lent to others while the account of its owner is active. */
const isShared = and(prompts.isShared, isActive);

/** Without their texts: own ones, then those of others, each with favourites and the most used first. */
export async function listPrompts({ query }: Db, userId: string): Promise<PromptHead[]> {
  const order = [
    sql`coalesce(${promptMarks.isFavorite}, false) desc`,
    sql`coalesce(${promptMarks.uses}, 0) desc`,
    asc(sql`lower(${prompts.title})`),
    asc(prompts.id),
  ];
  const own = select(query, userId, eq(prompts.userId, userId)).orderBy(...order);
  const isOfAnother = and(sql`${prompts.userId} <> ${userId}`, isShared);
  const shared = select(query, userId, isOfAnother)
    .orderBy(...order)
    .limit(SHARED_MAX);
  return (await Promise.all([own, shared])).flat().map((row) => presentHead(row, userId));
}

/** @throws Refusal `not_found` for one that is neither the person's own nor shared */
export async function readPrompt({ query }: Db, userId: string, { ownerId, id }: AnyPromptRef): Promise<Prompt> {
  const mayRead = or(eq(prompts.userId, userId), isShared);
  const [row] = await query
    .select({ ...head, body: prompts.body, presetId: prompts.presetId, tools: prompts.tools, version: prompts.version })
    .from(prompts)
    .innerJoin(users, eq(users.id, prompts.userId))
    .leftJoin(promptMarks, ofReader(userId))
    .where(and(eq(prompts.userId, ownerId), eq(prompts.id, id), isNull(prompts.deletedAt), mayRead));
  return row ? presentHead(row, userId) : refuse({ type: 'not_found', what: 'prompt' });
}

/** The newest first; none for a prompt of another. */
export async function listVersions({ query }: Db, userId: string, id: string): Promise<PromptVersion[]> {
  const rows = await query
    .select()
    .from(promptVersions)
    .where(isVersionOfText(PROMPTS, userId, id))
    .orderBy(desc(promptVersions.n));
  return rows.map(({ n, title, body, createdAt }) => ({ n, title, body, createdAt: isoTime(createdAt) }));
}

function select(query: Query, userId: string, which: SQL | undefined) {
  return query
    .select(head)
    .from(prompts)
    .innerJoin(users, eq(users.id, prompts.userId))
    .leftJoin(promptMarks, ofReader(userId))
    .where(and(isNull(prompts.deletedAt), which));
}

function ofReader(userId: string) {
  return and(
    eq(promptMarks.userId, userId),
    eq(promptMarks.ownerId, prompts.userId),
    eq(promptMarks.promptId, prompts.id),
  );
}
