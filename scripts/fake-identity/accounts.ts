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
  | 'wrong audience'
  | 'wrong issuer'
  | 'expired'
  /** The ID token is unsigned, signed with the client's secret, or signed with an unknown key. */
  | 'alg none'
  | 'alg HS256'
  | 'forged'
  /** The ID token has no e-mail address, so the user info is fetched; there it is another person's. */
  | 'thin token'
  | 'another subject'
  /** The redirect names another issuer. */
  | 'mix-up'
  /** The token endpoint fails, returns a page, returns too much data, or never responds. */
  | 'fails'
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
