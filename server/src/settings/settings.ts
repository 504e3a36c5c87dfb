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
export function saveSettings(db: Db, userId: string, patch: SetSettings): Promise<StoredSettings> {
  return saveStored(db, userId, () => patch);
}

/** What is written over those that there are; null takes one away. */
type StoredPatch = { [Name in keyof StoredSettings]?: StoredSettings[Name] | null | undefined };

/** The same for what follows from those that there are; `patchOf` is called below the lock on the user's row. */
export async function saveStored(
  { query }: Db,
  userId: string,
  patchOf: (settings: StoredSettings) => StoredPatch,
): Promise<StoredSettings> {
  return query.transaction(async (tx) => {
    await nextHint(tx, userId, 'settings');
    const [before] = await tx.select({ settings: users.settings }).from(users).where(eq(users.id, userId));
    const patch = JSON.stringify(patchOf(before?.settings ?? {}));
    const [row] = await tx
      .update(users)
      .set({ settings: sql`jsonb_strip_nulls(${users.settings} || ${patch}::jsonb)` })
      .where(eq(users.id, userId))
      .returning({ settings: users.settings });
    return row?.settings ?? {};
  });
}
