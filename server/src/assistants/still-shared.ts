import type { Query } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { users } from '@parley/db/tables/users';
import { and, eq } from 'drizzle-orm';
import { isShared } from '../tools/lending.ts';
import type { AssistantRow } from './present.ts';

/** Whether the owner of an assistant shares it at this moment. */
export async function isStillShared(
  query: Query,
  { userId, id }: Pick<AssistantRow, 'userId' | 'id'>,
): Promise<boolean> {
  const [row] = await query
    .select({ id: assistants.id })
    .from(assistants)
    .innerJoin(users, eq(users.id, assistants.userId))
    .where(and(isShared(), eq(assistants.userId, userId), eq(assistants.id, id)));
  return row !== undefined;
}

/** Whose files an answer of this assistant may have cited: its owner's, while it is shared. */
export async function findLenderId(query: Query, assistantId: string): Promise<string | undefined> {
  const [row] = await query
    .select({ userId: assistants.userId })
    .from(assistants)
    .innerJoin(users, eq(users.id, assistants.userId))
    .where(and(isShared(), eq(assistants.id, assistantId)))
    .limit(1);
  return row?.userId;
}
