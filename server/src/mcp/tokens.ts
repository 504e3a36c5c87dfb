// Tokens of people who signed in to MCP servers: renewed before their end and when the server refuses them.
import type { AuthProvider, OAuthDiscoveryState, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { Db } from '@parley/db/client';
import { connections } from '@parley/db/tables/tools';
import { and, eq, like, lt, sql } from 'drizzle-orm';
import * as z from 'zod';
import {
  createConnectionStore,
  createTokenStore,
  forgetConnection,
  type Connection,
  type Tokens,
} from '../connections/tokens.ts';
import type { Encryption } from '../keys/encryption.ts';
import { SignInNeeded } from './failure.ts';
import { findRefusedToken, type CreateServerFetch } from './fetch.ts';
import { serverOwner, mcpService, type McpServerEntry } from './servers.ts';

/** Tokens for a server, and what renewing them takes. */
export interface McpTokens extends Tokens {
  account: Account;
}

/** Parley at the authorization server of an MCP server. */
export interface Account {
  client: StoredOAuthClientInformation;
  discovery: OAuthDiscoveryState;
  /** The resource that tokens are for (RFC 8707). */
  resource: string | null;
}

export interface McpTokenStore {
  write(server: McpServerEntry, tokens: McpTokens): Promise<void>;
  /** What a sign-in that has begun is finished with. */
  readPending(server: McpServerEntry): Promise<Account | null>;
  writePending(server: McpServerEntry, account: Account): Promise<void>;
  forget(server: McpServerEntry): Promise<void>;
  /** The services that a person is signed in to. */
  services(userId: string): Promise<Set<string>>;
  /** Puts tokens into requests. */
  authProvider(server: McpServerEntry): AuthProvider;
}

/** A token is not used in the seconds before its end. */
const EARLY_MS = 30_000;
const PENDING = ':pending';

/** Written by this file alone, encrypted: its form is checked as far as a former version could differ. */
const isStored = (value: unknown) => typeof value === 'object' && value !== null;

export function createMcpTokenStore(deps: {
  db: Db;
  encryption: Encryption;
  fetchOf: CreateServerFetch;
}): McpTokenStore {
  const { query } = deps.db;
  const store = createTokenStore({ ...deps, schema: z.custom<McpTokens>(isStored), earlyMs: EARLY_MS });
  const pending = createConnectionStore({ ...deps, schema: z.custom<Account>(isStored) });
  return {
    write: (server, tokens) => store.write(connectionOf(server), tokens),
    readPending: (server) => pending.read(connectionOf(server, PENDING)),
    writePending: (server, account) => pending.write(connectionOf(server, PENDING), account),
    async forget(server) {
      await forgetConnection(query, connectionOf(server));
      await forgetConnection(query, connectionOf(server, PENDING));
    },
    async services(userId) {
      const of = eq(connections.userId, userId);
      const found = await query.select({ service: connections.service }).from(connections).where(of);
      return new Set(found.map(({ service }) => service));
    },
    authProvider(server) {
      return {
        async token() {
          const known = await store.read(connectionOf(server));
          if (!known) return undefined;
          const isLast = store.isUsable(known, null) || known.refreshToken === null;
          return isLast ? known.accessToken : renew(server, null);
        },
        // Requests that are sent together are refused together: each has its own token, and the first alone renews.
        async onUnauthorized({ response }) {
          await renew(server, findRefusedToken(response));
        },
      };
    },
  };

  async function renew(server: McpServerEntry, refused: string | null): Promise<string> {
    const request = async (known: McpTokens | null) => known && refreshed(known, deps.fetchOf(server));
    const renewed = await store.renew(connectionOf(server), refused, request);
    if (!renewed) throw new SignInNeeded();
    return renewed.accessToken;
  }
}

function connectionOf({ userId, id, target }: McpServerEntry, suffix = ''): Connection {
  const url = target.type === 'http' ? target.url : 'stdio://program';
  return { userId, service: mcpService(id) + suffix, encryptedFor: serverOwner({ userId, id, url }) };
}

/** Deletes what sign-ins left that were never finished. */
export async function sweepPendingSignIns({ query }: Db): Promise<void> {
  const isOld = lt(connections.updatedAt, sql`now() - interval '1 hour'`);
  await query.delete(connections).where(and(like(connections.service, `${mcpService('%')}${PENDING}`), isOld));
}

/** Null when the authorization server does not renew them; an outage is an error. */
async function refreshed(known: McpTokens, fetchFn: ReturnType<CreateServerFetch>): Promise<McpTokens | null> {
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
    return storedMcpTokens(got, account, refreshToken);
  } catch (error) {
    if (error instanceof OAuthError && !isOutage(error.code)) return null;
    throw error;
  }
}

function isOutage(code: string): boolean {
  return code === 'server_error' || code === 'temporarily_unavailable' || code === 'too_many_requests';
}

/** As the authorization server gives them. */
export function storedMcpTokens(
  got: { access_token: string; refresh_token?: string | undefined; expires_in?: number | undefined },
  account: Account,
  former: string | null = null,
): McpTokens {
  const endsAt = got.expires_in === undefined ? null : Date.now() + got.expires_in * 1000;
  return { accessToken: got.access_token, refreshToken: got.refresh_token ?? former, endsAt, account };
}
