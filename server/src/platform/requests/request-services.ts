// What requests, and most of what they call, find.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Authenticator } from './auth-session.ts';

export interface CoreServices {
  config: Config;
  db: Db;
  log: Logger;
}

export interface RequestServices extends CoreServices {
  auth: Authenticator;
}
