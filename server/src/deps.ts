import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import type { Actions } from './actions/actions.ts';
import type { AssistantServices } from './assistants/open-assistants.ts';
import type { Authenticator } from './auth/session/authenticator.ts';
import type { SessionWatch } from './auth/session/session-watch.ts';
import type { Config } from './config.ts';
import type { Mcp } from './mcp/mcp.ts';
import type { Secrets } from './config/parts/secrets.ts';
import type { FileStores } from './storage/file-store.ts';
import type { SocialAvatars } from './files/social-avatars.ts';
import type { BrowsersOnly } from './abuse/browsers-only.ts';
import type { UploadLimits } from './files/upload/upload-limits.ts';
import type { Titles } from './convos/titles.ts';
import type { WrittenConvos } from './convos/written-convos.ts';
import type { Endpoints } from './catalog/endpoint.ts';
import type { Mail } from './platform/mail.ts';
import type { AskService } from './chat/ask-service.ts';
import type { RecentBranches } from './chat/context/recent-branches.ts';
import type { OpenCalls } from './http/open-calls.ts';
import type { PubSub } from './platform/pubsub.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Retrieval } from './retrieval/retrieval.ts';
import type { Timings } from './timings.ts';
import type { ToolRegistry } from './tools/registry.ts';

/** Dependencies of the domain modules, created once in main.ts. */
export interface Deps extends AssistantServices {
  config: Config;
  secrets: Secrets;
  db: Db;
  log: Logger;
  metrics: Metrics;
  auth: Authenticator;
  /** Closes the connections of ended sessions. */
  sessions: SessionWatch;
  /** Null when no mail server is configured. */
  mail: Mail | null;
  endpoints: Endpoints;
  askService: AskService;
  /** A shutdown waits for them. */
  openCalls: OpenCalls;
  pubsub: PubSub;
  writtenConvos: WrittenConvos;
  titles: Titles;
  recentBranches: RecentBranches;
  /** Where the bytes of files are. */
  stores: FileStores;
  /** The index of uploaded files. */
  retrieval: Retrieval;
  /** APIs that assistants call. */
  actions: Actions;
  /** Servers of the Model Context Protocol. */
  mcp: Mcp;
  /** The tools of all sources. */
  tools: ToolRegistry;
  timings: Timings;
  browsersOnly: BrowsersOnly;
  uploads: UploadLimits;
  socialAvatars: SocialAvatars;
}
