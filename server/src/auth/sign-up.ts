import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { cleanText } from '@parley/schema/clean-text';
import { SignUp } from '@parley/schema/users';
import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import type { Http } from '../trpc.ts';
import { assertNetworkWelcome } from '../violations/network-bans.ts';
import { accountKey, countRegistration } from './attempts.ts';
import { audit } from './audit.ts';
import { TOO_COMMON, isCommonPassword } from './common-passwords.ts';
import { assertDomainAllowed } from './domains.ts';
import { handOver } from './hand-over.ts';
import type { SignedInAnswer } from './hand-over.ts';
import { hashPassword } from './passwords.ts';
import { createSession } from './sessions.ts';
import { createUser } from './users.ts';

/** How long the answer about a taken e-mail waits: it is no way to try many. */
const TAKEN_MS = 1_000;

/** The rules of the form, held against the text as it will be stored, and a password that nobody guesses first. */
export const SignUpInput = SignUp.transform(cleanNames)
  .pipe(SignUp)
  .refine(({ password }) => !isCommonPassword(password), { error: TOO_COMMON, path: ['password'] });

/** @throws Refusal `too_many_attempts`, `email_domain_not_allowed`, `registration_failed` (a taken e-mail), `banned` */
export async function signUp(deps: Deps, http: Http, input: z.output<typeof SignUpInput>): Promise<SignedInAnswer> {
  const { email, name, username, password } = input;
  await countRegistration(deps, http);
  if (deps.config.bans.enabled) await assertNetworkWelcome(deps.db, http.ip);
  assertDomainAllowed(deps.config.accounts.allowedDomains, email);
  const user = await createUser(deps.db, { email, name, username, passwordHash: await hashPassword(password) });
  if (!user) {
    audit(deps, 'registration_failed', { account: accountKey(deps, email), ip: http.ip });
    await sleep(TAKEN_MS);
    refuse({ type: 'registration_failed' });
  }
  const session = await createSession(deps.db, deps.config.accounts.refreshExpiryMs, user.id);
  audit(deps, 'registered', { userId: user.id, sid: session.sid, ip: http.ip });
  return handOver(deps, http, user, session);
}

/** @throws Refusal `registration_closed` */
export function assertRegistrationOpen(deps: Deps): void {
  if (!deps.config.startup.registrationEnabled) refuse({ type: 'registration_closed' });
}

function cleanNames(input: z.output<typeof SignUp>): z.input<typeof SignUp> {
  const username = input.username && cleanText(input.username);
  return { ...input, name: cleanText(input.name), email: cleanText(input.email), username };
}
