// Settings of MCP servers: those of the operator, and whether users may add their own.
import type { McpAuth } from '@parley/schema/tools/mcp-servers';
import type { Env } from '../env/env.ts';
import {
  actionsConfig,
  interpreterConfig,
  toolsConfig,
  type ActionsConfig,
  type InterpreterConfig,
  type ToolFilter,
  type ToolsConfig,
} from './tools.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';

export type McpTarget =
  | { type: 'http'; url: string; headers: Record<string, string> }
  /** A program on this machine that communicates over its standard streams. */
  | { type: 'stdio'; command: string; args: string[]; env: Record<string, string> };

export type McpServerConfig = {
  name: string;
  target: McpTarget;
  auth: McpAuth;
  /** Of one call. */
  timeoutMs: number;
  /** What it declares about its tools is trusted: those that only read are called without asking. */
  isTrusted: boolean;
  /** By the names that it gives its tools. */
  filter: ToolFilter;
  /** An administrator added it: it is called through the egress guard. */
  isSaved?: true;
};

export type McpConfig = {
  /** Whether users may add servers of their own. */
  userServers: boolean;
  servers: McpServerConfig[];
};

interface ToolParts {
  tools: ToolsConfig;
  actions: ActionsConfig;
  mcp: McpConfig;
  interpreter: InterpreterConfig;
}

/** All settings of what tools are made of. */
export function toolParts(env: Env, yaml: Yaml): ToolParts {
  return {
    tools: toolsConfig(env, yaml),
    actions: actionsConfig(env, yaml),
    mcp: mcpConfig(env, yaml),
    interpreter: interpreterConfig(env, yaml),
  };
}

/** Of servers that say nothing else, and of users' servers. */
export const MCP_TIMEOUT_MS = 60_000;

function mcpConfig(env: Env, yaml: Yaml): McpConfig {
  const servers = Object.entries(yaml.mcpServers ?? {}).map(([name, given]): McpServerConfig => {
    const { url, command = '', args = [], env: variables = {}, headers = {}, timeout, trusted } = given;
    const { includedTools, filteredTools } = given;
    const filter = { includedTools, filteredTools };
    const target: McpTarget =
      url === undefined ? { type: 'stdio', command, args, env: variables } : { type: 'http', url, headers };
    const auth = given.auth ?? (Object.keys(headers).length > 0 ? 'header' : 'none');
    return { name, target, auth, timeoutMs: timeout ?? MCP_TIMEOUT_MS, isTrusted: trusted ?? false, filter };
  });
  return { userServers: env.MCP_USER_SERVERS === 'on', servers };
}
