// All settings of what tools are made of.
import type { Env } from '../env/env.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';
import { mcpConfig, type McpConfig } from './mcp.ts';
import {
  actionsConfig,
  interpreterConfig,
  toolsConfig,
  type ActionsConfig,
  type InterpreterConfig,
  type ToolsConfig,
} from './tools.ts';

interface ToolParts {
  tools: ToolsConfig;
  actions: ActionsConfig;
  mcp: McpConfig;
  interpreter: InterpreterConfig;
}

export function toolParts(env: Env, yaml: Yaml): ToolParts {
  return {
    tools: toolsConfig(env, yaml),
    actions: actionsConfig(env, yaml),
    mcp: mcpConfig(env, yaml),
    interpreter: interpreterConfig(env, yaml),
  };
}
