// Opens what knows who people are and how much they may do.
import { createAskLimits } from './abuse/ask-limits.ts';
import { createBrowsersOnly } from './abuse/browsers-only.ts';
import { createViolations } from './abuse/violations.ts';
import { createRegistration, REGISTRATION } from './auth/registration/registration.ts';
import { createAuthenticator } from './auth/session/authenticator.ts';
import { createSessionWatch } from './http/session-watch.ts';
import { createKeyHolders } from './api-keys/key-holders.ts';
import { createBilling } from './billing/billing.ts';
import { BUDGETS_TOPIC, createBudgets } from './billing/budgets/budgets.ts';
import { createMail } from './platform/mail.ts';
import type { Base } from './open-base.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

export async function openAccounts({ config, secrets, db, log, pubsub, timings, onFault }: Base) {
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
