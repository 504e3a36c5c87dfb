// Opens the tools of all sources. Each source is a domain of its own; here they meet.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { createActions } from './actions/actions.ts';
import { createDocumentSource } from './actions/documents/document-source.ts';
import { createActionSource } from './actions/source.ts';
import type { Config } from './config.ts';
import type { Encryption } from './keys/encryption.ts';
import { createMcp } from './mcp/mcp.ts';
import type { Egress } from './platform/egress.ts';
import { createInterpreter } from './interpreter/interpreter.ts';
import { defaultAgentLimits, type AgentLimits } from './agents/agent.ts';
import { createPluginSource } from './plugins/source.ts';
import type { FileStores } from './storage/file-store.ts';
import type { Timings } from './config/timings.ts';
import { createBuiltinSource } from './tools/builtin/builtin-source.ts';
import { createToolRegistry } from './tools/registry.ts';
import { isOff, withFilter } from './tools/tool-filter.ts';
import type { ToolSource } from './tools/tool.ts';
import type { PdfReader } from './files/pdf-reader.ts';
import { createWebTools } from './tools/web/web-tools.ts';

interface ToolParts {
  config: Config;
  db: Db;
  log: Logger;
  egress: Egress;
  encryption: Encryption;
  stores: FileStores;
  readPdf: PdfReader;
  timings: Timings;
  /** Beside those of the server. */
  toolSources?: readonly ToolSource[];
  onFault: (error: unknown) => void;
}

/** None where the operator switched them off. */
export function openTools(parts: ToolParts) {
  const { config, log, timings, onFault } = parts;
  const [actions, mcp] = [createActions(parts), createMcp(parts)];
  const deps = { ...parts, actions, mcp };
  const [builtin, interpreter] = [createBuiltinSource(timings, config.startup.artifacts), createInterpreter(deps)];
  const plugins = [createPluginSource(deps), createDocumentSource(deps, actions)];
  const domains = [createWebTools(deps), interpreter, ...plugins, createActionSource(deps, actions), mcp.source];
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
