import type { Logger } from 'pino';
import type { Db } from '@parley/db/client';
import type { Encryption } from '../keys/encryption.ts';
import type { Authenticator } from './session/authenticator.ts';
import type { Config } from '../config.ts';
import type { DirectoryWatch } from './ldap/directory-watch.ts';
import type { FollowRights } from './oauth/identity-provider.ts';
import type { Mail } from '../platform/mail.ts';
import type { Registration } from './registration/registration.ts';
import type { Secrets } from '../config/parts/secrets.ts';

export interface AuthServices {
  auth: Authenticator;
  config: Config;
  db: Db;
  directoryWatch: DirectoryWatch;
  followRights: FollowRights;
  log: Logger;
  /** Null when no mail server is configured. */
  mail: Mail | null;
  registration: Registration;
  secrets: Secrets;
}

export interface FactorServices extends AuthServices {
  encryption: Encryption;
}
