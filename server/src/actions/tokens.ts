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

export interface TokenStore {
  /** The stored tokens, also those at their end; null when there are none, or when they are for another host. */
  read(action: ActionRow): Promise<Tokens | null>;
  /** Of an action that still exists: tokens that come after its removal are for nobody. */
  write(action: ActionRow, tokens: Tokens): Promise<void>;
  forget(action: Pick<ActionRow, 'userId' | 'id'>): Promise<void>;
  /** Alone for this action in all processes, so that a token is not requested twice, nor a refresh token used twice. */
  renew<T>(action: ActionRow, work: (renewal: Renewal) => Promise<T>): Promise<T>;
}

/** The tokens of an action while they are renewed. */
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
  const forget = async (query: Query, action: Pick<ActionRow, 'userId' | 'id'>) =>
    void (await query.delete(connections).where(ofConnection(connected(action))));
  return {
    async read(action) {
      const [row] = await db.query
        .select()
        .from(connections)
        .where(ofConnection(connected(action)));
      return decrypt(action, row?.encrypted ?? null);
    },
    write: (action, tokens) => write(db.query, action, tokens),
    forget: (action) => forget(db.query, action),
    renew: (action, work) =>
      exclusively(connected(action), async (tx) =>
        work({
          known: decrypt(action, await lockTokens(tx, connected(action))),
          write: (tokens) => write(tx, action, tokens),
          forget: () => forget(tx, action),
        }),
      ),
  };

  /** Null when there are none, or when they are for another host. */
  function decrypt(action: ActionRow, encrypted: string | null): Tokens | null {
    const text = encrypted === null ? null : encryption.decrypt(encrypted, ownerOf(action));
    return text === null ? null : (Stored.safeParse(JSON.parse(text)).data ?? null);
  }

  async function write(query: Query, action: ActionRow, tokens: Tokens): Promise<void> {
    const values = {
      encrypted: encryption.encrypt(JSON.stringify(tokens), ownerOf(action)),
      expiresAt: tokens.endsAt === null ? null : new Date(tokens.endsAt).toISOString(),
      updatedAt: sql`now()`,
    };
    // The lock makes a removal wait, so that it finds what it has to forget.
    const ofExisting = sql`
      select ${actions.userId}, ${serviceOf(action.id)}::text, ${values.encrypted}::text,
        ${values.expiresAt}::timestamptz, ${values.updatedAt}
      from ${actions} where ${actions.userId} = ${action.userId} and ${actions.id} = ${action.id} for share`;
    await query
      .insert(connections)
      .select(ofExisting)
      .onConflictDoUpdate({ target: [connections.userId, connections.service], set: values });
  }
}

function connected({ userId, id }: Pick<ActionRow, 'userId' | 'id'>): Connected {
  return { userId, service: serviceOf(id) };
}

function ownerOf({ userId, id, domain }: ActionRow): { userId: string; name: string } {
  return { userId, name: `connection:${serviceOf(id)}:${domain}` };
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
