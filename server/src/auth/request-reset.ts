import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import type { Letter } from '../mail.ts';
import type { Http } from '../trpc.ts';
import { accountKey, countResetRequest } from './attempts.ts';
import { audit } from './audit.ts';
import { resetLetter } from './letters.ts';
import { createResetLink } from './resets.ts';
import { findUserByEmail } from './users.ts';

/** What a proxy adds, whichever of its two headers it knows. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * A link for who has forgotten the password: by mail; without mail in the answer, where it may be seen by whoever asks;
 * otherwise not at all, and then only the operator can make one. Whether there is an account is told in the second case
 * alone, where it shows anyway. By mail it is looked for after the answer, so that not even time tells of it.
 * @throws Refusal `too_many_attempts`, `not_found`
 */
export async function requestReset(deps: Deps, http: Http, email: string): Promise<{ link: string }> {
  await countResetRequest(deps, http, email);
  audit(deps, 'reset_requested', { account: accountKey(deps, email), ip: http.ip });
  if (deps.mail) deps.mail.send(() => writeLetter(deps, email));
  if (deps.mail || !isLinkShown(deps.config, http)) return { link: '' };
  const user = (await findUserByEmail(deps.db, email)) ?? refuse({ type: 'not_found', what: 'user' });
  return { link: await createResetLink(deps.db, deps.config.server, user.id, { mailed: false }) };
}

async function writeLetter({ db, config }: Deps, email: string): Promise<Letter | null> {
  const user = await findUserByEmail(db, email);
  if (!user) return null;
  const link = await createResetLink(db, config.server, user.id, { mailed: true });
  return resetLetter(config.startup.appTitle, user, link);
}

/** Whoever sees the link has the account: that is the operator's to allow, or whoever sits at this machine. */
function isLinkShown({ accounts, server }: Config, http: Http): boolean {
  return accounts.allowResetLink || (isLocalSite(server.domainClient) && isFromHere(http));
}

/** The host that was asked counts, too: a name of another site may lead here, and its page would read the answer. */
function isFromHere({ ip, headers }: Http): boolean {
  const isDirect = !FORWARDING.some((name) => headers.has(name));
  return isDirect && isLoopback(ip) && isLocalSite(`http://${headers.get('host') ?? ''}`);
}

function isLoopback(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback';
}

function isLocalSite(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);
}
