// The devices that a user is signed in on: one for each live session.
import type { Db } from '@parley/db/client';
import { sessions } from '@parley/db/tables/users';
import type { Device } from '@parley/schema/accounts/devices';
import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { revokeApiKeys } from '../../api-keys/api-keys.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { audit } from '../../platform/audit.ts';
import type { AuthSession } from '../../platform/requests/auth-session.ts';
import { revokeSessionFamily, revokeSessions } from '../session/sessions.ts';
import { browserName, systemName } from './user-agents.ts';
import type { AuthServices } from '../auth-services.ts';

/** The device that asks first, then the one that was used last. */
export async function listDevices({ query }: Db, { userId, sid }: AuthSession): Promise<Device[]> {
  const rows = await query
    .selectDistinctOn([sessions.family], {
      id: sessions.family,
      userAgent: sessions.userAgent,
      signedInAt: sessions.startedAt,
      usedAt: sessions.issuedAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(sessions.family, desc(sessions.issuedAt));
  return rows
    .map(({ id, userAgent, signedInAt, usedAt }) => ({
      id,
      isThis: id === sid,
      browser: browserName(userAgent ?? ''),
      system: systemName(userAgent ?? ''),
      signedInAt: signedInAt.toISOString(),
      usedAt: usedAt.toISOString(),
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || b.usedAt.localeCompare(a.usedAt));
}

/** Signs out one device; its open streams end within two seconds. One that is signed out already is no error. */
export async function signOutDevice(deps: AuthServices, http: Http, by: AuthSession, id: string): Promise<void> {
  await revokeSessionFamily(deps.db, by.userId, id);
  deps.auth.invalidateUser(by.userId);
  audit(deps, 'signed_out', { userId: by.userId, sid: id, ip: http.ip });
}

/** Signs out every device but the one that asks, and ends all keys of programs. */
export async function signOutOthers(deps: AuthServices, http: Http, by: AuthSession): Promise<void> {
  await deps.db.query.transaction(async (tx) => {
    await revokeSessions(tx, by.userId, by.sid);
    await revokeApiKeys(tx, by.userId);
  });
  deps.auth.invalidateUser(by.userId);
  audit(deps, 'others_signed_out', { userId: by.userId, sid: by.sid, ip: http.ip });
}
