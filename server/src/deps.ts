import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import type { Actions } from './actions/actions.ts';
import type { AssistantServices } from './assistants/open-assistants.ts';
import type { AccountServices } from './open-accounts.ts';
import type { FileServices } from './files/open-files.ts';
import type { Config } from './config.ts';
import type { Encryption } from './keys/encryption.ts';
import type { Mcp } from './mcp/mcp.ts';
import type { Secrets } from './config/parts/secrets.ts';
import type { Titles } from './convos/titles.ts';
import type { WrittenConvos } from './convos/written-convos.ts';
import type { OfferServices } from './catalog/live/live-endpoints.ts';
import type { AskService } from './chat/ask-service.ts';
import type { RecentBranches } from './chat/context/recent-branches.ts';
import type { ProcessServices } from './http/presence.ts';
import type { PubSub } from './platform/pubsub.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Timings } from './timings.ts';
import type { ToolRegistry } from './tools/registry.ts';
import type { CallDeps } from './chat/api-calls/run-call.ts';

/** Dependencies of the domain modules, created once in main.ts. */
export interface Deps extends OfferServices, AccountServices, AssistantServices, FileServices, ProcessServices {
  config: Config;
  secrets: Secrets;
  db: Db;
  log: Logger;
  metrics: Metrics | null;
  encryption: Encryption;
  askService: AskService;
  /** Calls of programs. */
  apiCalls: CallDeps;
  pubsub: PubSub;
  writtenConvos: WrittenConvos;
  titles: Titles;
  recentBranches: RecentBranches;
  /** APIs that assistants call. */
  actions: Actions;
  /** Servers of the Model Context Protocol. */
  mcp: Mcp;
  /** The tools of all sources. */
  tools: ToolRegistry;
  timings: Timings;
}
