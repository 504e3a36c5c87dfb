// Interface that every OAuth and OpenID Connect provider implements.
import type { OAuthState } from './state-cookie.ts';

/** A user's profile as the provider reports it. */
export interface Profile {
  /** The provider's id of the user, which never changes. */
  subject: string;
  email: string | null;
  /** Whether the provider confirms that the user owns the address. */
  emailVerified: boolean;
  name: string | null;
  username: string | null;
  /** The URL of the picture. */
  picture: string | null;
}

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
