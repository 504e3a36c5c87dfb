/** Endpoints of the providers that have no discovery document. */
const SITE_URLS = {
  google: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    keys: 'https://www.googleapis.com/oauth2/v3/certs',
    userInfo: 'https://openidconnect.googleapis.com/v1/userinfo',
  },
  facebook: {
    authorize: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    me: 'https://graph.facebook.com/v23.0/me',
  },
  github: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    user: 'https://api.github.com/user',
    emails: 'https://api.github.com/user/emails',
  },
  discord: {
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    user: 'https://discord.com/api/users/@me',
  },
} as const;

type Known = typeof SITE_URLS;

/** A provider's endpoints; `host` replaces their host if given. */
export function siteUrls<Name extends keyof Known>(
  name: Name,
  host: string | undefined,
): Record<keyof Known[Name], string> {
  const entries = Object.entries<string>(SITE_URLS[name]);
  const moved = entries.map(([what, url]) => [what, host === undefined ? url : `${host}${new URL(url).pathname}`]);
  return Object.fromEntries(moved) as Record<keyof Known[Name], string>;
}

/** The namespace of subjects: the same id at another host is another user. */
export function realmOf(name: keyof Known, host: string | undefined): string {
  return host ?? name;
}
