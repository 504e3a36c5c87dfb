// What is told of a change of second factors: to the log, and to the owner by mail.
import { users } from '@parley/db/tables/users';
import { and, eq } from 'drizzle-orm';
import { audit } from '../../platform/audit.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { secondFactorEmail } from '../email-templates.ts';
import type { AuthSession } from '../../platform/requests/auth-session.ts';
import { assertUser } from '../users.ts';
import type { AuthServices } from '../auth-services.ts';

/** The first one switches two-step sign-in on, and opens sessions that had to have it. */
export async function addedFactor(
  deps: AuthServices,
  http: Http,
  by: AuthSession,
  { isFirst }: { isFirst: boolean },
): Promise<void> {
  await deps.db.query
    .update(users)
    .set({ mustAddFactor: false })
    .where(and(eq(users.id, by.userId), eq(users.mustAddFactor, true)));
  deps.auth.invalidateUser(by.userId);
  audit(deps, 'factor_added', { ...by, ip: http.ip });
  await reportByMail(deps, by.userId, isFirst ? 'on' : 'added');
}

/** The last one switches it off. */
export async function removedFactor(
  deps: AuthServices,
  http: Http,
  by: AuthSession,
  { isLast }: { isLast: boolean },
): Promise<void> {
  audit(deps, 'factor_removed', { ...by, ip: http.ip });
  await reportByMail(deps, by.userId, isLast ? 'off' : 'removed');
}

/** So that the owner of the account learns what somebody else may have done. */
async function reportByMail(
  { db, mail, config }: AuthServices,
  userId: string,
  change: Parameters<typeof secondFactorEmail>[2],
): Promise<void> {
  if (!mail) return;
  const user = await assertUser(db, userId);
  mail.send(async () => secondFactorEmail(config.startup.appTitle, user, change));
}
