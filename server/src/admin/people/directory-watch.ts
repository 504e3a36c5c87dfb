// Asks the operator's directory each day whether it still knows the people who sign in by it. An account of somebody whom
// it no longer lets in is shut as an administrator would shut it, and opens when the directory takes the password again.
// The same happens to somebody who lacks the role that an OpenID site requires, which only a sign-in there tells.
import type { Logger } from 'pino';
import type { Query, Tx, Db } from '@parley/db/client';
import { identities, users } from '@parley/db/tables/users';
import { and, eq, lte, sql } from 'drizzle-orm';
import { isAdministered, lockAdministrators } from '../../auth/administrators.ts';
import { endCapabilities } from '../../auth/capabilities.ts';
import { DirectoryFault, isInDirectory, type Ldap } from '../../auth/ldap/directory.ts';
import { DIRECTORY } from '../../auth/ldap/directory-password.ts';
import type { DirectoryWatch } from '../../auth/ldap/directory-watch.ts';
import { findUserByIdentity, type Identity } from '../../auth/oauth/identities.ts';
import { stopUserRuns } from '../../auth/session/stop-runs.ts';
import { assertUser } from '../../auth/users.ts';
import { recordEvent } from '../audit-events.ts';
import { personDetails } from './change-person.ts';
import type { Config } from '../../config/config.ts';
import type { Authenticator } from '../../platform/requests/auth-session.ts';
import type { Timings } from '../../config/timings.ts';

type From = { db: Db; config: Config; log: Logger; auth: Authenticator } & {
  timings: Pick<Timings, 'directoryAnswerMs' | 'directoryRetryMs'>;
};

/** The account of an identity. */
interface Claimed extends Identity {
  userId: string;
}

/** A page waits for it: a directory that is silent keeps nobody out for longer, and is asked again by the task. */
const REFRESH_TIMEOUT_MS = 3000;

export function createDirectoryWatch(from: From): DirectoryWatch {
  const { ldap } = from.config.accounts;
  const ofIdentities = {
    letIn: (identity: Identity) => letIn(from, identity),
    barredBySite: (identity: Identity) => barredBySite(from, identity),
  };
  if (!ldap) return { ...ofIdentities, stillKnows: async () => true, askDue: async () => {} };
  return {
    ...ofIdentities,
    async stillKnows(userId) {
      const claimed = await claimDue(from, userId);
      return !claimed || (await ask(from, ldap, claimed, REFRESH_TIMEOUT_MS)) !== 'gone';
    },
    async askDue(ending) {
      while (!ending.aborted) {
        const claimed = await claimDue(from);
        // What cannot be asked about one cannot be asked about others.
        if (!claimed || (await ask(from, ldap, claimed)) === 'unknown') return;
      }
    },
  };
}

/** The one that is due for longest, or this person's. Others leave it alone until the time for another try has come. */
async function claimDue({ db: { query }, timings }: From, userId?: string): Promise<Claimed | undefined> {
  const due = query
    .select({ subject: identities.subject })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(
      and(
        eq(identities.provider, DIRECTORY),
        lte(identities.askDueAt, sql`now()`),
        eq(users.state, 'active'),
        userId === undefined ? undefined : eq(identities.userId, userId),
      ),
    )
    .orderBy(identities.askDueAt)
    .limit(1)
    .for('update', { of: identities, skipLocked: true });
  const [claimed] = await query
    .update(identities)
    .set({ askDueAt: inMs(timings.directoryRetryMs) })
    .where(and(eq(identities.provider, DIRECTORY), sql`${identities.subject} = ${due}`))
    .returning({ userId: identities.userId, provider: identities.provider, subject: identities.subject });
  return claimed;
}

async function ask(
  from: From,
  ldap: Ldap,
  claimed: Claimed,
  timeoutMs?: number,
): Promise<'known' | 'gone' | 'unknown'> {
  const { db, log, timings } = from;
  try {
    if (!(await isInDirectory(ldap, claimed.subject, timeoutMs)))
      return (await leave(from, claimed)) ? 'gone' : 'known';
  } catch (error) {
    if (!(error instanceof DirectoryFault)) throw error;
    log.warn({ event: 'directory.failed', message: error.message }, 'The directory cannot be asked');
    return 'unknown';
  }
  await noteAnswer(db.query, claimed, { askDueAt: inMs(timings.directoryAnswerMs) });
  return 'known';
}

/** Whether the account is shut now. The last administrator stays, as with the role. */
async function leave({ db, log, auth, timings }: From, { userId, ...identity }: Claimed): Promise<boolean> {
  const isShut = await db.query.transaction(async (tx) => {
    await lockAdministrators(tx);
    const user = await assertUser({ query: tx }, userId);
    if (user.state !== 'active') return true;
    await noteAnswer(tx, identity, { askDueAt: inMs(timings.directoryAnswerMs) });
    if (user.role === 'ADMIN' && !(await isAdministered(tx, userId))) {
      log.warn({ event: 'directory.last_administrator', userId }, LAST);
      return false;
    }
    await endCapabilities(tx, userId, 'left_directory');
    await setState(tx, userId, 'disabled');
    await noteAnswer(tx, identity, { goneAt: sql`now()` });
    await recordEvent(tx, null, { event: 'person.left_directory', userId, details: personDetails(user) });
    await stopUserRuns(tx, userId);
    return true;
  });
  if (isShut) auth.invalidateUser(userId);
  return isShut;
}

async function barredBySite(from: From, identity: Identity): Promise<void> {
  const user = await findUserByIdentity(from.db, identity);
  // Others have a password of this server or came by another site: they do not come in by this one alone.
  const restsOnSite = user?.provider === 'openid' || (user?.provider === 'local' && user.passwordHash === null);
  if (user && restsOnSite) await leave(from, { ...identity, userId: user.id });
}

async function letIn({ db, timings }: From, identity: Identity): Promise<boolean> {
  return db.query.transaction(async (tx) => {
    const [known] = await tx.select().from(identities).where(isTheirs(identity)).for('update');
    if (!known) return false;
    await noteAnswer(tx, identity, { askDueAt: inMs(timings.directoryAnswerMs), goneAt: null });
    if (known.goneAt === null) return true;
    const user = await assertUser({ query: tx }, known.userId);
    if (user.state !== 'disabled') return true;
    await setState(tx, user.id, 'active');
    await recordEvent(tx, null, {
      event: 'person.returned_to_directory',
      userId: user.id,
      details: personDetails(user),
    });
    return true;
  });
}

async function noteAnswer(
  query: Query,
  identity: Identity,
  answer: Parameters<ReturnType<Query['update']>['set']>[0],
): Promise<void> {
  await query.update(identities).set(answer).where(isTheirs(identity));
}

function isTheirs({ provider, subject }: Identity) {
  return and(eq(identities.provider, provider), eq(identities.subject, subject));
}

async function setState(tx: Tx, userId: string, state: 'active' | 'disabled'): Promise<void> {
  await tx
    .update(users)
    .set({ state, updatedAt: sql`now()` })
    .where(eq(users.id, userId));
}

function inMs(ms: number) {
  return sql`now() + make_interval(secs => ${ms / 1000})`;
}

const LAST =
  'The directory or site no longer lets in the last administrator: the account stays until there is another one.';
