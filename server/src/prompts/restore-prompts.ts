// Prompts of an export of everything, with their versions and how their owner uses them.
import type { Db, Tx } from '@parley/db/client';
import { promptMarks, prompts, promptVersions } from '@parley/db/tables/prompts';
import { lockUser } from '@parley/db/user-rows';
import { exportedRow, rowReader } from '@parley/db/travelling';
import { Id } from '@parley/schema/ids';
import { PROMPT_VERSIONS_MAX } from '@parley/schema/prompts/prompt-rules';
import { PromptFields } from '@parley/schema/prompts/prompts';
import type { Counts } from '@parley/schema/transfer/results';
import { and, asc, eq, gt, inArray, or } from 'drizzle-orm';
import * as z from 'zod';
import { derivedId } from '../platform/derived-id.ts';
import { Refusal } from '../platform/errors.ts';
import { assertRoom, freeCommand, present } from './save-prompt.ts';

/** One may have fifty versions of its text. */
const READ_AT_ONCE = 20;

const { command, title, body, tags, tools } = PromptFields.shape;
const readPrompt = rowReader(
  'prompts',
  { command, title, body, tags: tags.unwrap(), tools: tools.unwrap(), version: z.int().min(1).max(1_000_000) },
  ['id', 'presetId'],
);
const readVersion = rowReader('promptVersions', { n: z.int().min(1).max(1_000_000), title, body }, ['promptId']);
const readMark = rowReader('promptMarks', { uses: z.int().min(0).max(1_000_000_000) }, ['promptId']);

const Nested = z.object({
  id: z.string().min(1).max(256),
  presetId: z.string().max(256).nullable().catch(null),
  versions: z.array(z.unknown()).max(PROMPT_VERSIONS_MAX).catch([]),
  mark: z.unknown().optional(),
});

/** Each of a person's own that is not in the trash, as `addExportedPrompt` reads it. */
export async function* exportedPrompts({ query }: Db, userId: string): AsyncGenerator<object> {
  let after: string | undefined;
  do {
    const rows = await query
      .select()
      .from(prompts)
      .where(and(present(userId), after === undefined ? undefined : gt(prompts.id, after)))
      .orderBy(asc(prompts.id))
      .limit(READ_AT_ONCE);
    const ids = rows.map(({ id }) => id);
    const isOfThese = and(eq(promptVersions.userId, userId), inArray(promptVersions.promptId, ids));
    const versions = await query.select().from(promptVersions).where(isOfThese).orderBy(asc(promptVersions.n));
    const isMine = and(eq(promptMarks.userId, userId), eq(promptMarks.ownerId, userId));
    const marks = await query
      .select()
      .from(promptMarks)
      .where(and(isMine, inArray(promptMarks.promptId, ids)));
    for (const row of rows) {
      const mark = marks.find(({ promptId }) => promptId === row.id);
      yield {
        ...exportedRow('prompts', row),
        versions: versions
          .filter(({ promptId }) => promptId === row.id)
          .map((version) => exportedRow('promptVersions', version)),
        ...(mark && { mark: exportedRow('promptMarks', mark) }),
      };
    }
    after = rows.length < READ_AT_ONCE ? undefined : rows.at(-1)?.id;
  } while (after !== undefined);
}

/**
 * Adds a prompt, unless it is here: by its id, also in the trash, or by command and text. A command that is taken gets a
 * number. `presetOf` finds a preset here by its id in the export. It is shared only where `isShared` says so.
 * @returns `skipped` for what is no prompt, and above the limit
 */
export async function addExportedPrompt(
  { query }: Db,
  userId: string,
  value: unknown,
  presetOf: (id: string) => string | undefined,
  isShared = false,
): Promise<keyof Counts> {
  const { data: nested } = Nested.safeParse(value);
  const given = readPrompt(value);
  if (!nested || given.command === undefined || given.title === undefined || given.body === undefined) return 'skipped';
  const own = Id.safeParse(nested.id).data;
  const id = derivedId('import-prompt', userId, own ?? nested.id);
  const row = { ...given, command: given.command, title: given.title, body: given.body, userId, id };
  try {
    return await query.transaction(async (tx) => {
      await lockUser(tx, userId);
      const isSame = and(present(userId), eq(prompts.command, row.command), eq(prompts.body, row.body));
      const isKnown = and(eq(prompts.userId, userId), inArray(prompts.id, own === undefined ? [id] : [own, id]));
      const known = await tx.select({ id: prompts.id }).from(prompts).where(or(isSame, isKnown)).limit(1);
      if (known.length > 0) return 'present';
      const rows = await tx.select({ command: prompts.command }).from(prompts).where(present(userId));
      const free = freeCommand(row.command, new Set(rows.map((one) => one.command)));
      const presetId = (nested.presetId === null ? undefined : presetOf(nested.presetId)) ?? null;
      await tx.insert(prompts).values({ ...row, command: free, presetId, isShared });
      await assertRoom(tx, userId);
      await addVersions(tx, row, nested.versions);
      const mark = readMark(nested.mark);
      if (Object.keys(mark).length > 0)
        await tx.insert(promptMarks).values({ ...mark, userId, ownerId: userId, promptId: id });
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
  { userId, id: promptId, title, body, version = 1 }: typeof prompts.$inferInsert,
  given: readonly unknown[],
): Promise<void> {
  const versions = given.map(readVersion).flatMap(({ n, title: called, body: said, ...others }) => {
    if (n === undefined || n >= version || called === undefined || said === undefined) return [];
    return [{ ...others, userId, promptId, n, title: called, body: said }];
  });
  const newest = given.map(readVersion).find(({ n }) => n === version);
  await tx
    .insert(promptVersions)
    .values([...versions, { ...newest, userId, promptId, n: version, title, body }])
    .onConflictDoNothing();
}
