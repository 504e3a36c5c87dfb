// OpenID Connect: the provider signs an ID token for this client and this sign-in.
import { CodeChallengeMethod, OAuth2Client } from 'arctic';
import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify, type JWTPayload } from 'jose';
import { requestSite, requestObject, failSite, OAuthHttpError } from './oauth-http.ts';
import { claimsProfile, groupsIn, hasRole } from './claims.ts';
import type { Claims } from './claims.ts';
import { requestTokens } from './token-request.ts';
import type { Callback, IdentityProvider, OAuthState } from './identity-provider.ts';
import type {
  ClaimPlace,
  ClaimedRole,
  Metadata,
  OAuthClient,
  OidcSite,
  Profile,
  Rights,
} from '../../config/parts/sign-in-sites.ts';

/** Asymmetric algorithms only: anybody who holds a shared secret could forge a token. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** Allowed clock difference between this server and the provider. */
const CLOCK_TOLERANCE_SECONDS = 60;

export function createOidc(client: OAuthClient, oidcSite: OidcSite): IdentityProvider {
  const { realm, scopes, metadata } = oidcSite;
  const keysAt = createKeyRing();
  let known: Promise<Metadata> | null = null;

  return {
    realm,
    start: (oauthState) => start(oauthState).catch(forget),
    identify: (arrival, oauthState) => identify(arrival, oauthState).catch(forget),
  };

  function describe(): Promise<Metadata> {
    return (known ??= metadata());
  }

  function forget(error: unknown): never {
    known = null;
    throw error;
  }

  async function start({ state, verifier, nonce }: OAuthState): Promise<URL> {
    const { authorizeURL } = await describe();
    const url = new OAuth2Client(client.clientId, null, client.redirectURI).createAuthorizationURLWithPKCE(
      authorizeURL,
      state,
      CodeChallengeMethod.S256,
      verifier,
      [...scopes],
    );
    url.searchParams.set('nonce', nonce);
    return url;
  }

  async function identify(arrival: Callback, { verifier, nonce }: OAuthState): Promise<Profile> {
    const site = await describe();
    assertSender(arrival, site);
    const { tokenURL, auth } = site;
    const { accessToken, idToken } = await requestTokens({ tokenURL, client, auth, code: arrival.code, verifier });
    const claims = await verify(idToken ?? failSite('there is no ID token'), site, client.clientId);
    assertOurs(claims, client.clientId, nonce);
    const person = claimsProfile(claims) ?? failSite('the ID token names nobody');
    const userInfo = once(() => requestUserInfo(person, site, accessToken));
    const readers: Readers = {
      id: async () => claims,
      access: once(() => readAccess(accessToken, site)),
      userinfo: userInfo,
    };
    const { requiredRole } = oidcSite;
    if (requiredRole && !(await holds(readers, requiredRole))) return { ...person, isBarred: true };
    const whole = person.email === null ? filled(person, await userInfo()) : person;
    return { ...whole, rights: await rightsOf(readers, oidcSite) };
  }

  /** Checks `aud` only when given: an access token is meant for another audience. */
  async function verify(token: string, { issuers, keysURL }: Metadata, audience?: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keysAt(keysURL), {
        algorithms: ALGORITHMS,
        issuer: issuers,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', ...(audience === undefined ? [] : ['sub', 'iat'])],
        ...(audience !== undefined && { audience }),
      });
      return payload;
    } catch (error) {
      if (error instanceof OAuthHttpError) throw error;
      return failSite(`a token is not accepted: ${error instanceof Error ? error.message : ''}`);
    }
  }

  /**
   * The claims of an access token; none if it is not a JWT. The provider sent it directly, so a token signed by another
   * issuer may be read unverified; one that names this provider as issuer must verify.
   */
  async function readAccess(token: string, site: Metadata): Promise<Claims> {
    const claims = decoded(token);
    return claims.iss !== undefined && site.issuers.includes(claims.iss) ? verify(token, site) : claims;
  }
}

/** Each is asked at most once. */
type Readers = Record<ClaimPlace['token'], () => Promise<Claims>>;

async function holds(readers: Readers, demanded: ClaimedRole): Promise<boolean> {
  return hasRole(await readers[demanded.token](), demanded);
}

async function rightsOf(readers: Readers, { adminRole, groups }: OidcSite): Promise<Rights> {
  return {
    isAdmin: adminRole && (await holds(readers, adminRole)),
    groups: groups && groupsIn(await readers[groups.token](), groups),
  };
}

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => (reading ??= read());
}

/** Rejects a callback from a provider other than the one the browser was sent to (RFC 9207). */
function assertSender({ issuer }: Callback, { issuers, namesItself }: Metadata): void {
  if (issuer === null ? namesItself : !issuers.includes(issuer)) failSite('the browser comes from another issuer');
}

function assertOurs({ aud, azp, nonce }: JWTPayload, clientId: string, expected: string): void {
  if (nonce !== expected) failSite('the ID token is of another sign-in');
  const isForOthers = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForOthers : azp !== clientId) failSite('the ID token was given to another client');
}

function decoded(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** The claims of the userinfo endpoint, which must report the same subject; none without an endpoint. */
async function requestUserInfo(person: Profile, { userInfoURL }: Metadata, accessToken: string): Promise<Claims> {
  if (userInfoURL === undefined) return {};
  const claims = await requestObject(userInfoURL, { headers: { authorization: `Bearer ${accessToken}` } });
  if (claimsProfile(claims)?.subject !== person.subject) failSite('the user info is of somebody else');
  return claims;
}

/** With what the user info adds to it. */
function filled(person: Profile, userInfo: Claims): Profile {
  const reported = claimsProfile(userInfo);
  if (!reported) return person;
  const { name, username, imageURL } = person;
  return {
    ...reported,
    name: name ?? reported.name,
    username: username ?? reported.username,
    imageURL: imageURL ?? reported.imageURL,
  };
}

/** Caches a provider's keys; fetches them again when a token names an unknown key. */
function createKeyRing() {
  const known = new Map<string, ReturnType<typeof createRemoteJWKSet>>();
  return (url: string) => {
    const keys = known.get(url) ?? createRemoteJWKSet(new URL(url), KEY_OPTIONS);
    known.set(url, keys);
    return keys;
  };
}

const KEY_OPTIONS = {
  // Tokens come only from the provider itself, so nobody else can trigger repeated fetches.
  cooldownDuration: 0,
  [customFetch]: async (url: string) => {
    const { status, text } = await requestSite(url);
    return new Response(text, { status });
  },
};
