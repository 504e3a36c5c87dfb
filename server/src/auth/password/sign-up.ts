// Registration with e-mail and password.
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { cleanText } from '@parley/schema/clean-text';
import { SignUp } from '@parley/schema/accounts/users';
import type { Deps } from '../../deps.ts';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { assertNetworkNotBanned } from '../network-bans.ts';
import { accountKey, limitRegistration } from '../rate-limits.ts';
import { audit } from '../../platform/audit.ts';
import { assertNotBreached } from './breached-passwords.ts';
import { withUncommonPassword } from './common-passwords.ts';
import { assertDomainAllowed } from '../email-domains.ts';
import { issueSession } from '../session/issue-session.ts';
import type { SessionResponse } from '../session/issue-session.ts';
import { hashPassword } from './password-hash.ts';
import { createSession } from '../session/sessions.ts';
import { createUser } from '../users.ts';

/** Delay before reporting a taken e-mail, against enumeration of accounts. */
const TAKEN_MS = 1_000;

/** Validates the form on the text as it will be stored, and rejects common passwords. */
export const SignUpInput = withUncommonPassword(SignUp.transform(cleanNames).pipe(SignUp));

/** @throws Refusal `too_many_attempts`, `email_domain_not_allowed`, `registration_failed` (a taken e-mail), `banned`, `invalid_input` */
export async function signUp(deps: Deps, http: Http, input: z.output<typeof SignUpInput>): Promise<SessionResponse> {
  const { email, name, username, password } = input;
  await limitRegistration(deps, http);
  if (deps.config.bans.enabled) await assertNetworkNotBanned(deps.db, http.ip);
  assertDomainAllowed(deps.config.accounts.allowedDomains, email);
  await assertNotBreached(deps, password);
  const user = await createUser(deps.db, { email, name, username, passwordHash: await hashPassword(password) });
  if (!user) {
    audit(deps, 'registration_failed', { account: accountKey(deps, email), ip: http.ip });
    await sleep(TAKEN_MS);
    refuse({ type: 'registration_failed' });
  }
  const session = await createSession(deps.db, deps.config.accounts.refreshExpiryMs, user.id);
  audit(deps, 'registered', { userId: user.id, sid: session.sid, ip: http.ip });
  return issueSession(deps, http, user, session);
}

/** @throws Refusal `registration_closed` */
export function assertRegistrationOpen(deps: Deps): void {
  if (!deps.config.startup.registrationEnabled) refuse({ type: 'registration_closed' });
}

function cleanNames(input: z.output<typeof SignUp>): z.input<typeof SignUp> {
  const username = input.username && cleanText(input.username);
  return { ...input, name: cleanText(input.name), email: cleanText(input.email), username };
}
