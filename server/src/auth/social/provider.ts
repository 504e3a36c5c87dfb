import type { Journey } from './journey.ts';

/** Somebody, as the site describes them that vouches for them. */
export interface Person {
  /** Its own name for them, which never changes. */
  subject: string;
  email: string | null;
  /** Whether it says that the address is theirs. */
  emailVerified: boolean;
  name: string | null;
  username: string | null;
  /** The address of a picture. */
  picture: string | null;
}

/** What the browser brought back. */
export interface Arrival {
  code: string;
  /** Who sent it back, where that was said. */
  issuer: string | null;
}

/** A site that vouches for people. */
export interface Provider {
  /** Whose subjects they are. */
  realm: string;
  /**
   * Where the browser is sent.
   * @throws ProviderFault
   */
  start(journey: Journey): Promise<URL>;
  /**
   * Who has come back.
   * @throws ProviderFault, Refusal `social_login`
   */
  identify(arrival: Arrival, journey: Journey): Promise<Person>;
}
