// Tokens of people who signed in to MCP servers: kept encrypted in `connections`, renewed before their end and when the
// server refuses them.
import type { AuthProvider, OAuthDiscoveryState, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { Db, Query } from '@parley/db/client';
import { connections } from '@parley/db/tables/tools';
import { and, eq, inArray, like, lt, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Encryption } from '../keys/encryption.ts';
import { createRenewalLock, lockTokens, ofConnection } from '../connections/renewal-lock.ts';
import { SignInNeeded } from './failure.ts';
import { refusedTokenOf, type FetchOf } from './fetch.ts';
import { ownerOf, serviceOf, type McpServerEntry } from './servers.ts';

/** The tokens of one person for one server, and what renewing them takes. */
export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** Milliseconds since 1970; null when it is not known. */
  endsAt: number | null;
  account: Account;
}

/** Parley at the authorization server of an MCP server. */
export interface Account {
  client: StoredOAuthClientInformation;
  discovery: OAuthDiscoveryState;
  /** The resource that tokens are for (RFC 8707). */
  resource: string | null;
}

export interface TokenStore {
  read(server: McpServerEntry): Promise<Tokens | null>;
  write(server: McpServerEntry, tokens: Tokens): Promise<void>;
  /** What a sign-in that has begun is finished with. */
  readPending(server: McpServerEntry): Promise<Account | null>;
  writePending(server: McpServerEntry, account: Account): Promise<void>;
  forget(server: Pick<McpServerEntry, 'userId' | 'id'>): Promise<void>;
  /** The services that a person is signed in to. */
  services(userId: string): Promise<Set<string>>;
  /** Puts tokens into requests. */
  authProvider(server: McpServerEntry): AuthProvider;
}

/** A token is not used in the seconds before its end. */
const EARLY_MS = 30_000;
const PENDING = ':pending';

/** Written by this file alone, encrypted: its form is checked as far as a former version could differ. */
const Stored = z.looseObject({});

export function createTokenStore(deps: { db: Db; encryption: Encryption; fetchOf: FetchOf }): TokenStore {
  const { db } = deps;
  const rows = createEncryptedRows(deps.encryption);
  const renew = createRenewal(deps, rows);
  const read = (server: McpServerEntry) => rows.open<Tokens>(db.query, server, serviceOf(server.id));
  return {
    read,
    write: (server, tokens) => rows.put(db.query, server, serviceOf(server.id), tokens),
    readPending: (server) => rows.open<Account>(db.query, server, serviceOf(server.id) + PENDING),
    writePending: (server, account) => rows.put(db.query, server, serviceOf(server.id) + PENDING, account),
    async forget({ userId, id }) {
      const services = [serviceOf(id), serviceOf(id) + PENDING];
      await db.query
        .delete(connections)
        .where(and(eq(connections.userId, userId), inArray(connections.service, services)));
    },
    async services(userId) {
      const found = await db.query
        .select({ service: connections.service })
        .from(connections)
        .where(eq(connections.userId, userId));
      return new Set(found.map(({ service }) => service));
    },
    authProvider(server) {
      return {
        async token() {
          const known = await read(server);
          if (!known) return undefined;
          return isFresh(known) || known.refreshToken === null ? known.accessToken : renew(server, null);
        },
        // Requests that are sent together are refused together: each has its own token, and the first alone renews.
        async onUnauthorized({ response }) {
          await renew(server, refusedTokenOf(response));
        },
      };
    },
  };
}

type EncryptedRows = ReturnType<typeof createEncryptedRows>;

function createEncryptedRows(encryption: Encryption) {
  return {
    /** Null when there is none, or when it was saved for another host. */
    async open<T>(query: Query, server: McpServerEntry, service: string): Promise<T | null> {
      const [row] = await query
        .select()
        .from(connections)
        .where(ofConnection({ userId: server.userId, service }));
      return this.decrypt<T>(server, row?.encrypted ?? null);
    },
    decrypt<T>(server: McpServerEntry, encrypted: string | null): T | null {
      const isOpen = encrypted !== null && server.place.type === 'http';
      const text = isOpen ? encryption.decrypt(encrypted, encryptedFor(server)) : null;
      return text === null ? null : ((Stored.safeParse(JSON.parse(text)).data as T | undefined) ?? null);
    },
    async put(query: Query, server: McpServerEntry, service: string, value: Tokens | Account): Promise<void> {
      const values = valuesOf(server, value);
      await query
        .insert(connections)
        .values({ userId: server.userId, service, ...values })
        .onConflictDoUpdate({ target: [connections.userId, connections.service], set: values });
    },
    /** False when there is none any more: the person has signed out, or removed the server. */
    async replace(query: Query, server: McpServerEntry, service: string, value: Tokens): Promise<boolean> {
      const replaced = await query
        .update(connections)
        .set(valuesOf(server, value))
        .where(ofConnection({ userId: server.userId, service }))
        .returning({ service: connections.service });
      return replaced.length > 0;
    },
  };

  function valuesOf(server: McpServerEntry, value: Tokens | Account) {
    const endsAt = 'endsAt' in value && value.endsAt !== null ? new Date(value.endsAt).toISOString() : null;
    return {
      encrypted: encryption.encrypt(JSON.stringify(value), encryptedFor(server)),
      expiresAt: endsAt,
      updatedAt: sql`now()`,
    };
  }
}

/** Renews tokens, one at a time for each person and server, in all processes. It throws SignInNeeded. */
function createRenewal({ db, fetchOf }: { db: Db; fetchOf: FetchOf }, rows: EncryptedRows) {
  const exclusively = createRenewalLock(db);

  return async function renew(server: McpServerEntry, refused: string | null): Promise<string> {
    const of = { userId: server.userId, service: serviceOf(server.id) };
    const renewed = await exclusively(of, (tx) => renewIn(tx, server, refused));
    if (renewed === null) throw new SignInNeeded();
    return renewed;
  };

  /** Null when a person must sign in. */
  async function renewIn(tx: Query, server: McpServerEntry, refused: string | null): Promise<string | null> {
    const of = { userId: server.userId, service: serviceOf(server.id) };
    const known = rows.decrypt<Tokens>(server, await lockTokens(tx, of));
    // Another call may have renewed it meanwhile.
    if (known && known.accessToken !== refused && isFresh(known)) return known.accessToken;
    const fresh = known && (await refreshed(known, fetchOf(server)));
    if (fresh) return (await rows.replace(tx, server, of.service, fresh)) ? fresh.accessToken : null;
    await tx.delete(connections).where(ofConnection(of));
    return null;
  }
}

/** Deletes what sign-ins left that were never finished. */
export async function sweepPendingSignIns({ query }: Db): Promise<void> {
  const isOld = lt(connections.updatedAt, sql`now() - interval '1 hour'`);
  await query.delete(connections).where(and(like(connections.service, `${serviceOf('%')}${PENDING}`), isOld));
}

function encryptedFor({ userId, id, place }: McpServerEntry) {
  return ownerOf({ userId, id, url: place.type === 'http' ? place.url : 'stdio://program' });
}

function isFresh({ endsAt }: Tokens): boolean {
  return endsAt === null || endsAt - EARLY_MS > Date.now();
}

/** Null when the authorization server does not renew them; an outage is an error. */
async function refreshed(known: Tokens, fetchFn: ReturnType<FetchOf>): Promise<Tokens | null> {
  const { refreshToken, account } = known;
  if (refreshToken === null) return null;
  const { refreshAuthorization, OAuthError } = await import('@modelcontextprotocol/client');
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = account.discovery;
  try {
    const got = await refreshAuthorization(authorizationServerUrl, {
      clientInformation: account.client,
      refreshToken,
      fetchFn,
      ...(metadata && { metadata }),
      ...(account.resource !== null && { resource: new URL(account.resource) }),
    });
    return tokensOf(got, account, refreshToken);
  } catch (error) {
    if (error instanceof OAuthError && !isOutage(error.code)) return null;
    throw error;
  }
}

function isOutage(code: string): boolean {
  return code === 'server_error' || code === 'temporarily_unavailable' || code === 'too_many_requests';
}

/** As the authorization server gives them. */
export function tokensOf(
  got: { access_token: string; refresh_token?: string | undefined; expires_in?: number | undefined },
  account: Account,
  former: string | null = null,
): Tokens {
  const endsAt = got.expires_in === undefined ? null : Date.now() + got.expires_in * 1000;
  return { accessToken: got.access_token, refreshToken: got.refresh_token ?? former, endsAt, account };
}
