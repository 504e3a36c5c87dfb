// Sites to sign in by, as they are configured; `auth/oauth/define-site.ts` makes them.
import type { SignInSite } from '@parley/schema/catalog/sign-in-sites';

/** A client that is registered at a site. */
export interface OAuthClient {
  clientId: string;
  clientSecret: string;
  /** The redirect URI, exactly as registered. */
  redirectURI: string;
  /** Its path on this server. */
  callbackPath: string;
}

/** What a provider says about a person; nothing where the operator did not ask or the provider does not tell. */
export interface Rights {
  isAdmin?: boolean | undefined;
  /** Their names. */
  groups?: readonly string[] | undefined;
}

/** A user's profile as the provider reports it. */
export interface Profile {
  /** The provider's id of the user, which never changes. */
  subject: string;
  email: string | null;
  /** Whether the provider confirms that the user owns the address. */
  emailVerified: boolean;
  name: string | null;
  username: string | null;
  /** The URL of the image. */
  imageURL: string | null;
  /** What the provider says that they may do here. */
  rights?: Rights;
  /** They lack the role that signing in requires. */
  isBarred?: true;
}

export interface OAuthSite {
  /** The namespace of its subjects: the same id at another host is another user. */
  realm: string;
  authorizeURL: string;
  tokenURL: string;
  scopes: readonly string[];
  takesChallenge: boolean;
  auth: 'basic' | 'post';
  whoIs: (accessToken: string) => Promise<Profile>;
}

/** Where a claim is looked for: in a token or the user info, at a dotted path. */
export interface ClaimPlace {
  token: 'access' | 'id' | 'userinfo';
  path: string;
}

/** One of these must stand there. */
export interface ClaimedRole extends ClaimPlace {
  roles: readonly string[];
}

export interface ClaimedGroups extends ClaimPlace {
  /** The only ones that count, where the operator names some; `*` at the end stands for any letters. */
  only: readonly string[] | undefined;
}

/** Provider metadata. */
export interface Metadata {
  /** Accepted `iss` values; the first one is canonical. */
  issuers: [string, ...string[]];
  authorizeURL: string;
  tokenURL: string;
  keysURL: string;
  userInfoURL: string | undefined;
  auth: 'basic' | 'post';
  /** Whether every callback carries `iss` (RFC 9207). */
  namesItself: boolean;
}

export interface OidcSite {
  /** The namespace of its subjects. */
  realm: string;
  scopes: readonly string[];
  requiredRole?: ClaimedRole | undefined;
  /** Who has it is an administrator here, and nobody else. */
  adminRole?: ClaimedRole | undefined;
  groups?: ClaimedGroups | undefined;
  /** Asked at the first sign-in, and again after an error, since it may be outdated. */
  metadata: () => Promise<Metadata>;
}

export interface ConfiguredSite {
  name: SignInSite;
  client: OAuthClient;
  protocol: OAuthSite | OidcSite;
}
