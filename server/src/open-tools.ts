// Opens the tools of all sources. Each source is a domain of its own; here they meet.
import { createActions } from './actions/actions.ts';
import { createDocumentSource } from './actions/documents/document-source.ts';
import { createActionSource } from './actions/source.ts';
import type { Config } from './config/config.ts';
import { createMcp } from './mcp/mcp.ts';
import { createInterpreter } from './interpreter/interpreter.ts';
import { defaultAgentLimits, type AgentLimits } from './agents/agent.ts';
import { createPluginSource } from './plugins/source.ts';
import type { Timings } from './config/timings.ts';
import { createBuiltinSource } from './tools/builtin/builtin-source.ts';
import { createToolRegistry } from './tools/registry.ts';
import { isOff, withFilter } from './tools/tool-filter.ts';
import { createSkillSource } from './skills/skill-source.ts';
import { findUsableFiles } from './skills/usable-skills.ts';
import { createWebTools } from './tools/web/web-tools.ts';
import type { FileServices } from './files/open-files.ts';
import type { Base } from './open-base.ts';

export type Tools = ReturnType<typeof openTools>;

/** None where the operator switched them off. */
export function openTools(parts: Base & Pick<FileServices, 'stores' | 'readPdf'>) {
  const { config, log, timings, onFault } = parts;
  const [actions, mcp] = [createActions(parts), createMcp(parts)];
  const deps = { ...parts, actions, mcp };
  const [builtin, interpreter] = [
    createBuiltinSource(timings, config.startup.artifacts),
    createInterpreter(deps, {}, (chosen) => findUsableFiles(parts.db.query, chosen)),
  ];
  const plugins = [createPluginSource(deps), createDocumentSource(deps, actions)];
  const domains = [
    createWebTools(deps),
    interpreter,
    ...plugins,
    createActionSource(deps, actions),
    mcp.source,
    createSkillSource(deps),
  ];
  const sources = config.tools.enabled ? [builtin, ...domains, ...(parts.toolSources ?? [])] : [];
  const toolSources = sources.map((source) => withFilter(source, () => config.tools.filter));
  return {
    actions,
    mcp,
    toolSources,
    tools: createToolRegistry(toolSources, {
      onFault,
      isOff: (key) => isOff(config.tools.filter, key),
      ...(log.isLevelEnabled('debug') && {
        onCalled: (facts) => log.debug({ event: 'tool.called', ...facts }, 'A tool was called'),
      }),
    }),
    agentLimits: agentLimits(config, timings),
    restActionsAsk: config.actions.restAsks,
    toolCallsPerMinute: config.tools.callsPerMinute,
    /** Ends what the sources have started. */
    close: () => Promise.all([builtin.close(), interpreter.close(), mcp.close()]),
  };
}

function agentLimits({ tools, endpoints }: Config, timings: Timings): AgentLimits {
  return {
    ...defaultAgentLimits,
    steps: tools.maxSteps,
    runMs: tools.maxMinutes * 60_000,
    // A run that waits for tools must send something before it counts as silent.
    heartbeatMs: Math.min(timings.toolHeartbeatMs, endpoints.timeouts.idleMs / 3),
    stopMs: timings.toolStopMs,
  };
}
