import type { FakePerson } from './accounts.ts';
import type { Signer } from './signer.ts';

/** What a code, and later a token, stands for. */
export interface Grant {
  site: string;
  person: FakePerson;
  redirectURI: string;
  challenge: string | null;
  nonce: string | null;
  accessToken: string;
}

export interface AuthorizationServer {
  /** The address of the site, as its tokens name it. */
  issuer: string;
  signer: Signer;
}
