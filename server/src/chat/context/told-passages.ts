// The passages that a model is told, noted with the reply before the provider is called: if this process dies, recovery
// can still tell what the marks of the answer cite.
import type { Db, Query } from '@parley/db/client';
import { chunks } from '@parley/db/tables/documents';
import type { ContextRecord } from '@parley/schema/messages/messages';
import { and, asc, between, eq, sql } from 'drizzle-orm';
import type { ToldPassage } from '../../retrieval/cite.ts';
import { joinNeighbours } from '../../retrieval/passages.ts';
import type { RunKey } from '../finalize.ts';

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
export async function readTold(query: Query, userId: string, context: ContextRecord | null): Promise<ToldPassage[]> {
  const told: ToldPassage[] = [];
  for (const file of context?.files ?? []) {
    if (file.shown !== 'passages') continue;
    const { fileId, name } = file;
    for (const { n, page, last = n } of file.passages) {
      const rows = await query
        .select()
        .from(chunks)
        .where(and(eq(chunks.userId, userId), eq(chunks.fileId, fileId), between(chunks.n, n, last)))
        .orderBy(asc(chunks.n));
      const [passage] = joinNeighbours(rows, [fileId]);
      told.push({ fileId, name, n, page, heading: passage?.heading ?? null, body: passage?.body ?? '' });
    }
  }
  return told;
}
