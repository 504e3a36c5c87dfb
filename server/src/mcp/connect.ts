// Opens a connection to an MCP server. The client's package is loaded on first use.
import type { AuthProvider, Client, ClientOptions, JsonSchemaValidator, Transport } from '@modelcontextprotocol/client';
import { withTimeout } from '../platform/deadline.ts';
import type { Timings } from '../timings.ts';
import type { CreateServerFetch } from './fetch.ts';
import { ANSWER_MAX_BYTES } from './fetch.ts';
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
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'Parley', version: '1.0.0' }, OPTIONS);
  client.setNotificationHandler('notifications/tools/list_changed', () => deps.onToolsChanged?.(server));
  const { transport, end, onOpen } = await openTransport(server, deps);
  const close = async () => {
    await end().catch(() => undefined);
    await client.close().catch(() => undefined);
  };
  try {
    await client.connect(transport, { timeout: deps.timings.toolServerMs });
    onOpen?.();
  } catch (error) {
    await close();
    throw error;
  }
  return { client, close };
}

async function openTransport(
  server: McpServerEntry,
  { fetchOf, tokensOf, programLog }: ConnectDeps,
): Promise<{ transport: Transport; end(): Promise<void>; onOpen?(): void }> {
  const { target } = server;
  if (target.type === 'stdio') {
    const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio');
    const { parseJSONRPCMessage } = await import('@modelcontextprotocol/client');
    const { command, args, env } = target;
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'pipe',
    });
    // The transport checks a message before it hands it over, and has no other place where nulls can be taken out.
    transport['_readBuffer'] = createMessageLines(parseJSONRPCMessage, ANSWER_MAX_BYTES);
    programLog.follow(server.id, transport.stderr, Object.values(env));
    return { transport, end: async () => undefined };
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(new URL(target.url), {
    fetch: fetchOf(server),
    requestInit: { headers: { ...target.headers } },
    ...(server.auth === 'oauth' && { authProvider: tokensOf(server) }),
    onInsufficientScope: 'throw',
  });
  return {
    transport,
    end: () => withTimeout(transport.terminateSession(), END_MAX_MS, () => {}),
    onOpen: () => watchRequests(transport),
  };
}
