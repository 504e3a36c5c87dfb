import { sql, type SQL } from 'drizzle-orm';

/** The folder that a new conversation begins in: null where it is gone or another user's. */
export function ownFolder(userId: string, folderId: string | null | undefined): SQL {
  if (!folderId) return sql`null::uuid`;
  return sql`(select id from folders where user_id = ${userId}::uuid and id = ${folderId}::uuid)`;
}
