// Changing prompts: each save of a title or a text is a version.
import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import { promptMarks, prompts, promptVersions } from '@parley/db/tables/prompts';
import { withUserLock } from '@parley/db/user-rows';
import type { Prompt } from '@parley/schema/prompts/prompt-rules';
import type { AnyPromptRef, PromptFile, SavePrompt } from '@parley/schema/prompts/prompts';
import type { belongings } from '@parley/schema/transfer/register/belongings';
import type { TravellingAlone } from '@parley/schema/transfer/register/places';
import { and, eq, sql } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { saveText } from '../texts/save-text.ts';
import { assertRoom, freeName, isVersionOfText, keptTexts, PROMPTS } from '../texts/texts.ts';
import { readPrompt } from './list-prompts.ts';

// A column of the file of prompts that could not be imported again does not compile here.
((it) => it) satisfies (it: TravellingAlone<typeof belongings.prompts.columns>) => keyof PromptFile['prompts'][number];

/** @throws Refusal `conflict` for a command that is taken and when there are too many */
export async function savePrompt(db: Db, userId: string, input: SavePrompt): Promise<Prompt> {
  await saveText(db, PROMPTS, userId, input);
  return readPrompt(db, userId, { ownerId: userId, id: input.id });
}

/**
 * Adds all prompts of a file, or none. A command that is taken gets a number.
 * @throws Refusal `conflict` when there are too many
 */
export async function importPrompts({ query }: Db, userId: string, { prompts: given }: PromptFile): Promise<number> {
  return withUserLock(query, userId, async (tx) => {
    const rows = await tx.select({ command: prompts.command }).from(prompts).where(keptTexts(PROMPTS, userId));
    const taken = new Set(rows.map(({ command }) => command));
    const added = given.map((prompt) => {
      const command = freeName(prompt.command, taken);
      taken.add(command);
      return { ...prompt, command, userId, id: randomUUID() };
    });
    if (added.length === 0) return 0;
    await tx.insert(prompts).values(added);
    await assertRoom(tx, PROMPTS, userId);
    await tx
      .insert(promptVersions)
      .values(added.map(({ id, title, body }) => ({ userId, promptId: id, n: 1, title, body })));
    return given.length;
  });
}

/** @throws Refusal `not_found` for a version that is not there */
export async function restoreVersion(db: Db, userId: string, id: string, n: number): Promise<Prompt> {
  const isIt = and(isVersionOfText(PROMPTS, userId, id), eq(promptVersions.n, n));
  const [version] = await db.query.select().from(promptVersions).where(isIt);
  if (!version) refuse({ type: 'not_found', what: 'prompt' });
  const { command, tags, presetId, tools } = await readPrompt(db, userId, { ownerId: userId, id });
  const { title, body } = version;
  return savePrompt(db, userId, { id, command, tags, presetId, tools, title, body });
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
