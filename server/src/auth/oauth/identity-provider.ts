// Interface that every OAuth and OpenID Connect provider implements.
import type { SignInSite } from '@parley/schema/catalog/sign-in-sites';
import type { UserRow } from '../users.ts';
import type { Profile, Rights } from '../../config/parts/sign-in-sites.ts';

/** A pending sign-in, as its cookie keeps it. */
export interface OAuthState extends Record<string, unknown> {
  provider: SignInSite;
  /** Returned in the callback URL. */
  state: string;
  /** The PKCE code verifier. */
  verifier: string;
  /** Returned in the ID token. */
  nonce: string;
  /** The token of a link that lets its holder register. */
  invitation?: string | undefined;
}

/** Who says so: a site, or the operator's directory. */
export type RightsSource = 'openid' | 'ldap';

/** Gives and takes what they say that a person may do here. */
export type FollowRights = (user: UserRow, rights: Rights, by: RightsSource) => Promise<void>;

/** The parameters of the callback request. */
export interface Callback {
  code: string;
  /** The issuer, if the provider sent one (RFC 9207). */
  issuer: string | null;
}

/** A provider that authenticates users. */
export interface IdentityProvider {
  /** The namespace of its subjects. */
  realm: string;
  /**
   * The authorization URL for this sign-in.
   * @throws OAuthHttpError
   */
  start(oauthState: OAuthState): Promise<URL>;
  /**
   * Exchanges the code of the callback for the user's profile.
   * @throws OAuthHttpError, Refusal `social_login`
   */
  identify(arrival: Callback, oauthState: OAuthState): Promise<Profile>;
}
