// One site to sign in by is one file with one call of `defineSite`: its own variables, and how it tells who a person is.
// Its name and label are a row of SIGN_IN_SITES in `@parley/schema/catalog/sign-in-sites`.
import type { SignInSite } from '@parley/schema/catalog/sign-in-sites';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { linkTarget, text } from '../../config/env/env-readers.ts';
import type { ReadEnv, EnvRows } from '../../config/env/env.ts';
import type { ConfiguredSite, OAuthClient, OAuthSite, OidcSite } from '../../config/parts/sign-in-sites.ts';

interface SiteSpec<Rows extends EnvRows> {
  name: SignInSite;
  /**
   * Its variables beside those of the client. A site with hosts of its own has `<NAME>_OAUTH_URL`, the operator's gateway
   * in their place.
   */
  env: Rows;
  /** Null when a variable is missing. @throws ConfigError for settings that cannot work */
  protocol(given: Given<Rows>): OAuthSite | OidcSite | null;
}

interface Given<Rows extends EnvRows> {
  env: ReadEnv<Rows>;
  client: OAuthClient;
  /** An address at the gateway, if there is one. */
  at(address: string): string;
  /** The namespace of subjects at these hosts: the same id at another host is another user. */
  realm: string;
}

export interface SiteDefinition {
  name: SignInSite;
  env: EnvRows;
  /** Null when its variables are not set. @throws ConfigError */
  configure(env: ReadEnv<EnvRows>, domainServer: string): ConfiguredSite | null;
}

type Part = 'CLIENT_ID' | 'CLIENT_SECRET' | 'CALLBACK_URL' | 'OAUTH_URL';

/** Its client is in the variables `<NAME>_CLIENT_ID`, `<NAME>_CLIENT_SECRET` and `<NAME>_CALLBACK_URL`. */
export function defineSite<Rows extends EnvRows>({ name, env, protocol }: SiteSpec<Rows>): SiteDefinition {
  const variable = (part: Part) => `${name.toUpperCase()}_${part}`;
  const clientRows = {
    [variable('CLIENT_ID')]: text,
    [variable('CLIENT_SECRET')]: text,
    [variable('CALLBACK_URL')]: linkTarget,
  };
  return {
    name,
    env: { ...clientRows, ...env },
    configure(values: ReadEnv<Rows>, domainServer) {
      const given = new Map<string, unknown>(Object.entries(values));
      const read = (part: Part) => given.get(variable(part))?.toString();
      const client = clientOf(read, `/oauth/${name}/callback`, domainServer);
      if (!client) return null;
      const url = read('OAUTH_URL');
      const gateway = url && withoutTrailingSlash(url);
      const at = (address: string) => (gateway ? `${gateway}${new URL(address).pathname}` : address);
      const spoken = protocol({ env: values, client, at, realm: gateway ?? name });
      return spoken && { name, client, protocol: spoken };
    },
  };
}

function clientOf(read: (part: Part) => string | undefined, path: string, domainServer: string): OAuthClient | null {
  const [clientId, clientSecret, callback] = [read('CLIENT_ID'), read('CLIENT_SECRET'), read('CALLBACK_URL')];
  if (!clientId || !clientSecret) return null;
  const url = new URL(callback ?? path, 'http://path.of.ours');
  const isWhole = callback !== undefined && URL.canParse(callback);
  const redirectURI = isWhole ? url.href : `${domainServer}${url.pathname}${url.search}`;
  return { clientId, clientSecret, redirectURI, callbackPath: url.pathname };
}
