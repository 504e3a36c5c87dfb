// Requests a password reset link.
import { refuse } from '../../platform/errors.ts';
import type { Email } from '../../platform/mail.ts';
import { logError } from '../../platform/log-error.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { accountKey, limitResetRequest } from '../rate-limits.ts';
import { audit } from '../../platform/audit.ts';
import { resetEmail } from '../email-templates.ts';
import { createFirstResetLink, createResetLink, RESET_MINUTES } from './reset-links.ts';
import { findUserByEmail } from '../users.ts';
import type { AuthServices } from '../auth-services.ts';
import type { CoreServices } from '../../platform/requests/request-services.ts';

/**
 * Creates a password reset link: sent by mail; without mail, returned in the response if the operator allows that;
 * otherwise written to the log. Does not trust the client's IP address, since behind a local proxy every request comes
 * from this machine. Reveals whether an account exists only when it returns the link. In the other cases it looks the
 * account up after the response, so timing reveals nothing either.
 * @throws Refusal `forbidden` where the operator turned it off, `too_many_attempts`, `not_found`
 */
export async function requestReset(deps: AuthServices, http: Http, email: string): Promise<{ link: string }> {
  if (!deps.config.accounts.allowPasswordReset) refuse({ type: 'forbidden' });
  await limitResetRequest(deps, http, email);
  audit(deps, 'reset_requested', { account: accountKey(deps, email), ip: http.ip });
  if (deps.mail) {
    deps.mail.send(() => buildEmail(deps, email));
    return { link: '' };
  }
  if (!deps.config.accounts.allowResetLink) {
    setImmediate(
      () =>
        void logLink(deps, email).catch((error) =>
          logError(deps.log, error, { event: 'task.failed', path: 'reset link' }),
        ),
    );
    return { link: '' };
  }
  const user = (await findUserByEmail(deps.db, email)) ?? refuse({ type: 'not_found', what: 'user' });
  return { link: await createResetLink(deps.db, deps.config.server, user.id, { mailed: false }) };
}

async function buildEmail({ db, config }: CoreServices, email: string): Promise<Email | null> {
  const user = await findUserByEmail(db, email);
  if (!user) return null;
  const link = await createResetLink(db, config.server, user.id, { mailed: true });
  return resetEmail(config.startup.appTitle, user, link);
}

/**
 * Logs the link once: a valid link stays valid when somebody requests another, so nobody can invalidate one that the operator
 * has already passed on.
 */
async function logLink({ db, config, log }: AuthServices, email: string): Promise<void> {
  const user = await findUserByEmail(db, email);
  const link = user && (await createFirstResetLink(db, config.server, user.id));
  if (link) {
    const sentence = `A new password was asked for by user ${user.id}. To allow it, pass this link on to its owner within ${RESET_MINUTES} minutes: ${link}`;
    log.warn({ event: 'reset_link.created', userId: user.id }, sentence);
  }
}
