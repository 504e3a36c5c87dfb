// The token request of OAuth 2.0.
import { isObject, parseJson } from '@parley/schema/json';
import { OAuth2RequestError, OAuth2Tokens } from 'arctic';
import { requestSite, failSite, OAuthHttpError, failureKindOf } from './oauth-http.ts';
import type { OAuthClient } from '../../config/parts/sign-in-sites.ts';

export interface TokenRequest {
  tokenURL: string;
  client: Pick<OAuthClient, 'clientId' | 'clientSecret' | 'redirectURI'>;
  /** How the client authenticates: Authorization header, or form fields beside the code. */
  auth: 'basic' | 'post';
  code: string;
  /** Null when PKCE is not used. */
  verifier: string | null;
}

/**
 * Exchanges a code for tokens. Arctic's own exchange has no time or size limit and authenticates only by header.
 * @throws OAuthHttpError
 */
export async function requestTokens({ tokenURL, client, auth, code, verifier }: TokenRequest): Promise<OAuth2Tokens> {
  const { clientId, clientSecret, redirectURI } = client;
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectURI });
  if (verifier !== null) form.set('code_verifier', verifier);
  const headers = new Headers();
  if (auth === 'basic') headers.set('authorization', `Basic ${basicCredentials(clientId, clientSecret)}`);
  else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  const { status, text } = await requestSite(tokenURL, { method: 'POST', headers, body: form });
  const given = parseJson(text);
  const response = isObject(given) ? given : undefined;
  const { host } = new URL(tokenURL);
  // GitHub reports errors with status 200, too.
  const error = errorIn(response);
  if (error) throw new OAuthHttpError(failureKindOf(status), `${host} refuses the code: ${error.message}`);
  if (status !== 200 || !response)
    throw new OAuthHttpError(failureKindOf(status), `${host} answers the code with ${status}`);
  const tokens = new OAuth2Tokens(response);
  if (typeof response.access_token !== 'string') failSite(`${host} gives no access token`);
  return tokens;
}

/** RFC 6749, 2.3.1: both are form-encoded before they are joined. */
export function basicCredentials(clientId: string, clientSecret: string): string {
  const [id, secret] = [clientId, clientSecret].map((text) => new URLSearchParams({ '': text }).toString().slice(1));
  return Buffer.from(`${id}:${secret}`).toString('base64');
}

/** Facebook sends an object in place of the error code; its text is not logged. */
function errorIn(response: Record<string, unknown> | undefined): Error | null {
  const code = response?.error;
  if (code === undefined || code === null) return null;
  const word = typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : 'no known word';
  return new OAuth2RequestError(word, null, null, null);
}
