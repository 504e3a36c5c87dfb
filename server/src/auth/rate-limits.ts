// Rate limits of sign-in, registration, password reset and refresh. Counter keys hold a keyed hash of the e-mail
// address, so the table holds no addresses.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../platform/errors.ts';
import { giveBack, resetRateLimit, consume, ipNetwork } from '../platform/rate-limiter.ts';
import type { Http } from '../platform/requests/request-info.ts';
import { audit } from '../platform/audit.ts';
import type { AuthServices } from './auth-services.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

const REFRESHES_PER_MINUTE = 300;
const INVITATION_LOOKUPS_PER_MINUTE = 60;
const PASSKEYS_PER_MINUTE = 60;
/** Limit of one account across all IP addresses, as a multiple of the limit per address. */
const ACCOUNT_FACTOR = 3;
const SLOW_TRIES = 2;
const SLOW_MS = 1_000;
const CODES_PER_WINDOW = 10;
const CODES_WINDOW_SECONDS = 15 * 60;
/** Reset links per account and window, from all IP addresses together. */
const RESETS_PER_ACCOUNT = 3;

/**
 * Counts a sign-in by IP address and by account. An account under attack is never locked: beyond its limit each address
 * still has a few tries per window, so the owner can sign in while guessing stays hopeless.
 * @throws Refusal `too_many_attempts`
 */
export async function limitSignIn(deps: AuthServices, http: Http, email: string): Promise<void> {
  await limitSignInByAddress(deps, http);
  const { max, windowInMinutes } = deps.config.limits.login;
  const account = accountKey(deps, email);
  const address = ipNetwork(http.ip);
  const seconds = windowInMinutes * 60;
  const { allowed } = await consume(deps.db, `login:account:${account}`, max * ACCOUNT_FACTOR, seconds);
  if (allowed) return;
  await assertWithinLimit(deps, http, `login:account:${account}:${address}`, SLOW_TRIES, seconds);
  await sleep(SLOW_MS);
}

/** Takes back what `limitSignIn` has counted, where nobody could tell whether the password was right. */
export async function giveBackSignIn(deps: AuthServices, http: Http, email: string): Promise<void> {
  await giveBack(deps.db, `login:ip:${ipNetwork(http.ip)}`);
  await giveBack(deps.db, `login:account:${accountKey(deps, email)}`);
}

/** Counts a sign-in by IP address only, when the account is not known yet. @throws Refusal `too_many_attempts` */
export async function limitSignInByAddress(deps: AuthServices, http: Http): Promise<void> {
  const { max, windowInMinutes } = deps.config.limits.login;
  await assertWithinLimit(deps, http, `login:ip:${ipNetwork(http.ip)}`, max, windowInMinutes * 60);
}

/** Counts a code of a second factor by account, whatever the address: codes are short. @throws Refusal `too_many_attempts` */
export async function limitCodes(deps: CoreServices, http: Http, userId: string): Promise<void> {
  await assertWithinLimit(deps, http, `factor:user:${userId}`, CODES_PER_WINDOW, CODES_WINDOW_SECONDS);
}

/** Resets the sign-in counters of an account after its password has changed. */
export async function resetSignInLimit(deps: AuthServices, email: string): Promise<void> {
  await resetRateLimit(deps.db, `login:account:${accountKey(deps, email)}`);
}

/**
 * Counts a request for a link by mail by IP address and by account, whether the account exists or not. Beyond the
 * account's limit its last link stays valid, so others cannot lock the owner out.
 * @throws Refusal `too_many_attempts`
 */
export async function limitResetRequest(
  deps: AuthServices,
  http: Http,
  email: string,
  what: 'reset' | 'confirm' = 'reset',
): Promise<void> {
  const { max, windowInMinutes } = deps.config.limits.reset;
  const seconds = windowInMinutes * 60;
  await assertWithinLimit(deps, http, `${what}:ip:${ipNetwork(http.ip)}`, max, seconds);
  await assertWithinLimit(deps, http, `${what}:account:${accountKey(deps, email)}`, RESETS_PER_ACCOUNT, seconds);
}

/**
 * Counts an attempt to use a reset link, because of the cost of a lookup: tokens cannot be guessed.
 * @throws Refusal `too_many_attempts`
 */
export async function limitResetUse(deps: AuthServices, http: Http): Promise<void> {
  const { max, windowInMinutes } = deps.config.limits.reset;
  await assertWithinLimit(deps, http, `reset-use:ip:${ipNetwork(http.ip)}`, max, windowInMinutes * 60);
}

/** @throws Refusal `too_many_attempts` */
export async function limitRegistration(deps: AuthServices, http: Http): Promise<void> {
  const { max, windowInMinutes } = deps.config.limits.register;
  await assertWithinLimit(deps, http, `register:ip:${ipNetwork(http.ip)}`, max, windowInMinutes * 60);
}

/** Generous: one IP address may be an office with many tabs. @throws Refusal `too_many_attempts` */
export async function limitRefresh(deps: CoreServices, http: Http): Promise<void> {
  await assertWithinLimit(deps, http, `refresh:ip:${ipNetwork(http.ip)}`, REFRESHES_PER_MINUTE, 60);
}

/** Tokens cannot be guessed; this is for the cost of a lookup. @throws Refusal `too_many_attempts` */
export async function limitInvitationLookup(deps: CoreServices, http: Http): Promise<void> {
  await assertWithinLimit(deps, http, `invitation:ip:${ipNetwork(http.ip)}`, INVITATION_LOOKUPS_PER_MINUTE, 60);
}

/** Signatures cannot be guessed; this is for the cost of a challenge. @throws Refusal `too_many_attempts` */
export async function limitPasskeys(deps: CoreServices, http: Http): Promise<void> {
  await assertWithinLimit(deps, http, `passkey:ip:${ipNetwork(http.ip)}`, PASSKEYS_PER_MINUTE, 60);
}

/** The keyed hash that names an account in counters and log lines. */
export function accountKey(deps: AuthServices, email: string): string {
  return createHmac('sha256', deps.secrets.jwtSecret).update(email.toLowerCase()).digest('hex').slice(0, 32);
}

async function assertWithinLimit(
  deps: CoreServices,
  http: Http,
  key: string,
  max: number,
  seconds: number,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await consume(deps.db, key, max, seconds);
  if (allowed) return;
  audit(deps, 'limited', { key });
  http.setHeader('Retry-After', String(retryAfterSeconds));
  refuse({ type: 'too_many_attempts', retryAfterSeconds });
}
