// The codes that a stand-in for an authorization server gives to those who sign in, and takes back for tokens.
import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sendJson } from '../local-server.ts';

/** Codes with what they were given for: the PKCE challenge, the address, and the resource where one was named. */
export type OAuthCodes = Map<string, { challenge: string; redirectUri: string; resource: string }>;

/** Gives a code at once, as to a person who has agreed before; refuses an unknown client and one without PKCE. */
export function giveCode(
  codes: OAuthCodes,
  query: URLSearchParams,
  isKnownClient: (id: string) => boolean,
  response: ServerResponse,
): void {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isKnownClient(query.get('client_id') ?? '') || query.get('code_challenge_method') !== 'S256')
    return sendJson(response, 400, { error: 'invalid_request' });
  const code = randomUUID();
  codes.set(code, {
    challenge: query.get('code_challenge') ?? '',
    redirectUri,
    resource: query.get('resource') ?? '',
  });
  const back = new URL(redirectUri);
  back.search = String(new URLSearchParams({ code, state: query.get('state') ?? '' }));
  response.writeHead(302, { location: back.href }).end();
}

/** Whether the code of this form is good, which it is once, for whom it was given to. */
export function takeCode(codes: OAuthCodes, form: Record<string, string>): boolean {
  const given = codes.get(form.code ?? '');
  codes.delete(form.code ?? '');
  const challenge = createHash('sha256')
    .update(form.code_verifier ?? '')
    .digest('base64url');
  const isSame = given?.redirectUri === form.redirect_uri && given?.resource === (form.resource ?? '');
  return isSame && given?.challenge === challenge;
}
