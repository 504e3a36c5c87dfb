// The servers of the Model Context Protocol: what people see of them, and their tools.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ToolTried } from '@parley/schema/tools/tool-settings';
import type { McpServerConfig } from '../config/parts/mcp.ts';
import type { ServiceSignIn } from '../connections/sign-in.ts';
import { logError } from '../platform/log-error.ts';
import type { FileStores } from '../storage/file-store.ts';
import { defaultTimings, type Timings } from '../config/timings.ts';
import type { ToolSource } from '../tools/tool.ts';
import { createMcpClients, type McpClients } from './clients.ts';
import { createServerFetch } from './fetch.ts';
import { createManagedServers, type ManagedServers, type ServerRowDeps } from './manage-servers.ts';
import { createProgramLog, failureLogger } from './program-log.ts';
import { createMcpServers, type McpServerEntry, sharedEntry } from './servers.ts';
import { createMcpSignIn } from './sign-in.ts';
import { createMcpSource } from './source.ts';
import { createMcpTokenStore } from './tokens.ts';
import { createToolLists } from './tool-lists.ts';
import { Refusal } from '../platform/errors.ts';
import { mcpFailureReason } from './failure.ts';
import { listTools } from './list-tools.ts';

export interface McpDeps extends ServerRowDeps {
  log: Logger;
  stores: FileStores;
  /** How long an unused connection is kept, in milliseconds. */
  idleMs?: number;
  timings?: Pick<Timings, 'toolListMs' | 'toolServerMs'>;
}

export interface Mcp extends ManagedServers {
  source: ToolSource;
  /** The last lines that the program of a server of the operator's wrote to its standard error. */
  programLog(id: string): string[];
  signIn: ServiceSignIn;
  /** Asks a server that need not be there for its tools. */
  tryServer(userId: string, server: McpServerConfig): Promise<ToolTried>;
  close(): Promise<void>;
}

export function createMcp(deps: McpDeps): Mcp {
  const { config, db, log, egress, encryption, timings = defaultTimings } = deps;
  const fetchOf = createServerFetch(config, egress);
  const servers = createMcpServers(deps);
  const tokens = createMcpTokenStore({ db, encryption, fetchOf });
  const onFault = (error: unknown) => logError(log, error, { event: 'task.failed' });
  const onToolsChanged = (server: McpServerEntry) => void lists.expire(server).catch(onFault);
  const idle = deps.idleMs === undefined ? {} : { idleMs: deps.idleMs };
  const programLog = createProgramLog();
  const connecting = { fetchOf, tokensOf: tokens.authProvider, programLog, timings, onToolsChanged };
  const clients = createMcpClients({ ...connecting, ...idle });
  const onFailed = failureLogger(log, programLog);
  const lists = createToolLists({ db, clients, timings, onFailed, onFault });
  return {
    ...createManagedServers({ ...deps, servers, tokens, clients, lists }),
    source: createMcpSource({ ...deps, servers, clients, lists, servicesOf: tokens.services }),
    programLog: programLog.lines,
    signIn: createMcpSignIn({ config, servers, tokens, fetchOf, onSignedIn: lists.expire, onFault }),
    tryServer: (userId, server) => tryServer({ clients, timeoutMs: timings.toolServerMs }, userId, server),
    close: () => clients.close(),
  };
}

/** Connects to a server by itself, and lists its tools. */
async function tryServer(
  { clients, timeoutMs }: { clients: McpClients; timeoutMs: number },
  userId: string,
  config: McpServerConfig,
): Promise<ToolTried> {
  const server = { ...sharedEntry(userId, config), id: `try ${randomUUID()}` };
  try {
    const tools = await clients.use(server, (client) => listTools(client, timeoutMs), true);
    return { ok: true, tools: tools.map(({ name }) => name) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { ok: false, reason: mcpFailureReason(error, timeoutMs), words: wordsOf(error) };
  } finally {
    await clients.drop(server);
  }
}

/** Of a server that speaks the protocol: what else goes wrong has words of ours. */
function wordsOf(error: unknown): string | null {
  return error instanceof Error && error.name === 'ProtocolError' ? error.message.slice(0, 500) : null;
}
