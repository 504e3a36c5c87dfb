// Signing in to an MCP server: its authorization server is discovered, Parley registers itself there, and the person
// agrees (authorization code with PKCE).
import type {
  FetchLike,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Config } from '../config/config.ts';
import { isHttpUrl } from '../config/addresses.ts';
import { callbackUrl, randomWord, type ServiceSignIn } from '../connections/sign-in.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import type { CreateServerFetch } from './fetch.ts';
import { mayBeLegacy } from './legacy-sse.ts';
import { mcpService, type McpServerEntry, type McpServers } from './servers.ts';
import { storedMcpTokens, type Account, type McpTokenStore } from './tokens.ts';

export interface SignInDeps {
  config: Config;
  servers: McpServers;
  tokens: McpTokenStore;
  fetchOf: CreateServerFetch;
  onSignedIn(server: McpServerEntry): Promise<void>;
  onFault(error: unknown): void;
}

export function createMcpSignIn(deps: SignInDeps): ServiceSignIn {
  const { servers, tokens: store, fetchOf } = deps;
  return {
    async start(userId, id) {
      const { server, url } = await oauthServer(servers, userId, id);
      const { provider, made, account } = createFlow(deps.config, randomWord());
      await attempt(async () => {
        const { auth } = await import('@modelcontextprotocol/client');
        const fetchFn = fetchOf(server);
        const challenge = await findChallenge(url, fetchFn, fetchOf(server, 'events'));
        await auth(provider, { serverUrl: url, ...challenge, fetchFn, forceReauthorization: true });
      });
      const { location, state, verifier } = made;
      if (!isHttpUrl(location)) refuse({ type: 'social_login', why: 'failed' });
      await store.writePending(server, account());
      return { location, flow: { userId, service: mcpService(id), target: url, state, verifier } };
    },
    async finish({ flow, code: authorizationCode, issuer: iss }) {
      const id = flow.service.slice(mcpService('').length);
      const { server, url } = await oauthServer(servers, flow.userId, id);
      const account = await store.readPending(server);
      // The server was changed meanwhile: the code belongs to its former address.
      if (!account || url !== flow.target) return refuse({ type: 'social_login', why: 'expired' });
      const { provider, made } = createFlow(deps.config, flow.state, { ...account, verifier: flow.verifier });
      await attempt(async () => {
        const { auth } = await import('@modelcontextprotocol/client');
        await auth(provider, { serverUrl: url, authorizationCode, fetchFn: fetchOf(server), ...(iss && { iss }) });
      });
      const got = made.tokens ?? refuse({ type: 'social_login', why: 'failed' });
      await store.forget(server);
      await store.write(server, storedMcpTokens(got, account));
      await deps.onSignedIn(server);
      return server.name;
    },
  };

  /** @throws Refusal */
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      deps.onFault(error);
      refuse({ type: 'social_login', why: error instanceof TypeError ? 'unreachable' : 'failed' });
    }
  }
}

/** @throws Refusal `not_found` also for servers that nobody signs in to */
async function oauthServer(servers: McpServers, userId: string, id: string) {
  const server = await servers.findUsable(userId, id);
  if (server.auth !== 'oauth' || server.target.type !== 'http')
    return refuse({ type: 'not_found', what: 'mcp_server' });
  return { server, url: server.target.url };
}

/** How to sign in, as the server answers a request without a token, by either transport. */
async function findChallenge(url: string, fetchFn: FetchLike, streamFetch: FetchLike) {
  const { extractWWWAuthenticateParams, LATEST_PROTOCOL_VERSION } = await import('@modelcontextprotocol/client');
  const params = {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'Parley', version: '1.0.0' },
  };
  const answers = [
    () =>
      fetchFn(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
      }),
    () => streamFetch(url, { headers: { accept: 'text/event-stream' } }),
  ];
  for (const ask of answers) {
    const response = await ask();
    await response.body?.cancel();
    if (response.status === 401) {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
    }
    if (!mayBeLegacy(response.status)) return {};
  }
  return {};
}

interface Made {
  state: string;
  location: string;
  verifier: string;
  client: StoredOAuthClientInformation | undefined;
  discovery: OAuthDiscoveryState | undefined;
  resource: string | null;
  tokens: StoredOAuthTokens | undefined;
}

/** What the client's package asks for and reports during one of the two halves of a sign-in. */
function createFlow(config: Config, state: string, known?: Account & { verifier: string }) {
  const redirectUrl = callbackUrl(config);
  const made: Made = {
    state,
    location: '',
    verifier: known?.verifier ?? '',
    client: known?.client,
    discovery: known?.discovery,
    resource: known?.resource ?? null,
    tokens: undefined,
  };
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: config.startup.appTitle,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => made.client,
    saveClientInformation: (client) => void (made.client = client),
    tokens: () => undefined,
    saveTokens: (tokens) => void (made.tokens = tokens),
    redirectToAuthorization: ({ href }) => void (made.location = href),
    saveCodeVerifier: (verifier) => void (made.verifier = verifier),
    codeVerifier: () => made.verifier,
    saveResourceUrl: (resource) => void (made.resource = String(resource)),
    discoveryState: () => made.discovery,
    saveDiscoveryState: (discovery) => void (made.discovery = discovery),
  };
  return {
    provider,
    made,
    /** @throws Refusal when the authorization server said too little */
    account(): Account {
      const { client, discovery, resource } = made;
      if (!client || !discovery) return refuse({ type: 'social_login', why: 'failed' });
      return { client, discovery, resource };
    },
  };
}
