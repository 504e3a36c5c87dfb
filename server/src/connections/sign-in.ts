// Tests of this room: tests/integration/connections.

// A person's way to another site and back. The refresh cookie is not sent along when another site leads back here, so
// the signed cookie of the flow contains whose it is.
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { isSameSecret } from '../platform/secrets.ts';
import type { Config } from '../config/config.ts';
import type { Http } from '../platform/requests/request-info.ts';
import { createStateCookie } from '../platform/requests/signed-cookie.ts';
import { refuse } from '../platform/errors.ts';

const Flow = z.object({
  userId: z.string(),
  /** The session that began it, with which it ends. */
  sid: z.string(),
  /** As in `connections`. */
  service: z.string(),
  /** The host or address that is signed in to: the code belongs to no other. */
  target: z.string(),
  state: z.string().min(1),
  verifier: z.string().min(1),
});
export type SignInFlow = z.infer<typeof Flow>;

/** A flow as the service knows it, which is not told of sessions. */
export type ServiceFlow = Omit<SignInFlow, 'sid'>;

/** A flow whose person has agreed. */
export interface Agreed {
  flow: ServiceFlow;
  /** The authorization code. */
  code: string;
  /** The issuer, if the site sent one (RFC 9207). */
  issuer: string | null;
}

/** How people sign in to one kind of service. */
export interface ServiceSignIn {
  /** Where the browser goes, and what it takes along. @throws Refusal */
  start(userId: string, id: string): Promise<{ location: string; flow: ServiceFlow }>;
  /** Keeps the tokens; returns the name of what is signed in to. @throws Refusal; TokenError */
  finish(agreed: Agreed): Promise<string>;
}

const cookie = createStateCookie('connection-state', Flow);

export function writeFlow(http: Http, secret: string, flow: SignInFlow): Promise<void> {
  return cookie.write(http, secret, flow);
}

/** @throws Refusal `social_login` */
export async function finishFlow(
  http: Http,
  secret: string,
  query: URLSearchParams,
): Promise<Agreed & { flow: SignInFlow }> {
  const flow = await cookie.consume(http, secret);
  if (!flow || !isSameSecret(flow.state, query.get('state') ?? ''))
    return refuse({ type: 'social_login', why: 'expired' });
  if (query.get('error') === 'access_denied') refuse({ type: 'social_login', why: 'cancelled' });
  const code = query.get('code') || refuse({ type: 'social_login', why: 'failed' });
  return { flow, code, issuer: query.get('iss') };
}

export function callbackUrl({ server }: Config): string {
  return `${server.domainServer}/api/connections/callback`;
}

/** The address at which a browser begins to sign in. */
export function startUrl({ server }: Config, service: string): string {
  return `${server.domainServer}/api/connections/start?${new URLSearchParams({ service })}`;
}

const WORD_BYTES = 32;

export function randomWord(): string {
  return randomBytes(WORD_BYTES).toString('base64url');
}
