import type { Env } from './env.ts';
import type { ServerConfig } from './server.ts';
import { socialConfig, type SocialConfig } from './social.ts';
import type { Yaml } from './yaml-schema.ts';

/** What the rooms of sign-in need beyond the facts that every visitor is told, which are in `startup`. */
export type AccountsConfig = {
  /** Life of a bearer token. */
  sessionExpiryMs: number;
  /** How long a session lives without being used. */
  refreshExpiryMs: number;
  /** Lower case; any domain when empty. */
  allowedDomains: string[];
  socialRegistration: boolean;
  social: SocialConfig;
  /** Show the password reset link instead of mailing it. */
  allowResetLink: boolean;
};

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export function accountsConfig(env: Env, yaml: Yaml, { domainServer }: ServerConfig): AccountsConfig {
  return {
    sessionExpiryMs: env.SESSION_EXPIRY ?? 15 * MINUTE_MS,
    refreshExpiryMs: env.REFRESH_TOKEN_EXPIRY ?? 7 * DAY_MS,
    allowedDomains: (yaml.registration?.allowedDomains ?? []).map((domain) => domain.toLowerCase()),
    socialRegistration: env.ALLOW_SOCIAL_REGISTRATION ?? false,
    social: socialConfig(env, domainServer),
    allowResetLink: env.ALLOW_RESET_LINK ?? false,
  };
}
