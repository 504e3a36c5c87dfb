// The interface settings of a user, the same in every browser.
import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import type { StoredSettings } from '@parley/schema/settings/interface';
import type { SetSettings } from '@parley/schema/settings/interface-inputs';
import { eq, sql } from 'drizzle-orm';
import { nextHint } from '../convos/changes.ts';

export async function readSettings({ query }: Db, userId: string): Promise<StoredSettings> {
  const [row] = await query.select({ settings: users.settings }).from(users).where(eq(users.id, userId));
  return row?.settings ?? {};
}

/** Returns all that are stored afterwards. */
export async function saveSettings({ query }: Db, userId: string, patch: SetSettings): Promise<StoredSettings> {
  const changed = sql`jsonb_strip_nulls(${users.settings} || ${JSON.stringify(patch)}::jsonb)`;
  return query.transaction(async (tx) => {
    await nextHint(tx, userId, 'settings');
    const [row] = await tx
      .update(users)
      .set({ settings: changed })
      .where(eq(users.id, userId))
      .returning({ settings: users.settings });
    return row?.settings ?? {};
  });
}
