// Changing prompts: each save of a title or a text is a version.
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { deletions } from '@parley/db/tables/deletions';
import { promptMarks, prompts, promptVersions } from '@parley/db/tables/prompts';
import { lockUser } from '@parley/db/user-rows';
import { PROMPTS_MAX, PROMPT_VERSIONS_MAX, type Prompt } from '@parley/schema/prompts/prompt-rules';
import type { AnyPromptRef, PromptFile, SavePrompt } from '@parley/schema/prompts/prompts';
import type { belongings } from '@parley/schema/transfer/register/belongings';
import type { TravellingAlone } from '@parley/schema/transfer/register/places';
import { and, count, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { readPrompt } from './list-prompts.ts';

// A column of the file of prompts that could not be imported again does not compile here.
((it) => it) satisfies (it: TravellingAlone<typeof belongings.prompts.columns>) => keyof PromptFile['prompts'][number];

/**
 * Of two browsers that save one prompt the later wins, and both texts are versions.
 * @throws Refusal `conflict` for a command that is taken and when there are too many
 */
export async function savePrompt(db: Db, userId: string, input: SavePrompt): Promise<Prompt> {
  await db.query.transaction(async (tx) => {
    await lockUser(tx, userId);
    await put(tx, userId, input);
  });
  return readPrompt(db, userId, { ownerId: userId, id: input.id });
}

/**
 * Adds all prompts of a file, or none. A command that is taken gets a number.
 * @throws Refusal `conflict` when there are too many
 */
export async function importPrompts({ query }: Db, userId: string, { prompts: given }: PromptFile): Promise<number> {
  return query.transaction(async (tx) => {
    await lockUser(tx, userId);
    const rows = await tx.select({ command: prompts.command }).from(prompts).where(present(userId));
    const taken = new Set(rows.map(({ command }) => command));
    const added = given.map((prompt) => {
      const command = freeCommand(prompt.command, taken);
      taken.add(command);
      return { ...prompt, command, userId, id: randomUUID() };
    });
    if (added.length === 0) return 0;
    await tx.insert(prompts).values(added);
    await assertRoom(tx, userId);
    await tx
      .insert(promptVersions)
      .values(added.map(({ id, title, body }) => ({ userId, promptId: id, n: 1, title, body })));
    return given.length;
  });
}

/** @throws Refusal `not_found` for a version that is not there */
export async function restoreVersion(db: Db, userId: string, id: string, n: number): Promise<Prompt> {
  const key = { userId, promptId: id, n };
  const [version] = await db.query.select().from(promptVersions).where(sameVersion(key));
  if (!version) refuse({ type: 'not_found', what: 'prompt' });
  const { command, tags, presetId, tools } = await readPrompt(db, userId, { ownerId: userId, id });
  const { title, body } = version;
  return savePrompt(db, userId, { id, command, tags, presetId, tools, title, body });
}

/** Shows it to everybody on this server, or to nobody else. */
export async function sharePrompt({ query }: Db, userId: string, id: string, isShared: boolean): Promise<void> {
  const changed = await query
    .update(prompts)
    .set({ isShared })
    .where(and(present(userId), eq(prompts.id, id)))
    .returning({ id: prompts.id });
  if (changed.length === 0) refuse({ type: 'not_found', what: 'prompt' });
}

interface Mark {
  isFavorite?: boolean | undefined;
  isUsed?: boolean | undefined;
}

/** Notes that this person likes a prompt, or inserted it. @throws Refusal `not_found` */
export async function markPrompt(db: Db, userId: string, ref: AnyPromptRef, { isFavorite, isUsed }: Mark) {
  await readPrompt(db, userId, ref);
  const uses = isUsed ? 1 : 0;
  await db.query
    .insert(promptMarks)
    .values({ userId, ownerId: ref.ownerId, promptId: ref.id, isFavorite: isFavorite ?? false, uses })
    .onConflictDoUpdate({
      target: [promptMarks.userId, promptMarks.ownerId, promptMarks.promptId],
      set: { uses: sql`${promptMarks.uses} + ${uses}`, ...(isFavorite !== undefined && { isFavorite }) },
    });
}

/** The caller holds the lock of the user. */
async function put(tx: Tx, userId: string, { id, command, title, body, ...others }: SavePrompt): Promise<void> {
  const same = await tx
    .select({ id: prompts.id, deletionId: prompts.deletionId })
    .from(prompts)
    .where(or(and(present(userId), eq(prompts.command, command)), and(eq(prompts.userId, userId), eq(prompts.id, id))));
  if (same.some((row) => row.id !== id))
    refuse({ type: 'conflict', text: `You have a prompt with the command /${command} already` });
  const isChanged = sql`(${prompts.title}, ${prompts.body}) is distinct from (${title}::text, ${body}::text)`;
  const [row] = await tx
    .insert(prompts)
    .values({ userId, id, command, title, body, ...others })
    .onConflictDoUpdate({
      target: [prompts.userId, prompts.id],
      set: {
        command,
        title,
        body,
        ...others,
        deletedAt: null,
        deletionId: null,
        updatedAt: sql`now()`,
        version: sql`${prompts.version} + case when ${isChanged} then 1 else 0 end`,
      },
    })
    .returning({ n: prompts.version });
  await assertRoom(tx, userId);
  // Saved after it was deleted elsewhere, it is not in the trash any more.
  for (const { deletionId } of same)
    if (deletionId) await tx.delete(deletions).where(and(eq(deletions.userId, userId), eq(deletions.id, deletionId)));
  if (!row) return;
  const { n } = row;
  await tx.insert(promptVersions).values({ userId, promptId: id, n, title, body }).onConflictDoNothing();
  const isOld = lte(promptVersions.n, n - PROMPT_VERSIONS_MAX);
  await tx.delete(promptVersions).where(and(eq(promptVersions.userId, userId), eq(promptVersions.promptId, id), isOld));
}

/** @throws Refusal `conflict` when there are too many */
export async function assertRoom(tx: Tx, userId: string): Promise<void> {
  const [all] = await tx.select({ count: count() }).from(prompts).where(present(userId));
  if (all && all.count > PROMPTS_MAX)
    refuse({ type: 'conflict', text: `There is room for ${PROMPTS_MAX} prompts. Please delete some first.` });
}

/** The wanted one, or the first number of it that is free. */
export function freeCommand(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let n = 2; ; n++) {
    const end = `-${n}`;
    const command = `${wanted.slice(0, 64 - end.length)}${end}`;
    if (!taken.has(command)) return command;
  }
}

/** Those that are not in the trash. */
export function present(userId: string) {
  return and(eq(prompts.userId, userId), isNull(prompts.deletedAt));
}

function sameVersion({ userId, promptId, n }: { userId: string; promptId: string; n: number }) {
  return and(eq(promptVersions.userId, userId), eq(promptVersions.promptId, promptId), eq(promptVersions.n, n));
}
