// OpenID Connect: the provider signs a statement of who came, for us and for this one sign-in.
import { CodeChallengeMethod, OAuth2Client } from 'arctic';
import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify, type JWTPayload } from 'jose';
import type { RequiredRole, SocialClient } from '../../config/social.ts';
import { refuse } from '../../errors.ts';
import { call, callForObject, fail, ProviderFault } from './call.ts';
import { hasRole, personOf, type Claims } from './claims.ts';
import { exchange, type Purchase } from './exchange.ts';
import type { Arrival, Person, Provider } from './provider.ts';

/** What a provider tells of itself. */
export interface Metadata {
  /** As its tokens name it; the first of several is the proper one. */
  issuers: [string, ...string[]];
  authorizeURL: string;
  tokenURL: string;
  keysURL: string;
  userInfoURL: string | undefined;
  auth: Purchase['auth'];
  /** Whether everybody who comes back says from where. */
  namesItself: boolean;
}

export interface Oidc {
  client: SocialClient;
  realm: string;
  scopes: readonly string[];
  requiredRole?: RequiredRole | undefined;
  metadata: () => Promise<Metadata>;
}

/** No secret of ours is among them: what is signed with one, anybody who has it could have written. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** By how much two machines' clocks may differ, in seconds. */
const CLOCK_TOLERANCE = 60;

export function createOidc({ client, realm, scopes, requiredRole, metadata }: Oidc): Provider {
  const keysAt = createKeyRing();

  return {
    realm,
    async start({ state, verifier, nonce }) {
      const { authorizeURL } = await metadata();
      const url = new OAuth2Client(client.clientId, null, client.redirectURI).createAuthorizationURLWithPKCE(
        authorizeURL,
        state,
        CodeChallengeMethod.S256,
        verifier,
        [...scopes],
      );
      url.searchParams.set('nonce', nonce);
      return url;
    },
    async identify(arrival, { verifier, nonce }) {
      const site = await metadata();
      assertSender(arrival, site);
      const { tokenURL, auth } = site;
      const tokens = await exchange({ tokenURL, client, auth, code: arrival.code, verifier });
      const idToken = 'id_token' in tokens.data ? tokens.idToken() : fail('there is no ID token');
      const claims = await verify(idToken, site, client.clientId);
      assertOurs(claims, client.clientId, nonce);
      if (requiredRole) await assertRole(requiredRole, { id: claims, access: tokens.accessToken() }, site);
      const person = personOf(claims) ?? fail('the ID token names nobody');
      return person.email === null ? filled(person, site, tokens.accessToken()) : person;
    },
  };

  /** Of several audiences none is asked for: an access token is for somebody else's ears. */
  async function verify(token: string, { issuers, keysURL }: Metadata, audience?: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keysAt(keysURL), {
        algorithms: ALGORITHMS,
        issuer: issuers,
        clockTolerance: CLOCK_TOLERANCE,
        requiredClaims: ['exp', ...(audience === undefined ? [] : ['sub', 'iat'])],
        ...(audience !== undefined && { audience }),
      });
      return payload;
    } catch (error) {
      if (error instanceof ProviderFault) throw error;
      return fail(`a token is not accepted: ${error instanceof Error ? error.message : ''}`);
    }
  }

  async function assertRole(demanded: RequiredRole, tokens: { id: Claims; access: string }, site: Metadata) {
    const claims = demanded.token === 'id' ? tokens.id : await readAccess(tokens.access, site);
    if (!hasRole(claims, demanded)) refuse({ type: 'social_login', why: 'no_role' });
  }

  /**
   * The claims of an access token, none where it is no JWT. It came from the provider by itself, so that one which
   * another issuer signed, for its own use, can be read; what is signed as the provider's own must be.
   */
  async function readAccess(token: string, site: Metadata): Promise<Claims> {
    const claims = decoded(token);
    return claims.iss !== undefined && site.issuers.includes(claims.iss) ? verify(token, site) : claims;
  }
}

/** The browser may have been sent by another provider than it was sent to (RFC 9207). */
function assertSender({ issuer }: Arrival, { issuers, namesItself }: Metadata): void {
  if (issuer === null ? namesItself : !issuers.includes(issuer)) fail('the browser comes from another issuer');
}

function assertOurs({ aud, azp, nonce }: JWTPayload, clientId: string, expected: string): void {
  if (nonce !== expected) fail('the ID token is of another sign-in');
  const isForOthers = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForOthers : azp !== clientId) fail('the ID token was given to another client');
}

function decoded(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** What the ID token leaves out may be told elsewhere, of the same person. */
async function filled(person: Person, { userInfoURL }: Metadata, accessToken: string): Promise<Person> {
  if (userInfoURL === undefined) return person;
  const told = personOf(await callForObject(userInfoURL, { headers: { authorization: `Bearer ${accessToken}` } }));
  if (told?.subject !== person.subject) fail('the user info is of somebody else');
  const { name, username, picture } = person;
  return {
    ...told,
    name: name ?? told.name,
    username: username ?? told.username,
    picture: picture ?? told.picture,
  };
}

/** The keys of a provider are kept and asked for again when a token is signed with one that is not among them. */
function createKeyRing() {
  const known = new Map<string, ReturnType<typeof createRemoteJWKSet>>();
  return (url: string) => {
    const keys = known.get(url) ?? createRemoteJWKSet(new URL(url), KEY_OPTIONS);
    known.set(url, keys);
    return keys;
  };
}

const KEY_OPTIONS = {
  // Only the provider itself hands us tokens, so nobody else can make us ask again and again.
  cooldownDuration: 0,
  [customFetch]: async (url: string) => {
    const { status, text } = await call(url);
    return new Response(text, { status });
  },
};
