// Creates the sources of tools. Each of them is a domain of its own; here they meet.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import type { Actions } from './actions/actions.ts';
import { createDocumentSource } from './actions/documents/document-source.ts';
import { createActionSource } from './actions/source.ts';
import type { Config } from './config.ts';
import type { Encryption } from './keys/encryption.ts';
import type { Mcp } from './mcp/mcp.ts';
import type { Egress } from './platform/egress.ts';
import { createInterpreter } from './interpreter/interpreter.ts';
import { createPluginSource } from './plugins/source.ts';
import type { FileStores } from './storage/file-store.ts';
import type { ToolSource } from './tools/tool.ts';
import { createWebTools } from './tools/web/web-tools.ts';

/** What sources are made of. */
export interface ToolSourceDeps {
  config: Config;
  db: Db;
  log: Logger;
  egress: Egress;
  encryption: Encryption;
  stores: FileStores;
  actions: Actions;
  mcp: Mcp;
}

export interface ToolSources {
  sources: ToolSource[];
  /** Ends what the sources have started. */
  close(): Promise<void>;
}

export function createToolSources(deps: ToolSourceDeps): ToolSources {
  const interpreter = createInterpreter(deps);
  const { actions, mcp } = deps;
  const plugins = [createPluginSource(deps), createDocumentSource(deps, actions)];
  const sources = [createWebTools(deps), interpreter, ...plugins, createActionSource(deps, actions), mcp.source];
  return {
    sources,
    async close() {
      await Promise.all([interpreter.close(), mcp.close()]);
    },
  };
}
