// Opens a connection to an MCP server. The client's package is loaded on first use.
import type { AuthProvider, Client, ClientOptions, JsonSchemaValidator, Transport } from '@modelcontextprotocol/client';
import { unlessAborted, withDeadline, withTimeout } from '../platform/deadline.ts';
import { isSignInNeeded, mcpHttpStatus } from './failure.ts';
import type { Timings } from '../config/timings.ts';
import type { CreateServerFetch } from './fetch.ts';
import { ANSWER_MAX_BYTES } from './fetch.ts';
import { createEventStream, legacyAddresses, mayBeLegacy } from './legacy-sse.ts';
import { createMessageLines } from './lenient-wire.ts';
import type { ProgramLog } from './program-log.ts';
import type { McpServerEntry } from './servers.ts';
import { watchRequests } from './watch-requests.ts';

export interface McpConnection {
  client: Client;
  /** Ends the session, and the program where it is one. Never throws. */
  close(): Promise<void>;
}

export interface ConnectDeps {
  fetchOf: CreateServerFetch;
  /** The tokens of the person who signed in. */
  tokensOf(server: McpServerEntry): AuthProvider;
  programLog: ProgramLog;
  timings: Pick<Timings, 'toolServerMs'>;
  /** Called when a server reports that its tools have changed. */
  onToolsChanged?(server: McpServerEntry): void;
}

const END_MAX_MS = 2_000;

/** No capabilities: requests of servers for sampling, elicitation and roots are refused. */
const OPTIONS: ClientOptions = {
  capabilities: {},
  // Foreign schemas are not compiled, and answers are text for a model in any case.
  jsonSchemaValidator: {
    getValidator<T>(): JsonSchemaValidator<T> {
      return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
    },
  },
};

/** @throws what the client throws when the server does not answer */
export async function connect(server: McpServerEntry, deps: ConnectDeps): Promise<McpConnection> {
  const { target } = server;
  if (target.type === 'stdio') return connectBy(await startProgram(target, server.id, deps), server, deps);
  try {
    return await connectBy(await openHttp(target, server, deps), server, deps);
  } catch (error) {
    if (!mayBeLegacy(mcpHttpStatus(error))) throw error;
    // A server that knows neither transport is described by its answer to the newer one.
    for (const address of legacyAddresses(target.url)) {
      const found = await connectLegacy(address, target, server, deps);
      if (found) return found;
    }
    throw error;
  }
}

interface Opened {
  transport: Transport;
  /** Ends the session at the server. */
  end?(): Promise<void>;
  onOpen?(): void;
}

async function connectBy({ transport, end, onOpen }: Opened, server: McpServerEntry, deps: ConnectDeps) {
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'Parley', version: '1.0.0' }, OPTIONS);
  client.setNotificationHandler('notifications/tools/list_changed', () => deps.onToolsChanged?.(server));
  const close = async () => {
    await end?.().catch(() => undefined);
    await client.close().catch(() => undefined);
  };
  const { toolServerMs: timeout } = deps.timings;
  try {
    await unlessAborted(client.connect(transport, { timeout }), withDeadline(timeout));
    onOpen?.();
  } catch (error) {
    await close();
    throw error;
  }
  return { client, close };
}

type Http = Extract<McpServerEntry['target'], { type: 'http' }>;
type Program = Extract<McpServerEntry['target'], { type: 'stdio' }>;

async function startProgram({ command, args, env }: Program, id: string, { programLog }: ConnectDeps): Promise<Opened> {
  const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio');
  const { parseJSONRPCMessage } = await import('@modelcontextprotocol/client');
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
  });
  // The transport checks a message before it hands it over, and has no other place where nulls can be taken out.
  transport['_readBuffer'] = createMessageLines(parseJSONRPCMessage, ANSWER_MAX_BYTES);
  programLog.follow(id, transport.stderr, Object.values(env));
  return { transport };
}

async function openHttp({ url, headers }: Http, server: McpServerEntry, deps: ConnectDeps): Promise<Opened> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: deps.fetchOf(server),
    requestInit: { headers: { ...headers } },
    ...(server.auth === 'oauth' && { authProvider: deps.tokensOf(server) }),
    onInsufficientScope: 'throw',
  });
  return {
    transport,
    end: () => withTimeout(transport.terminateSession(), END_MAX_MS, () => {}),
    onOpen: () => watchRequests(transport),
  };
}

/**
 * Null where no stream of events is at this address.
 * @throws when there is one, and the server does not answer by it, or wants a person to sign in
 */
async function connectLegacy(
  address: URL,
  { headers }: Http,
  server: McpServerEntry,
  deps: ConnectDeps,
): Promise<McpConnection | null> {
  const { SSEClientTransport } = await import('@modelcontextprotocol/client');
  const stream = createEventStream(deps.fetchOf(server), deps.fetchOf(server, 'events'));
  const transport = new SSEClientTransport(address, {
    fetch: stream.fetch,
    requestInit: { headers: { ...headers } },
    ...(server.auth === 'oauth' && { authProvider: deps.tokensOf(server) }),
  });
  try {
    return await connectBy({ transport, onOpen: () => stream.watch(transport) }, server, deps);
  } catch (error) {
    if (stream.isUsed() || isSignInNeeded(error)) throw stream.failure() ?? error;
    return null;
  }
}
