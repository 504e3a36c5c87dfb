// A stand-in for an MCP server, by the official SDK: streamable HTTP with sessions, tools that do what tools do, and on
// demand an authorization server that people sign in to.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listenLocally } from '../local-server.ts';
import { respondOAuth, createAuthorizations, type Authorizations } from './mcp-oauth.ts';
import { callTool, listedTools, type FakeMcpTools } from './mcp-tools.ts';

export interface FakeMcpServer extends FakeMcpTools {
  /** Of its only endpoint. */
  url: string;
  /** `127.0.0.1:<port>`, for the operator's list of exempt hosts. */
  host: string;
  /** The calls of tools, the oldest first. */
  calls: { name: string; args: Record<string, unknown> }[];
  /** The headers of every request to the endpoint, the oldest first. */
  headers: Record<string, string>[];
  /** How many sessions were opened, and ended by the other side. */
  opened: number;
  closed: number;
  authorizations: Authorizations;
  /** Sessions are unknown from now on, as after a restart. */
  forgetSessions(): void;
  close(): Promise<void>;
}

export interface FakeMcpOptions {
  /** What requests must have: a header, or a token of its authorization server. */
  auth?: { type: 'header'; name: string; value: string } | { type: 'oauth' };
  /** Speaks the older transport alone: `GET /sse` opens a stream of events, a POST to that address is refused by 405. */
  isLegacy?: boolean;
}

interface FakeMcpState extends FakeMcpServer {
  sessions: Map<string, StreamableHTTPServerTransport>;
  streams: Map<string, SSEServerTransport>;
}

export async function startFakeMcpServer({ auth, isLegacy = false }: FakeMcpOptions = {}): Promise<FakeMcpServer> {
  const { url, host, close } = await listenLocally((request, response) =>
    respond(state, { ...(auth && { auth }), isLegacy }, request, response),
  );
  const state: FakeMcpState = {
    url: `${url}/${isLegacy ? 'sse' : 'mcp'}`,
    host,
    calls: [],
    headers: [],
    opened: 0,
    closed: 0,
    abandoned: 0,
    description: 'As it was.',
    moreTools: 0,
    beforeListing: async () => undefined,
    authorizations: createAuthorizations(),
    sessions: new Map(),
    streams: new Map(),
    forgetSessions() {
      state.sessions.clear();
      for (const stream of state.streams.values()) void stream.close();
    },
    close,
  };
  return state;
}

async function respond(
  state: FakeMcpState,
  { auth, isLegacy = false }: FakeMcpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '', state.url);
  if (!(isLegacy ? ['/sse', '/messages'] : ['/mcp']).includes(pathname)) {
    if (auth?.type === 'oauth') return respondOAuth(state.authorizations, `http://${state.host}`, request, response);
    response.writeHead(404).end();
    return;
  }
  state.headers.push(Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, `${value}`])));
  if (isLegacy && pathname === '/sse' && request.method !== 'GET') {
    response.writeHead(405, { allow: 'GET' }).end();
    return;
  }
  if (!isAllowed(state, auth, request)) {
    const metadata = `http://${state.host}/.well-known/oauth-protected-resource${isLegacy ? '/sse' : '/mcp'}`;
    const challenge = auth?.type === 'oauth' ? { 'www-authenticate': `Bearer resource_metadata="${metadata}"` } : {};
    response.writeHead(401, challenge).end();
    return;
  }
  if (isLegacy) return respondLegacy(state, pathname, request, response);
  const session = request.headers['mcp-session-id'];
  const known = typeof session === 'string' ? state.sessions.get(session) : undefined;
  if (session !== undefined && !known) {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
    return;
  }
  const transport = known ?? (await openSession(state));
  await transport.handleRequest(request, response);
}

function isAllowed(state: FakeMcpState, auth: FakeMcpOptions['auth'], { headers }: IncomingMessage): boolean {
  if (!auth) return true;
  if (auth.type === 'header') return headers[auth.name.toLowerCase()] === auth.value;
  return state.authorizations.accessTokens.has((headers.authorization ?? '').replace(/^Bearer /, ''));
}

async function openSession(state: FakeMcpState): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized(id) {
      state.opened++;
      state.sessions.set(id, transport);
    },
    onsessionclosed: () => void state.closed++,
  });
  await createToolServer(state).connect(transport);
  return transport;
}

/** By the older transport. */
async function respondLegacy(
  state: FakeMcpState,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (pathname === '/messages') {
    const session = new URL(request.url ?? '', state.url).searchParams.get('sessionId');
    const stream = state.streams.get(session ?? '');
    if (stream) await stream.handlePostMessage(request, response);
    else response.writeHead(404).end('Session not found');
    return;
  }
  const stream = new SSEServerTransport('/messages', response);
  state.opened++;
  state.streams.set(stream.sessionId, stream);
  request.socket.on('close', () => {
    if (state.streams.delete(stream.sessionId)) state.closed++;
  });
  await createToolServer(state).connect(stream);
}

function createToolServer(state: FakeMcpState): Server {
  const server = new Server({ name: 'fake', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    await state.beforeListing();
    return { tools: listedTools(state) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    state.calls.push({ name: params.name, args: params.arguments ?? {} });
    return callTool(state, params, extra);
  });
  return server;
}
