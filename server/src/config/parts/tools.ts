import type { Env } from '../env/env.ts';

export type ToolsConfig = {
  /** False: no conversation uses tools. */
  enabled: boolean;
  /** Model calls of one answer. */
  maxSteps: number;
  /** How long an answer with tools may take until no more calls begin. */
  maxMinutes: number;
  /** Tool calls of one user. */
  callsPerMinute: number;
};

export function toolsConfig(env: Env): ToolsConfig {
  return {
    enabled: env.TOOLS !== 'off',
    maxSteps: env.AGENT_MAX_STEPS ?? 10,
    maxMinutes: env.AGENT_MAX_MINUTES ?? 15,
    callsPerMinute: env.TOOL_CALLS_PER_MINUTE ?? 120,
  };
}
