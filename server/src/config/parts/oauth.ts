// Settings of OAuth sign-in.
import { withoutTrailingSlash } from '../addresses.ts';
import { configError } from '../config-error.ts';
import type { Env } from '../env/env.ts';

export type OAuthProviderName = 'google' | 'facebook' | 'openid' | 'github' | 'discord';

/** An OAuth client registration, and how to reach the provider. */
export type OAuthClient = {
  clientId: string;
  clientSecret: string;
  /** The redirect URI, exactly as registered. */
  redirectURI: string;
  /** Its path on this server. */
  callbackPath: string;
  /** Replaces all of the provider's hosts; without trailing slash. */
  host: string | undefined;
};

export type OpenIdClient = OAuthClient & {
  /** The `iss` of its tokens. */
  issuer: string;
  scopes: readonly string[];
  requiredRole: RequiredRole | undefined;
};

/** A value that a token must contain at a dotted path. */
export type RequiredRole = { role: string; token: 'access' | 'id'; path: string };

export type OAuthConfig = Record<Exclude<OAuthProviderName, 'openid'>, Login<OAuthClient>> & {
  openid: Login<OpenIdClient>;
};

type Login<Client> = { enabled: false } | ({ enabled: true } & Client);

const OPENID_SCOPES = ['openid', 'profile', 'email'];

/** @throws ConfigError when a required role names no token, or the scopes lack `openid` */
export function oauthConfig(env: Env, domainServer: string): OAuthConfig {
  const allowed = env.ALLOW_SOCIAL_LOGIN ?? false;
  const scopes = env.OPENID_SCOPE?.split(/[\s,]+/) ?? OPENID_SCOPES;
  const requiredRole = requiredRoleOf(env);
  if (!scopes.includes('openid')) throw configError('OPENID_SCOPE must hold the word openid.');

  return {
    google: loginOf('google', {
      id: env.GOOGLE_CLIENT_ID,
      secret: env.GOOGLE_CLIENT_SECRET,
      callback: env.GOOGLE_CALLBACK_URL,
      host: env.GOOGLE_OAUTH_URL,
    }),
    facebook: loginOf('facebook', {
      id: env.FACEBOOK_CLIENT_ID,
      secret: env.FACEBOOK_CLIENT_SECRET,
      callback: env.FACEBOOK_CALLBACK_URL,
      host: env.FACEBOOK_OAUTH_URL,
    }),
    openid: openIdLogin(),
    github: loginOf('github', {
      id: env.GITHUB_CLIENT_ID,
      secret: env.GITHUB_CLIENT_SECRET,
      callback: env.GITHUB_CALLBACK_URL,
      host: env.GITHUB_OAUTH_URL,
    }),
    discord: loginOf('discord', {
      id: env.DISCORD_CLIENT_ID,
      secret: env.DISCORD_CLIENT_SECRET,
      callback: env.DISCORD_CALLBACK_URL,
      host: env.DISCORD_OAUTH_URL,
    }),
  };

  function loginOf(name: OAuthProviderName, { id, secret, callback, host }: Given): Login<OAuthClient> {
    if (!allowed || !id || !secret) return { enabled: false };
    const url = new URL(callback ?? `/oauth/${name}/callback`, 'http://path.of.ours');
    const isWhole = callback !== undefined && URL.canParse(callback);
    return {
      enabled: true,
      clientId: id,
      clientSecret: secret,
      redirectURI: isWhole ? url.href : `${domainServer}${url.pathname}${url.search}`,
      callbackPath: url.pathname,
      host: host && withoutTrailingSlash(host),
    };
  }

  /** OpenID needs an issuer. */
  function openIdLogin(): OAuthConfig['openid'] {
    const { OPENID_CLIENT_ID: id, OPENID_CLIENT_SECRET: secret, OPENID_CALLBACK_URL: callback } = env;
    const login = loginOf('openid', { id, secret, callback });
    const issuer = env.OPENID_ISSUER;
    return login.enabled && issuer ? { ...login, issuer, scopes, requiredRole } : { enabled: false };
  }
}

interface Given {
  id: string | undefined;
  secret: string | undefined;
  callback: string | undefined;
  host?: string | undefined;
}

function requiredRoleOf(env: Env): RequiredRole | undefined {
  const {
    OPENID_REQUIRED_ROLE: role,
    OPENID_REQUIRED_ROLE_TOKEN_KIND: token,
    OPENID_REQUIRED_ROLE_PARAMETER_PATH: path,
  } = env;
  if (role === undefined) return undefined;
  if (token && path) return { role, token, path };
  throw configError(
    'OPENID_REQUIRED_ROLE needs OPENID_REQUIRED_ROLE_TOKEN_KIND (access or id) and OPENID_REQUIRED_ROLE_PARAMETER_PATH, the path of the claim.',
  );
}
