import type { Encryption } from '../keys/encryption.ts';
import type { DirectoryWatch } from './ldap/directory-watch.ts';
import type { FollowRights } from './oauth/identity-provider.ts';
import type { Mail } from '../platform/mail.ts';
import type { Registration } from './registration/registration.ts';
import type { Secrets } from '../config/parts/secrets.ts';
import type { RequestServices } from '../platform/requests/request-services.ts';

export interface AuthServices extends RequestServices {
  directoryWatch: DirectoryWatch;
  followRights: FollowRights;
  /** Null when no mail server is configured. */
  mail: Mail | null;
  registration: Registration;
  secrets: Secrets;
}

export interface FactorServices extends AuthServices {
  encryption: Encryption;
}
