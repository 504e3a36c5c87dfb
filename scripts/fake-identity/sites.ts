import { createHmac } from 'node:crypto';
import type { AuthorizationServer, Grant } from './grants.ts';
import { CLIENT_ID, CLIENT_SECRET } from './oauth-endpoints.ts';
import type { FakePerson } from './accounts.ts';
import { signedBySecret, unsigned } from './signer.ts';
import { json, type Site } from './site-protocol.ts';

/** Settings of the fake OpenID site. */
export interface OpenIdBehaviour {
  /** The site is down. */
  isDown: boolean;
  auth: ('basic' | 'post')[];
  /** Replaces its issuer. */
  issuer: string | null;
  /** The kind of access token. */
  accessToken: 'jwt' | 'opaque' | 'forged' | 'foreign';
  /** Fields of its token response, in place of the usual ones. */
  tokenFields: Record<string, unknown>;
}

export const google: Site = {
  authorizePath: '/o/oauth2/v2/auth',
  tokenPath: '/token',
  scopes: ['openid', 'profile', 'email'],
  takesChallenge: true,
  auth: () => ['basic', 'post'],
  refusal: (error) => json({ error, error_description: 'Malformed auth code.' }, 400),
  tokens: (desk, grant) => ({ id_token: idToken(desk, grant) }),
  open: ({ signer }, { path }) => (path === '/oauth2/v3/certs' ? json(signer.keys()) : null),
  about: ({ person }, { path }) => (path === '/v1/userinfo' ? json(claimsOf(person)) : null),
};

export const facebook: Site = {
  authorizePath: '/v23.0/dialog/oauth',
  tokenPath: '/v23.0/oauth/access_token',
  scopes: ['public_profile', 'email'],
  takesChallenge: false,
  auth: () => ['post'],
  refusal: () => json({ error: { message: 'Invalid verification code.', type: 'OAuthException', code: 100 } }, 400),
  about({ person, accessToken }, { path, query }) {
    const proof = createHmac('sha256', CLIENT_SECRET).update(accessToken).digest('hex');
    if (path !== '/v23.0/me') return null;
    if (query.get('appsecret_proof') !== proof) return json({ error: { message: 'Invalid proof', code: 100 } }, 400);
    const { id, name, email, picture } = person;
    return json({ id, name, ...(email && { email }), ...(picture && { picture: { data: { url: picture } } }) });
  },
};

export const github: Site = {
  authorizePath: '/login/oauth/authorize',
  tokenPath: '/login/oauth/access_token',
  scopes: ['user:email', 'read:user'],
  takesChallenge: true,
  auth: () => ['basic', 'post'],
  refusal: () => json({ error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' }),
  about({ person }, { path, headers }) {
    if (!headers['user-agent']) return json({ message: 'Please name yourself' }, 403);
    const { id, login, name, email, verified, picture } = person;
    // The public address is not the verified one.
    const profile = { id: Number(id), login, name, avatar_url: picture ?? null, email: 'public@example.com' };
    const other = { email: 'other@example.com', primary: false, verified: true };
    const addresses = email ? [other, { email, primary: true, verified: verified === true }] : [other];
    if (path === '/user') return json(profile);
    return path === '/user/emails' ? json(addresses) : null;
  },
};

export const discord: Site = {
  authorizePath: '/oauth2/authorize',
  tokenPath: '/api/oauth2/token',
  scopes: ['identify', 'email'],
  takesChallenge: true,
  auth: () => ['basic', 'post'],
  refusal: (error) => json({ error }, 400),
  about({ person }, { path }) {
    if (path !== '/api/users/@me') return null;
    const { id, login, name, email = null, verified, picture } = person;
    const avatar = picture ? 'a1b2' : null;
    return json({ id, username: login, global_name: name, email, verified: verified === true, avatar });
  },
};

export function openIdWith(behaviour: OpenIdBehaviour): Site {
  return {
    authorizePath: '/authorize',
    tokenPath: '/token',
    scopes: ['openid'],
    takesChallenge: true,
    auth: () => behaviour.auth,
    refusal: (error) => json({ error }, 400),
    tokens: (desk, grant) => ({
      id_token: idToken(desk, grant),
      ...accessOf(behaviour, desk, grant),
      ...behaviour.tokenFields,
    }),
    open(desk, { path }) {
      if (path === '/keys') return json(desk.signer.keys());
      return path === '/.well-known/openid-configuration' ? json(descriptionOf(desk, behaviour)) : null;
    },
    about({ person }, { path }) {
      if (path !== '/userinfo') return null;
      return json({ ...claimsOf(person), ...(person.trouble === 'another subject' && { sub: 'somebody else' }) });
    },
  };
}

function descriptionOf({ issuer }: AuthorizationServer, { issuer: other, auth }: OpenIdBehaviour): object {
  return {
    issuer: other ?? issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    token_endpoint_auth_methods_supported: auth.map((method) => `client_secret_${method}`),
    authorization_response_iss_parameter_supported: true,
    // It promises more than is safe: anyone who signs in here must not take its word for it.
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  };
}

function claimsOf({ id, name, login, email, verified, picture, roles, groups }: FakePerson): Record<string, unknown> {
  const address = email && { email, email_verified: verified ?? false };
  return {
    sub: id,
    name,
    preferred_username: login,
    picture,
    realm_access: { roles: roles ?? [] },
    groups,
    ...address,
  };
}

function idToken({ issuer, signer }: AuthorizationServer, { person, nonce }: Grant): string {
  const now = Math.floor(Date.now() / 1000);
  const claims: Record<string, unknown> = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 3600, nonce };
  Object.assign(claims, claimsOf(person));
  switch (person.trouble) {
    case 'wrong nonce':
      return signer.sign({ ...claims, nonce: 'of another sign-in' });
    case 'no nonce':
      return signer.sign({ ...claims, nonce: undefined });
    case 'wrong audience':
      return signer.sign({ ...claims, aud: 'another client' });
    case 'two audiences':
      return signer.sign({ ...claims, aud: [CLIENT_ID, 'another client'] });
    case 'another party':
      return signer.sign({ ...claims, azp: 'another client' });
    case 'wrong issuer':
      return signer.sign({ ...claims, iss: 'https://other.example' });
    case 'expired':
      return signer.sign({ ...claims, iat: now - 7200, exp: now - 3600 });
    case 'never expires':
      return signer.sign({ ...claims, exp: undefined });
    case 'alg none':
      return unsigned(claims);
    case 'alg HS256':
      return signedBySecret(claims, CLIENT_SECRET);
    case 'alg HS256 by the public key':
      return signer.confuse(claims);
    case 'forged':
      return signer.forge(claims);
    case 'own key':
      return signer.bringKey(claims);
    case 'thin token':
    case 'another subject':
      return signer.sign({ ...claims, email: undefined, email_verified: undefined, name: undefined });
    default:
      return signer.sign(claims);
  }
}

/** A readable access token, as some sites issue; its claims are the person's. */
function accessOf(
  { accessToken }: OpenIdBehaviour,
  { issuer, signer }: AuthorizationServer,
  { person }: Grant,
): object {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = { iss: issuer, aud: 'api', exp, ...claimsOf(person) };
  switch (accessToken) {
    case 'opaque':
      return {};
    case 'jwt':
      return { access_token: signer.sign(claims) };
    case 'forged':
      return { access_token: signer.forge(claims) };
    case 'foreign':
      return { access_token: signer.forge({ ...claims, iss: 'https://sts.example' }) };
    default:
      return accessToken satisfies never;
  }
}
