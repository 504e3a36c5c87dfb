// Creates the sources of tools. Each of them is a domain of its own; here they meet.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { createActionSource } from './actions/source.ts';
import type { Config } from './config.ts';
import type { Seal } from './keys/seal.ts';
import type { Mcp } from './mcp/mcp.ts';
import type { Egress } from './platform/egress.ts';
import type { ToolSource } from './tools/tool.ts';

/** What sources are made of. */
export interface ToolSourceDeps {
  config: Config;
  db: Db;
  log: Logger;
  egress: Egress;
  seal: Seal;
  mcp: Pick<Mcp, 'source'>;
}

export function createToolSources(deps: ToolSourceDeps): ToolSource[] {
  return [createActionSource(deps), deps.mcp.source];
}
