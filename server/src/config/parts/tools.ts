import type { Env } from '../env/env.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';

/** Which tools the operator leaves: the included ones, or without such a list all but the filtered ones. */
export type ToolFilter = { includedTools?: string[] | undefined; filteredTools?: string[] | undefined };

export type ToolsConfig = {
  /** False: no conversation uses tools. */
  enabled: boolean;
  /** Model calls of one answer. */
  maxSteps: number;
  /** How long an answer with tools may take until no more calls begin. */
  maxMinutes: number;
  /** Tool calls of one user. */
  callsPerMinute: number;
  /** By the keys of built-in tools and plugins. */
  filter: ToolFilter;
};

export function toolsConfig(env: Env, { includedTools, filteredTools }: Yaml): ToolsConfig {
  return {
    enabled: env.TOOLS !== 'off',
    maxSteps: env.AGENT_MAX_STEPS ?? 10,
    maxMinutes: env.AGENT_MAX_MINUTES ?? 15,
    callsPerMinute: env.TOOL_CALLS_PER_MINUTE ?? 120,
    filter: { includedTools, filteredTools },
  };
}
