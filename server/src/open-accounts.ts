// Opens what knows who people are and how much they may do.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { createAskLimits } from './abuse/ask-limits.ts';
import { createBrowsersOnly, type BrowsersOnly } from './abuse/browsers-only.ts';
import { createViolations } from './abuse/violations.ts';
import { createRegistration, REGISTRATION, type Registration } from './auth/registration/registration.ts';
import { createAuthenticator, type Authenticator } from './auth/session/authenticator.ts';
import { createSessionWatch, type SessionWatch } from './auth/session/session-watch.ts';
import { createKeyHolders, type KeyHolders } from './api-keys/key-holders.ts';
import type { DirectoryWatch } from './auth/ldap/directory-watch.ts';
import type { FollowRights } from './auth/oauth/identity-provider.ts';
import { createBilling } from './billing/billing.ts';
import { BUDGETS_TOPIC, createBudgets, type Budgets } from './billing/budgets/budgets.ts';
import type { Config } from './config.ts';
import type { Secrets } from './config/parts/secrets.ts';
import { createMail, type Mail } from './platform/mail.ts';
import type { PubSub } from './platform/pubsub.ts';
import type { Timings } from './timings.ts';

interface AccountParts {
  config: Config;
  secrets: Secrets;
  db: Db;
  log: Logger;
  pubsub: PubSub;
  timings: Timings;
  onFault: (error: unknown) => void;
}

export interface AccountServices {
  auth: Authenticator;
  /** Whose the keys of programs are. */
  keyHolders: KeyHolders;
  /** Closes the connections of ended sessions. */
  sessions: SessionWatch;
  /** Null when no mail server is configured. */
  mail: Mail | null;
  browsersOnly: BrowsersOnly;
  registration: Registration;
  budgets: Budgets;
  /** `services.ts` adds it: administration stands above accounts. */
  followRights: FollowRights;
  /** Added in the same way. */
  directoryWatch: DirectoryWatch;
}

export async function openAccounts({ config, secrets, db, log, pubsub, timings, onFault }: AccountParts) {
  const auth = createAuthenticator(db, secrets, undefined, config.accounts.requireSecondFactor);
  const keyHolders = createKeyHolders(db, onFault, undefined, config.accounts.requireSecondFactor);
  pubsub.on('sessions-ended:', (userId) => {
    auth.invalidateUser(userId);
    keyHolders.invalidateUser(userId);
  });
  pubsub.on('key-ended:', keyHolders.invalidateUser);
  const budgets = createBudgets(db);
  await budgets.reload();
  pubsub.on('settings:', (what) => void (`settings:${what}` === BUDGETS_TOPIC && budgets.reload().catch(onFault)));
  const limits = createAskLimits(db, config);
  const violations = createViolations({ db, log, auth, bans: config.bans });
  return {
    auth,
    keyHolders,
    sessions: createSessionWatch(auth),
    mail: createMail(config, log, timings),
    budgets,
    billing: createBilling(db, config.startup.checkBalance, budgets),
    limits,
    violations,
    browsersOnly: createBrowsersOnly(limits, violations),
    registration: createRegistration({ db, config, changes: pubsub.subscribe(REGISTRATION.topic) }),
  };
}
