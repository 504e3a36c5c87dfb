// Access tokens of actions: requested, kept encrypted in `connections`, and renewed.
import type { Db, Query } from '@parley/db/client';
import { actions } from '@parley/db/tables/assistants';
import { connections } from '@parley/db/tables/tools';
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { basicCredentials } from '../auth/oauth/token-request.ts';
import type { Encryption } from '../keys/encryption.ts';
import type { Egress } from '../platform/egress.ts';
import { createRenewalLock, lockTokens, ofConnection, type Connected } from '../connections/renewal-lock.ts';
import { serviceOf, type ActionRow } from './rows.ts';
import type { ClientSecrets } from './secrets.ts';

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** Milliseconds since 1970; null when it is not known. */
  endsAt: number | null;
}

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

/** An action, and the person whose tokens for it are meant: its owner, or somebody to whom it is lent. */
export type TokenHolder = ActionRow & { holderId: string };

export interface TokenStore {
  /** The stored tokens, also those at their end; null when there are none, or when they are for another host. */
  read(holder: TokenHolder): Promise<Tokens | null>;
  /** Of an action that still exists: tokens that come after its removal are for nobody. */
  write(holder: TokenHolder, tokens: Tokens): Promise<void>;
  forget(holder: Pick<TokenHolder, 'holderId' | 'id'>): Promise<void>;
  /** Alone for this holder in all processes, so that a token is not requested twice, nor a refresh token used twice. */
  renew<T>(holder: TokenHolder, work: (renewal: Renewal) => Promise<T>): Promise<T>;
}

/** The tokens of a holder while they are renewed. */
export interface Renewal {
  /** As they are now: another process may have renewed them. */
  known: Tokens | null;
  write(tokens: Tokens): Promise<void>;
  /** Forgets `known`, which nobody has replaced meanwhile. */
  forget(): Promise<void>;
}

type OAuth = Extract<ActionAuth, { type: 'oauth' }>;

/** A token is not used in the minute before its end. */
export const EARLY_MS = 60_000;

const LIMITS = { maxBytes: 256 * 1024, timeoutMs: 15_000 };

const Stored = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  endsAt: z.number().nullable(),
});
/** RFC 6749, 5.1. Some servers send the seconds as text. */
const Answer = z.object({
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

export function createTokenStore({ db, encryption }: { db: Db; encryption: Encryption }): TokenStore {
  const exclusively = createRenewalLock(db);
  const forget = async (query: Query, holder: Pick<TokenHolder, 'holderId' | 'id'>) =>
    void (await query.delete(connections).where(ofConnection(connected(holder))));
  return {
    async read(holder) {
      const [row] = await db.query
        .select()
        .from(connections)
        .where(ofConnection(connected(holder)));
      return decrypt(holder, row?.encrypted ?? null);
    },
    write: (holder, tokens) => write(db.query, holder, tokens),
    forget: (holder) => forget(db.query, holder),
    renew: (holder, work) =>
      exclusively(connected(holder), async (tx) =>
        work({
          known: decrypt(holder, await lockTokens(tx, connected(holder))),
          write: (tokens) => write(tx, holder, tokens),
          forget: () => forget(tx, holder),
        }),
      ),
  };

  /** Null when there are none, or when they are for another host. */
  function decrypt(holder: TokenHolder, encrypted: string | null): Tokens | null {
    const text = encrypted === null ? null : encryption.decrypt(encrypted, ownerOf(holder));
    return text === null ? null : (Stored.safeParse(JSON.parse(text)).data ?? null);
  }

  async function write(query: Query, holder: TokenHolder, tokens: Tokens): Promise<void> {
    const values = {
      encrypted: encryption.encrypt(JSON.stringify(tokens), ownerOf(holder)),
      expiresAt: tokens.endsAt === null ? null : new Date(tokens.endsAt).toISOString(),
      updatedAt: sql`now()`,
    };
    // The lock makes a removal wait, so that it finds what it has to forget.
    const ofExisting = sql`
      select ${holder.holderId}::uuid, ${serviceOf(holder.id)}::text, ${values.encrypted}::text,
        ${values.expiresAt}::timestamptz, ${values.updatedAt}
      from ${actions} where ${actions.userId} = ${holder.userId} and ${actions.id} = ${holder.id} for share`;
    await query
      .insert(connections)
      .select(ofExisting)
      .onConflictDoUpdate({ target: [connections.userId, connections.service], set: values });
  }
}

function connected({ holderId, id }: Pick<TokenHolder, 'holderId' | 'id'>): Connected {
  return { userId: holderId, service: serviceOf(id) };
}

function ownerOf({ holderId, id, domain }: TokenHolder): { userId: string; name: string } {
  return { userId: holderId, name: `connection:${serviceOf(id)}:${domain}` };
}

/**
 * Asks the token endpoint by a form.
 * @param grant its fields, beside those of the client
 * @throws TokenError; Refusal `forbidden_base_url`
 */
export async function requestTokens(
  egress: Egress,
  {
    auth,
    secrets,
    grant,
    signal,
  }: { auth: OAuth; secrets: ClientSecrets; grant: Record<string, string>; signal: AbortSignal },
): Promise<Tokens> {
  const { clientId, clientSecret } = secrets;
  const form = new URLSearchParams(grant);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'Parley',
  };
  if (auth.tokenExchangeMethod === 'basic_auth_header')
    headers.authorization = `Basic ${basicCredentials(clientId, clientSecret)}`;
  else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  const { host } = new URL(auth.clientUrl);
  const init = { method: 'POST', headers, body: form.toString() };
  const response = await egress.call(auth.clientUrl, init, { ...LIMITS, signal });
  const text = await response.text();
  const { status } = response;
  if (status !== 200)
    throw new TokenError(`${host} answers the request for a token with ${status}`, [400, 401, 403].includes(status));
  const told = Answer.safeParse(fieldsIn(text, response.headers.get('content-type') ?? ''));
  if (!told.success) throw new TokenError(`${host} gives no access token`, false);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = told.data;
  return {
    accessToken,
    refreshToken: refreshToken || null,
    endsAt: typeof seconds === 'number' ? Date.now() + seconds * 1000 : null,
  };
}

/** Some servers answer with a form, whatever is accepted. */
function fieldsIn(text: string, type: string): unknown {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
