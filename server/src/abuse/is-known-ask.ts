import type { Query } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { and, eq } from 'drizzle-orm';

/** Whether this ask of this user has already begun. */
export async function isKnownAsk(query: Query, userId: string, generationId: string): Promise<boolean> {
  const [row] = await query
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.id, generationId), eq(generations.userId, userId)));
  return row !== undefined;
}
