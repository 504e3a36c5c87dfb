// The devices of a person that get notices by push. One belongs to the session that registered it, and ends with it.
import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import { pushTargets } from '@parley/db/tables/automation/push-targets';
import { sessions, users } from '@parley/db/tables/users';
import { isActive } from '@parley/db/user-rows';
import { PushSubscriptionInput, type PushTarget } from '@parley/schema/notices/notices';
import { parseJson } from '@parley/schema/json';
import { and, desc, eq, exists, gt, inArray, not, sql } from 'drizzle-orm';
import { browserName, systemName } from '../../auth/account/user-agents.ts';
import type { Encryption } from '../../keys/encryption.ts';
import type { AuthSession } from '../../platform/requests/auth-session.ts';
import { isoTime } from '../../platform/iso-time.ts';

/** Of a person; one more takes the place of the oldest. */
export const PUSH_TARGETS_MAX = 20;
const USER_AGENT_MAX = 300;

/** A device, with the keys that messages to it are encrypted with. */
export interface SendTarget extends PushSubscriptionInput {
  id: string;
}

/** Whether the session that registered it goes on. */
const isSignedIn = (query: Pick<Db['query'], 'select'>) =>
  exists(
    query
      .select({ one: sql`1` })
      .from(sessions)
      .where(
        and(
          eq(sessions.userId, pushTargets.userId),
          eq(sessions.family, pushTargets.sid),
          gt(sessions.expiresAt, sql`now()`),
        ),
      ),
  );

/** Registers the browser of a session. If it was another account's before, that account has it no more. */
export async function addTarget(
  { query }: Db,
  encryption: Encryption,
  { userId, sid }: AuthSession,
  { endpoint, keys }: PushSubscriptionInput,
  userAgent: string,
): Promise<{ id: string }> {
  const id = randomUUID();
  const sealed = encryption.encrypt(JSON.stringify(keys), keyOwner(userId));
  return query.transaction(async (tx) => {
    // A session is of one browser, which has one subscription.
    await tx.delete(pushTargets).where(eq(pushTargets.endpoint, endpoint));
    await tx.delete(pushTargets).where(and(eq(pushTargets.userId, userId), eq(pushTargets.sid, sid)));
    await tx
      .insert(pushTargets)
      .values({ userId, id, sid, endpoint, keys: { sealed }, userAgent: userAgent.slice(0, USER_AGENT_MAX) })
      .onConflictDoUpdate({
        target: pushTargets.endpoint,
        set: { userId, id, sid, keys: { sealed }, userAgent: userAgent.slice(0, USER_AGENT_MAX), failedAt: null },
      });
    const newest = tx
      .select({ id: pushTargets.id })
      .from(pushTargets)
      .where(eq(pushTargets.userId, userId))
      .orderBy(desc(pushTargets.createdAt), desc(pushTargets.id))
      .limit(PUSH_TARGETS_MAX);
    await tx.delete(pushTargets).where(and(eq(pushTargets.userId, userId), not(inArray(pushTargets.id, newest))));
    return { id };
  });
}

/** The device that asks first, then the newest. */
export async function listTargets({ query }: Db, { userId, sid }: AuthSession): Promise<PushTarget[]> {
  const rows = await query
    .select()
    .from(pushTargets)
    .where(and(eq(pushTargets.userId, userId), isSignedIn(query)))
    .orderBy(desc(pushTargets.createdAt));
  return rows
    .map((row) => ({
      id: row.id,
      isThis: row.sid === sid,
      browser: browserName(row.userAgent),
      system: systemName(row.userAgent),
      createdAt: isoTime(row.createdAt),
      failedAt: row.failedAt && isoTime(row.failedAt),
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
}

/** Nothing happens when it is gone, or another person's. */
export async function removeTarget({ query }: Db, userId: string, id: string): Promise<void> {
  await query.delete(pushTargets).where(and(eq(pushTargets.userId, userId), eq(pushTargets.id, id)));
}

/** Those of a person who may sign in, whose keys this server can read; `sid` narrows them to the device of a session. */
export async function readTargets(
  { query }: Db,
  encryption: Encryption,
  userId: string,
  sid?: string,
): Promise<SendTarget[]> {
  const rows = await query
    .select({ id: pushTargets.id, endpoint: pushTargets.endpoint, keys: pushTargets.keys })
    .from(pushTargets)
    .innerJoin(users, eq(users.id, pushTargets.userId))
    .where(
      and(
        eq(pushTargets.userId, userId),
        isActive,
        isSignedIn(query),
        sid === undefined ? undefined : eq(pushTargets.sid, sid),
      ),
    );
  return rows.flatMap(({ id, endpoint, keys }) => {
    const text = encryption.decrypt(keys.sealed, keyOwner(userId));
    const { data } = PushSubscriptionInput.shape.keys.safeParse(parseJson(text ?? ''));
    return data ? [{ id, endpoint, keys: data }] : [];
  });
}

/** Notes what became of messages: devices that are gone are forgotten. */
export async function noteSent(
  { query }: Db,
  userId: string,
  { gone, failed, sent }: Record<'gone' | 'failed' | 'sent', string[]>,
): Promise<void> {
  const ofThese = (ids: string[]) => and(eq(pushTargets.userId, userId), inArray(pushTargets.id, ids));
  if (gone.length > 0) await query.delete(pushTargets).where(ofThese(gone));
  if (failed.length > 0)
    await query
      .update(pushTargets)
      .set({ failedAt: sql`now()` })
      .where(ofThese(failed));
  if (sent.length > 0)
    await query
      .update(pushTargets)
      .set({ failedAt: null })
      .where(and(ofThese(sent), sql`${pushTargets.failedAt} is not null`));
}

/** Deletes those whose sessions have ended. */
export async function sweepTargets({ query }: Db): Promise<void> {
  await query.delete(pushTargets).where(not(isSignedIn(query)));
}

function keyOwner(userId: string) {
  return { userId, name: 'push' };
}
