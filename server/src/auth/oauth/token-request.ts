// The token request of OAuth 2.0.
import { isObject, parseJson } from '@parley/schema/json';
import { OAuth2RequestError } from 'arctic';
import { requestSite, failSite, OAuthHttpError, failureKindOf } from './oauth-http.ts';
import type { OAuthClient } from '../../config/parts/sign-in-sites.ts';

/** How a client authenticates: Authorization header, or form fields beside the grant. */
export type ClientAuth = 'basic' | 'post';

interface TokenRequest {
  tokenURL: string;
  client: Pick<OAuthClient, 'clientId' | 'clientSecret' | 'redirectURI'>;
  auth: ClientAuth;
  code: string;
  /** Null when PKCE is not used. */
  verifier: string | null;
}

/**
 * Exchanges a code for tokens. Arctic's own exchange has no time or size limit and authenticates only by header.
 * @throws OAuthHttpError
 */
export async function requestTokens({ tokenURL, client, auth, code, verifier }: TokenRequest) {
  const grant = { grant_type: 'authorization_code', code, redirect_uri: client.redirectURI };
  const form = tokenForm(client, auth, { ...grant, ...(verifier !== null && { code_verifier: verifier }) });
  const { status, text } = await requestSite(tokenURL, form);
  const given = parseJson(text);
  const response = isObject(given) ? given : undefined;
  const { host } = new URL(tokenURL);
  // GitHub reports errors with status 200, too.
  const error = errorIn(response);
  if (error) throw new OAuthHttpError(failureKindOf(status), `${host} refuses the code: ${error.message}`);
  if (status !== 200 || !response)
    throw new OAuthHttpError(failureKindOf(status), `${host} answers the code with ${status}`);
  const { access_token: accessToken, id_token: idToken } = response;
  if (typeof accessToken !== 'string') return failSite(`${host} gives no access token`);
  return { accessToken, idToken: typeof idToken === 'string' ? idToken : null };
}

/** What is sent to a token endpoint: the fields of the grant, and the client's credentials. */
export function tokenForm(
  { clientId, clientSecret }: Pick<OAuthClient, 'clientId' | 'clientSecret'>,
  auth: ClientAuth,
  grant: Record<string, string>,
) {
  // RFC 6749, 2.3.1: both are form-encoded before they are joined.
  const encoded = [clientId, clientSecret].map((text) => new URLSearchParams({ '': text }).toString().slice(1));
  const authorization = `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
  const fields = auth === 'basic' ? grant : { ...grant, client_id: clientId, client_secret: clientSecret };
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'Parley',
    ...(auth === 'basic' && { authorization }),
  };
  return { method: 'POST', headers, body: new URLSearchParams(fields).toString() };
}

/** Facebook sends an object in place of the error code; its text is not logged. */
function errorIn(response: Record<string, unknown> | undefined): Error | null {
  const code = response?.error;
  if (code === undefined || code === null) return null;
  const word = typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : 'no known word';
  return new OAuth2RequestError(word, null, null, null);
}
