import { randomUUID } from 'node:crypto';
import type { ToolTried } from '@parley/schema/tools/tool-settings';
import type { McpServerConfig } from '../config/parts/mcp.ts';
import { Refusal } from '../platform/errors.ts';
import type { McpClients } from './clients.ts';
import { mcpFailureReason } from './failure.ts';
import { listTools } from './list-tools.ts';
import { sharedEntry } from './servers.ts';

/** Connects to a server by itself, and lists its tools. */
export async function tryServer(
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
