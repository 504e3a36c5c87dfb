// Access tokens of actions, and how they are requested.
import type { Db } from '@parley/db/client';
import { actions } from '@parley/db/tables/assistants';
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import { parseJson } from '@parley/schema/json';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { tokenForm } from '../auth/oauth/token-request.ts';
import type { Encryption } from '../keys/encryption.ts';
import type { Egress } from '../platform/egress.ts';
import { createTokenStore, type Connection, type Tokens, type TokenStore } from '../connections/tokens.ts';
import { actionService, type ActionRow } from './rows.ts';
import type { ClientSecrets } from './secrets.ts';

/** A token endpoint that gives no token. The message names the host and contains nothing of what was sent. */
export class TokenError extends Error {
  override name = 'TokenError';
  /** Whether it refuses, and does not only fail for now. */
  readonly isRefusal: boolean;

  constructor(message: string, isRefusal: boolean) {
    super(message);
    this.isRefusal = isRefusal;
  }
}

type OAuth = Extract<ActionAuth, { type: 'oauth' }>;

/** A token is not used in the minute before its end. */
const EARLY_MS = 60_000;

const LIMITS = { maxBytes: 256 * 1024, timeoutMs: 15_000 };

const Stored = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  endsAt: z.number().nullable(),
});
/** RFC 6749, 5.1. Some servers send the seconds as text. */
const TokenResponse = z.object({
  access_token: z
    .string()
    .min(1)
    .max(16_384)
    .regex(/^[\x21-\x7e]+$/),
  refresh_token: z.string().max(16_384).nullish(),
  expires_in: z.coerce
    .number()
    .positive()
    .max(10 * 365 * 24 * 3600)
    .nullish()
    .catch(null),
});

export function createActionTokens(deps: { db: Db; encryption: Encryption }): TokenStore<Tokens> {
  return createTokenStore({ ...deps, schema: Stored, earlyMs: EARLY_MS });
}

/** @param holderId whose tokens are meant: those of the action's owner, or of somebody to whom it is lent */
export function actionConnection({ userId, id, domain }: ActionRow, holderId: string): Connection {
  const service = actionService(id);
  return {
    userId: holderId,
    service,
    encryptedFor: { userId: holderId, name: `connection:${service}:${domain}` },
    // The lock makes a removal wait, so that it finds what it has to forget.
    whileThere: sql`from ${actions} where ${actions.userId} = ${userId} and ${actions.id} = ${id} for share`,
  };
}

export interface TokenRequest {
  auth: OAuth;
  secrets: ClientSecrets;
  /** The fields of the form, beside those of the client. */
  grant: Record<string, string>;
  signal: AbortSignal;
}

/**
 * Asks the token endpoint by a form.
 * @throws TokenError; Refusal `forbidden_base_url`
 */
export async function requestTokens(egress: Egress, { auth, secrets, grant, signal }: TokenRequest): Promise<Tokens> {
  const { host } = new URL(auth.clientUrl);
  const form = tokenForm(secrets, auth.tokenExchangeMethod === 'basic_auth_header' ? 'basic' : 'post', grant);
  const response = await egress.call(auth.clientUrl, form, { ...LIMITS, signal });
  const text = await response.text();
  const { status } = response;
  if (status !== 200)
    throw new TokenError(`${host} answers the request for a token with ${status}`, [400, 401, 403].includes(status));
  const reported = TokenResponse.safeParse(fieldsIn(text, response.headers.get('content-type') ?? ''));
  if (!reported.success) throw new TokenError(`${host} gives no access token`, false);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = reported.data;
  return {
    accessToken,
    refreshToken: refreshToken || null,
    endsAt: typeof seconds === 'number' ? Date.now() + seconds * 1000 : null,
  };
}

/** Some servers answer with a form, whatever is accepted. */
function fieldsIn(text: string, type: string): unknown {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return Object.fromEntries(new URLSearchParams(text));
  return parseJson(text);
}
