// Prompts of an export of everything, with their versions and how their owner uses them.
import type { Db } from '@parley/db/client';
import { promptMarks } from '@parley/db/tables/prompts';
import { exportedRow, rowReader } from '@parley/db/travelling';
import { Id } from '@parley/schema/ids';
import { PROMPT_VERSIONS_MAX } from '@parley/schema/prompts/prompt-rules';
import { PromptFields } from '@parley/schema/prompts/prompts';
import type { Counts } from '@parley/schema/transfer/results';
import { and, eq, inArray } from 'drizzle-orm';
import * as z from 'zod';
import { derivedId } from '../platform/derived-id.ts';
import { addText, exportedTexts } from '../texts/transfer-texts.ts';
import { PROMPTS } from '../texts/texts.ts';

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
export function exportedPrompts(db: Db, userId: string): AsyncGenerator<object> {
  const isMine = and(eq(promptMarks.userId, userId), eq(promptMarks.ownerId, userId));
  return exportedTexts(db, PROMPTS, userId, async (ids) => {
    const isOfThese = and(isMine, inArray(promptMarks.promptId, ids));
    const marks = await db.query.select().from(promptMarks).where(isOfThese);
    return (id) => {
      const mark = marks.find(({ promptId }) => promptId === id);
      return mark ? { mark: exportedRow('promptMarks', mark) } : {};
    };
  });
}

/**
 * Adds a prompt, unless it is here. `presetOf` finds a preset here by its id in the export. It is shared only where
 * `isShared` says so.
 * @returns `skipped` for what is no prompt, and above the limit
 */
export async function addExportedPrompt(
  db: Db,
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
  const presetId = (nested.presetId === null ? undefined : presetOf(nested.presetId)) ?? null;
  const text = {
    row: { ...given, body: given.body, userId, id, presetId, isShared },
    name: given.command,
    knownIds: own === undefined ? [id] : [own, id],
    versions: nested.versions.map(readVersion),
  };
  return addText(db, PROMPTS, text, async (tx) => {
    const mark = readMark(nested.mark);
    if (Object.keys(mark).length > 0)
      await tx.insert(promptMarks).values({ ...mark, userId, ownerId: userId, promptId: id });
  });
}
