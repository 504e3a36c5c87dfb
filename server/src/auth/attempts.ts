// How often one may try to come in. Counters name an account by a keyed hash, so that the table holds no e-mail.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../errors.ts';
import type { Deps } from '../deps.ts';
import { forgetHits, hit, networkOf } from '../limits.ts';
import type { Http } from '../trpc.ts';
import { audit } from './audit.ts';

const REFRESHES_PER_MINUTE = 300;
/** How many of one address's limits an account takes from all addresses together. */
const ACCOUNT_FACTOR = 3;
const SLOW_TRIES = 2;
const SLOW_MS = 1_000;
/** Links that one account may be sent within a window, from wherever they are asked for. */
const RESETS_PER_ACCOUNT = 3;

/**
 * Counts a sign-in by address and by account. An account under attack is never locked: beyond its limit each address
 * still has a few slow tries per window, so its owner comes in while guessing stays hopeless.
 * @throws Refusal `too_many_attempts`
 */
export async function countSignIn(deps: Deps, http: Http, email: string): Promise<void> {
  await countSignInOfAddress(deps, http);
  const { max, windowInMinutes } = deps.config.limits.login;
  const account = accountKey(deps, email);
  const address = networkOf(http.ip);
  const seconds = windowInMinutes * 60;
  const { allowed } = await hit(deps.db, `login:account:${account}`, max * ACCOUNT_FACTOR, seconds);
  if (allowed) return;
  await count(deps, http, `login:account:${account}:${address}`, SLOW_TRIES, seconds);
  await sleep(SLOW_MS);
}

/** Counts a sign-in whose account nobody knows yet. @throws Refusal `too_many_attempts` */
export async function countSignInOfAddress(deps: Deps, http: Http): Promise<void> {
  const { max, windowInMinutes } = deps.config.limits.login;
  await count(deps, http, `login:ip:${networkOf(http.ip)}`, max, windowInMinutes * 60);
}

/** Forgets the tries to sign in to an account: its password is another now. */
export async function forgetSignIns(deps: Deps, email: string): Promise<void> {
  await forgetHits(deps.db, `login:account:${accountKey(deps, email)}`);
}

/**
 * Counts a link that is asked for, by address and by account, whether there is one or not. Of an account that is asked
 * for too often the last link stays good, so that nobody is kept from it by others.
 * @throws Refusal `too_many_attempts`
 */
export async function countResetRequest(deps: Deps, http: Http, email: string): Promise<void> {
  const { max, windowInMinutes } = deps.config.limits.reset;
  const seconds = windowInMinutes * 60;
  await count(deps, http, `reset:ip:${networkOf(http.ip)}`, max, seconds);
  await count(deps, http, `reset:account:${accountKey(deps, email)}`, RESETS_PER_ACCOUNT, seconds);
}

/** Counts an attempt to use a link: what it costs to look, for nobody guesses one. @throws Refusal `too_many_attempts` */
export async function countReset(deps: Deps, http: Http): Promise<void> {
  const { max, windowInMinutes } = deps.config.limits.reset;
  await count(deps, http, `reset-use:ip:${networkOf(http.ip)}`, max, windowInMinutes * 60);
}

/** @throws Refusal `too_many_attempts` */
export async function countRegistration(deps: Deps, http: Http): Promise<void> {
  const { max, windowInMinutes } = deps.config.limits.register;
  await count(deps, http, `register:ip:${networkOf(http.ip)}`, max, windowInMinutes * 60);
}

/** Generous: one address may be an office with many tabs. @throws Refusal `too_many_attempts` */
export async function countRefresh(deps: Deps, http: Http): Promise<void> {
  await count(deps, http, `refresh:ip:${networkOf(http.ip)}`, REFRESHES_PER_MINUTE, 60);
}

/** An account as counters and log lines name it. */
export function accountKey(deps: Deps, email: string): string {
  return createHmac('sha256', deps.secrets.jwtSecret).update(email.toLowerCase()).digest('hex').slice(0, 32);
}

async function count(deps: Deps, http: Http, key: string, max: number, seconds: number): Promise<void> {
  const { allowed, retryAfterSeconds } = await hit(deps.db, key, max, seconds);
  if (allowed) return;
  audit(deps, 'limited', { key });
  http.setHeader('Retry-After', String(retryAfterSeconds));
  refuse({ type: 'too_many_attempts', retryAfterSeconds });
}
