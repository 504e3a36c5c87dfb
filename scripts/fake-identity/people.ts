/** Who has an account at the fake sites, and what goes wrong when some of them sign in. */
export interface FakePerson {
  id: string;
  name: string;
  login: string;
  email?: string;
  /** Of the address. Some sites write it as a word. */
  verified?: boolean | 'true';
  picture?: string;
  roles?: string[];
  trouble?: Trouble;
}

export type Trouble =
  /** Says no to the page that asks. */
  | 'denies'
  | 'wrong nonce'
  | 'wrong audience'
  | 'wrong issuer'
  | 'expired'
  /** The ID token is not signed at all, with the client's secret, or with a key that nobody knows. */
  | 'alg none'
  | 'alg HS256'
  | 'forged'
  /** The ID token tells no e-mail address, so that the user info is asked; there it is somebody else's. */
  | 'thin token'
  | 'another subject'
  /** The browser is sent back in another issuer's name. */
  | 'mix-up'
  /** The token endpoint fails, answers a page, more than anybody reads, or nothing for as long as anybody waits. */
  | 'fails'
  | 'page'
  | 'huge'
  | 'slow';

/** Numbers where a site has numbers. */
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
