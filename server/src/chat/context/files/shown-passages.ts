// The passages that a model gets, noted with the reply before the provider is called: if this process dies, recovery
// can still tell what the marks of the reply cite.
import type { Db, Query } from '@parley/db/client';
import { chunks } from '@parley/db/tables/documents';
import type { ContextRecord, PassagePosition } from '@parley/schema/messages/messages';
import { and, asc, between, eq, inArray, or, sql } from 'drizzle-orm';
import { findLenderId } from '../../../assistants/still-shared.ts';
import { isLentByFolder } from '../../../folders/source-folder.ts';
import type { ShownPassage } from '../../../retrieval/cite.ts';
import { joinNeighbours } from '../../../retrieval/passages.ts';
import type { RunKey } from '../../finalize.ts';

/** Does nothing when the run is no longer this owner's. */
export async function noteContext({ query }: Db, key: RunKey, replyId: string, context: ContextRecord): Promise<void> {
  const { generationId, userId, owner, epoch } = key;
  await query.execute(sql`
    update messages set context = ${JSON.stringify(context)}::jsonb
    where user_id = ${userId} and id = ${replyId} and exists (
      select from generations where id = ${generationId} and owner = ${owner} and epoch = ${epoch} and ended_at is null
    )`);
}

/** The passages in the order of their numbers. One that is gone keeps its number, without a text to quote. */
export async function readShownPassages(
  query: Query,
  userId: string,
  context: ContextRecord | null,
): Promise<ShownPassage[]> {
  const shown: { passage: ShownPassage; number: number }[] = [];
  const { assistantId } = context ?? {};
  const lenderId = assistantId === undefined ? undefined : await findLenderId(query, assistantId);
  const owners = [userId, ...(lenderId === undefined ? [] : [lenderId])];
  for (const file of context?.files ?? []) {
    if (file.shown === 'name' || !file.passages?.length) continue;
    const { fileId, name, passages } = file;
    const rows = await readChunks(query, { userId, owners }, fileId, passages);
    for (const { n, page, last = n, number = shown.length + 1 } of passages) {
      const [passage] = joinNeighbours(
        rows.filter((row) => row.n >= n && row.n <= last),
        [fileId],
      );
      const source = { fileId, name, n, page, ...(last !== n && { last }) };
      shown.push({ passage: { ...source, heading: passage?.heading ?? null, body: passage?.body ?? '' }, number });
    }
  }
  return shown.toSorted((one, other) => one.number - other.number).map(({ passage }) => passage);
}

/** From the first to the last of these passages. */
function readChunks(
  query: Query,
  { userId, owners }: { userId: string; owners: readonly string[] },
  fileId: string,
  passages: readonly PassagePosition[],
) {
  const places = passages.flatMap(({ n, last = n }) => [n, last]);
  const isWithin = between(chunks.n, Math.min(...places), Math.max(...places));
  const isOf = or(inArray(chunks.userId, owners), isLentByFolder(userId, chunks));
  return query
    .select()
    .from(chunks)
    .where(and(isOf, eq(chunks.fileId, fileId), isWithin))
    .orderBy(asc(chunks.n));
}

/** The record with all passages that the model got, each with its number. */
export function withShownPassages(context: ContextRecord, shown: readonly ShownPassage[]): ContextRecord {
  if (!context.files) return context;
  const numbered = shown.map(({ fileId, n, page, last }, at) => ({
    fileId,
    place: { n, page, ...(last !== undefined && { last }), number: at + 1 },
  }));
  const files = context.files.map((file) => {
    if (file.shown === 'name') return file;
    const passages = numbered.filter((one) => one.fileId === file.fileId).map(({ place }) => place);
    return file.shown === 'whole' && passages.length === 0 ? file : { ...file, passages };
  });
  return { ...context, files };
}

/**
 * The passages that a reply goes on with: those found for the question, then those that its earlier run searched, under
 * the same numbers. Where other ones are found now, the earlier numbers no longer hold.
 */
export function continuePassages(found: readonly ShownPassage[], earlier: readonly ShownPassage[]): ShownPassage[] {
  const isSame = found.every(({ fileId, n }, at) => earlier[at]?.fileId === fileId && earlier[at]?.n === n);
  return isSame ? [...found, ...earlier.slice(found.length)] : [...found];
}
