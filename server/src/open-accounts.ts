// Opens what knows who people are, how much they may do, and how they are told of something.
import { createAskLimits } from './abuse/ask-limits.ts';
import { createBrowsersOnly } from './abuse/browsers-only.ts';
import { createViolations } from './abuse/violations.ts';
import { createRegistration, REGISTRATION } from './auth/registration/registration.ts';
import { createAuthenticator } from './auth/session/authenticator.ts';
import { createSessionWatch } from './http/session-watch.ts';
import { createKeyHolders } from './api-keys/key-holders.ts';
import { createBilling } from './billing/billing.ts';
import { BUDGETS_TOPIC, createBudgets } from './billing/budgets/budgets.ts';
import { openNotices } from './notices/open-notices.ts';
import { createMail } from './platform/mail.ts';
import type { Base } from './open-base.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

export async function openAccounts(base: Base) {
  const { config, secrets, db, log, pubsub, timings, onFault } = base;
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
  const mail = createMail(config, log, timings);
  return {
    auth,
    keyHolders,
    sessions: createSessionWatch(auth),
    mail,
    ...openNotices({ ...base, mail }),
    budgets,
    billing: createBilling(db, config.startup.checkBalance, budgets),
    limits,
    violations,
    browsersOnly: createBrowsersOnly(limits, violations),
    registration: createRegistration({ db, config, changes: pubsub.subscribe(REGISTRATION.topic) }),
  };
}
