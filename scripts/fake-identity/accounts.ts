/** The accounts of the fake sites, and the failures that some of them cause at sign-in. */
export interface FakePerson {
  id: string;
  name: string;
  login: string;
  email?: string;
  /** Whether the address is verified. Some sites send it as a string. */
  verified?: boolean | 'true';
  picture?: string;
  roles?: string[];
  groups?: unknown;
  trouble?: AccountFault;
}

export type AccountFault =
  /** The user declines on the consent page. */
  | 'denies'
  | 'wrong nonce'
  | 'no nonce'
  | 'wrong audience'
  /** Another client is an audience as well, or the one that the token was given to. */
  | 'two audiences'
  | 'another party'
  | 'wrong issuer'
  | 'expired'
  | 'never expires'
  /** The ID token is unsigned, or signed with the client's secret, the published key, an unknown key or one it brings. */
  | 'alg none'
  | 'alg HS256'
  | 'alg HS256 by the public key'
  | 'forged'
  | 'own key'
  /** The ID token has no e-mail address, so the user info is fetched; there it is another person's. */
  | 'thin token'
  | 'another subject'
  /** The redirect names another issuer. */
  | 'mix-up'
  /** The token endpoint fails, sends the request on to another host, returns a page or too much data, or never responds. */
  | 'fails'
  | 'moved'
  | 'page'
  | 'huge'
  | 'slow';

/** Numeric ids where the site has them. */
export const people: Record<string, FakePerson> = {
  alice: {
    id: '1001',
    name: 'Alice Example',
    login: 'alice',
    email: 'alice@example.com',
    verified: true,
    picture: 'https://pictures.example/alice.png',
    roles: ['staff', 'reader'],
  },
  bob: { id: '1002', name: 'Bob Example', login: 'bob', email: 'bob@example.com', verified: false, roles: ['reader'] },
  carol: { id: '1003', name: 'Carol Example', login: 'carol' },
};
