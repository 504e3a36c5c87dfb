// The devices on which a person is signed in: one for each session.
import type { Db } from '@parley/db/client';
import { sessions } from '@parley/db/tables/users';
import type { Device } from '@parley/schema/accounts/users';
import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Deps } from '../../deps.ts';
import type { AuthSession } from '../session/authenticator.ts';
import { revokeSessionFamily, revokeSessions } from '../session/sessions.ts';
import { describeDevice } from './describe-device.ts';

const DEVICES_MAX = 100;

/** This device first, then the one used last. */
export async function listDevices({ query }: Db, { userId, sid }: AuthSession): Promise<Device[]> {
  const newest = query
    .selectDistinctOn([sessions.family])
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(sessions.family, desc(sessions.issuedAt))
    .as('newest');
  const rows = await query
    .select()
    .from(newest)
    .orderBy(desc(eq(newest.family, sid)), desc(newest.issuedAt))
    .limit(DEVICES_MAX);
  return rows.map(({ family, userAgent, startedAt, issuedAt }) => ({
    id: family,
    isThis: family === sid,
    ...describeDevice(userAgent),
    signedInAt: startedAt.toISOString(),
    lastUsedAt: issuedAt.toISOString(),
  }));
}

/** A device that is signed out already is no error. */
export async function signOutDevice(deps: Deps, userId: string, sid: string): Promise<void> {
  await revokeSessionFamily(deps.db, userId, sid);
  deps.auth.invalidateUser(userId);
}

export async function signOutOthers(deps: Deps, { userId, sid }: AuthSession): Promise<void> {
  await deps.db.query.transaction((tx) => revokeSessions(tx, userId, sid));
  deps.auth.invalidateUser(userId);
}
