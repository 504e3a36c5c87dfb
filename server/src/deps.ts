import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import type { Authenticator } from './auth/authenticator.ts';
import type { Config } from './config.ts';
import type { Secrets } from './config/secrets.ts';
import type { Endpoints } from './endpoints/endpoint.ts';
import type { Mail } from './mail.ts';
import type { Exchanges } from './messages/exchanges.ts';
import type { RecentBranches } from './messages/recent-branches.ts';
import type { Notices } from './notices.ts';

/** What the rooms are handed; made once in main.ts. */
export interface Deps {
  config: Config;
  secrets: Secrets;
  db: Db;
  log: Logger;
  auth: Authenticator;
  /** Null where no mail server is given. */
  mail: Mail | null;
  endpoints: Endpoints;
  exchanges: Exchanges;
  notices: Notices;
  recentBranches: RecentBranches;
}
