// Registration with e-mail and password.
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { cleanText } from '@parley/schema/clean-text';
import { InvitationToken } from '@parley/schema/accounts/registration';
import { SignUp } from '@parley/schema/accounts/users';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { assertNetworkNotBanned } from '../network-bans.ts';
import { accountKey, limitRegistration } from '../rate-limits.ts';
import { audit } from '../../platform/audit.ts';
import { assertNotBreached } from './breached-passwords.ts';
import { withUncommonPassword } from './common-passwords.ts';
import { issueSession } from '../session/issue-session.ts';
import type { SessionResponse } from '../session/issue-session.ts';
import { hashPassword } from './password-hash.ts';
import { createSession } from '../session/sessions.ts';
import { assertMayEnter } from '../users.ts';
import { tellAdministrators } from '../registration/tell-administrators.ts';
import { assertMayApply, registerAccount } from '../registration/register-account.ts';
import { mailConfirmation } from '../registration/confirm-address.ts';
import { assertDomainAllowed } from '../registration/registration.ts';
import type { AuthServices } from '../auth-services.ts';

/** Delay before reporting a taken e-mail, against enumeration of accounts. */
const TAKEN_MS = 1_000;

/** Validates the form on the text as it will be stored, and rejects common passwords. */
export const SignUpInput = withUncommonPassword(SignUp.transform(cleanNames).pipe(SignUp));

const Invited = z.looseObject({ invitation: InvitationToken });

/**
 * A person who needs approval has an account then, but is refused by `account_waiting`; one who has to confirm the address, by
 * `email_unconfirmed`.
 * @throws Refusal `too_many_attempts`, `email_domain_not_allowed`, `registration_failed` (a taken e-mail), `banned`,
 * `invalid_input`, `registration_closed`, `invalid_invitation`, `account_waiting`, `email_unconfirmed`
 */
export async function signUp(
  deps: AuthServices,
  http: Http,
  input: z.output<typeof SignUpInput>,
): Promise<SessionResponse> {
  const { email, name, username, password, invitation } = input;
  await limitRegistration(deps, http);
  if (deps.config.bans.enabled) await assertNetworkNotBanned(deps.db, http.ip);
  const rules = await deps.registration.rules();
  assertDomainAllowed(rules.allowedDomains, email);
  await assertNotBreached(deps, password);
  const values = { email, name, username, passwordHash: await hashPassword(password) };
  const confirms = deps.config.accounts.confirmsAddresses && deps.mail !== null;
  const user = await registerAccount(deps.db, rules, { values, invitation, confirms });
  if (!user) {
    audit(deps, 'registration_failed', { account: accountKey(deps, email), ip: http.ip });
    await sleep(TAKEN_MS);
    refuse({ type: 'registration_failed' });
  }
  if (user.state !== 'active') audit(deps, 'registered', { userId: user.id, ip: http.ip });
  if (user.state === 'waiting') tellAdministrators(deps);
  if (user.state === 'unconfirmed') mailConfirmation(deps, user.email);
  assertMayEnter(user);
  const session = await createSession(deps.db, deps.config.accounts.refreshExpiryMs, user.id);
  audit(deps, 'registered', { userId: user.id, sid: session.sid, ip: http.ip });
  return issueSession(deps, http, user, session);
}

/** Before the form is checked; who has an invitation is judged by it. @throws Refusal `registration_closed` */
export async function assertRegistrationOpen(
  { config, db, registration }: AuthServices,
  input: unknown,
): Promise<void> {
  if (Invited.safeParse(input).success) return;
  if (config.accounts.registration === 'closed') refuse({ type: 'registration_closed' });
  await assertMayApply(db, await registration.rules());
}

function cleanNames(input: z.output<typeof SignUp>): z.input<typeof SignUp> {
  const username = input.username && cleanText(input.username);
  return { ...input, name: cleanText(input.name), email: cleanText(input.email), username };
}
