import type { Env } from './env.ts';
import type { Yaml } from './yaml-schema.ts';

export type SocialProvider = 'google' | 'facebook' | 'openid' | 'github' | 'discord';
export type SocialLogin = { enabled: false } | { enabled: true; clientId: string; clientSecret: string };

/** What the rooms of sign-in need beyond the facts that every visitor is told, which are in `startup`. */
export type AccountsConfig = {
  /** Life of a bearer token. */
  sessionExpiryMs: number;
  /** How long a session lives without being used. */
  refreshExpiryMs: number;
  /** Lower case; any domain when empty. */
  allowedDomains: string[];
  socialRegistration: boolean;
  social: Record<SocialProvider, SocialLogin>;
  /** Show the password reset link instead of mailing it. */
  allowResetLink: boolean;
};

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export function accountsConfig(env: Env, yaml: Yaml): AccountsConfig {
  return {
    sessionExpiryMs: env.SESSION_EXPIRY ?? 15 * MINUTE_MS,
    refreshExpiryMs: env.REFRESH_TOKEN_EXPIRY ?? 7 * DAY_MS,
    allowedDomains: (yaml.registration?.allowedDomains ?? []).map((domain) => domain.toLowerCase()),
    socialRegistration: env.ALLOW_SOCIAL_REGISTRATION ?? false,
    social: socialLogins(env),
    allowResetLink: env.ALLOW_RESET_LINK ?? false,
  };
}

function socialLogins(env: Env): AccountsConfig['social'] {
  const allowed = env.ALLOW_SOCIAL_LOGIN ?? false;
  return {
    google: socialLogin(allowed, env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET),
    facebook: socialLogin(allowed, env.FACEBOOK_CLIENT_ID, env.FACEBOOK_CLIENT_SECRET),
    // Without its issuer an OpenID button leads nowhere.
    openid: socialLogin(allowed && Boolean(env.OPENID_ISSUER), env.OPENID_CLIENT_ID, env.OPENID_CLIENT_SECRET),
    github: socialLogin(allowed, env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET),
    discord: socialLogin(allowed, env.DISCORD_CLIENT_ID, env.DISCORD_CLIENT_SECRET),
  };
}

function socialLogin(allowed: boolean, clientId?: string, clientSecret?: string): SocialLogin {
  return allowed && clientId && clientSecret ? { enabled: true, clientId, clientSecret } : { enabled: false };
}
