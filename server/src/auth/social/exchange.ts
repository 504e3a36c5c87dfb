import { OAuth2RequestError, OAuth2Tokens } from 'arctic';
import type { SocialClient } from '../../config/social.ts';
import { call, fail, objectIn, ProviderFault, whyOf } from './call.ts';

export interface Purchase {
  tokenURL: string;
  client: Pick<SocialClient, 'clientId' | 'clientSecret' | 'redirectURI'>;
  /** How we say who we are: in the header, or in the form beside the code. */
  auth: 'basic' | 'post';
  code: string;
  /** Null where the provider was given no challenge. */
  verifier: string | null;
}

/**
 * The tokens for a code. Arctic's own exchange knows neither a limit of time nor one of size, nor any way to say who we
 * are but the header.
 * @throws ProviderFault
 */
export async function exchange({ tokenURL, client, auth, code, verifier }: Purchase): Promise<OAuth2Tokens> {
  const { clientId, clientSecret, redirectURI } = client;
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectURI });
  if (verifier !== null) form.set('code_verifier', verifier);
  const headers = new Headers();
  if (auth === 'basic') headers.set('authorization', `Basic ${basic(clientId, clientSecret)}`);
  else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  const { status, text } = await call(tokenURL, { method: 'POST', headers, body: form });
  const answer = objectIn(text);
  const { host } = new URL(tokenURL);
  // GitHub refuses with 200, too.
  const error = errorIn(answer);
  if (error) throw new ProviderFault(whyOf(status), `${host} refuses the code: ${error.message}`);
  if (status !== 200 || !answer) throw new ProviderFault(whyOf(status), `${host} answers the code with ${status}`);
  const tokens = new OAuth2Tokens(answer);
  if (typeof answer.access_token !== 'string') fail(`${host} gives no access token`);
  return tokens;
}

/** RFC 6749, 2.3.1: both are written as in a form before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const [id, secret] = [clientId, clientSecret].map((text) => new URLSearchParams({ '': text }).toString().slice(1));
  return Buffer.from(`${id}:${secret}`).toString('base64');
}

/** Facebook has an object in the place of the code; its words stay there. */
function errorIn(answer: Record<string, unknown> | undefined): Error | null {
  const code = answer?.error;
  if (code === undefined || code === null) return null;
  const word = typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : 'no known word';
  return new OAuth2RequestError(word, null, null, null);
}
