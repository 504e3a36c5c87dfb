// The headers that authorize a call of an action.
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import type { Encryption } from '../keys/encryption.ts';
import type { Egress } from '../platform/egress.ts';
import type { ActionRow } from './rows.ts';
import { decryptSecrets, tokenHostOf, type ClientSecrets } from './secrets.ts';
import type { Tokens, TokenStore } from '../connections/tokens.ts';
import { actionConnection, requestTokens, TokenError } from './tokens.ts';

export interface AuthorizeDeps {
  egress: Egress;
  encryption: Encryption;
  tokens: TokenStore<Tokens>;
}

export type Authorized =
  | {
      type: 'headers';
      headers: Record<string, string>;
      /** The token that is in them; null when there is none, so that a refusal is final. */
      token: string | null;
    }
  | { type: 'sign_in' }
  /** A sentence. */
  | { type: 'failed'; text: string };

type OAuth = Extract<ActionAuth, { type: 'oauth' }>;

/**
 * @param refused the token that the API did not accept: it is replaced
 * @throws what the egress guard throws for the token endpoint, except refusals of a token
 */
export async function authorize(
  deps: AuthorizeDeps,
  { action, userId }: { action: ActionRow; userId: string },
  signal: AbortSignal,
  refused: string | null = null,
): Promise<Authorized> {
  const { auth } = action.settings;
  if (auth.type === 'none') return { type: 'headers', headers: {}, token: null };
  const secrets = decryptSecrets(deps.encryption, action);
  if (secrets?.type !== auth.type) return { type: 'failed', text: missingSecret(action) };
  if (secrets.type === 'service_http')
    return { type: 'headers', headers: keyHeader(auth, secrets.apiKey), token: null };
  if (auth.type !== 'oauth' || secrets.tokenHost !== tokenHostOf(auth))
    return { type: 'failed', text: missingSecret(action) };
  return withToken(deps, { action, auth, secrets, userId }, signal, refused);
}

function missingSecret({ domain }: ActionRow): string {
  return `The credentials for ${domain} are missing: they must be entered again.`;
}

function keyHeader(auth: ActionAuth, apiKey: string): Record<string, string> {
  if (auth.type !== 'service_http') return {};
  switch (auth.authorizationType) {
    case 'basic':
      return { authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` };
    case 'bearer':
      return { authorization: `Bearer ${apiKey}` };
    case 'custom':
      return { [(auth.customAuthHeader ?? '').toLowerCase()]: apiKey };
  }
}

interface Client {
  action: ActionRow;
  userId: string;
  auth: OAuth;
  secrets: ClientSecrets;
}

async function withToken(
  { egress, tokens: store }: AuthorizeDeps,
  client: Client,
  signal: AbortSignal,
  refused: string | null,
): Promise<Authorized> {
  const { action, auth, userId } = client;
  // The application's tokens are its owner's; who signs in themselves uses their own.
  const connection = actionConnection(action, auth.grant === 'authorization_code' ? userId : action.userId);
  try {
    const stored = await store.read(connection);
    const tokens = stored && store.isUsable(stored, refused) ? stored : await store.renew(connection, refused, request);
    return tokens ? bearer(tokens) : { type: 'sign_in' };
  } catch (error) {
    if (error instanceof TokenError) return { type: 'failed', text: `${error.message}.` };
    throw error;
  }

  async function request(known: Tokens | null): Promise<Tokens | null> {
    const grant = grantFor(client, known);
    if (!grant) return null;
    const got = await requestTokens(egress, { ...client, grant, signal }).catch((error: unknown) => {
      if (error instanceof TokenError && error.isRefusal && auth.grant === 'authorization_code') return null;
      throw error;
    });
    return got && { ...got, refreshToken: got.refreshToken ?? known?.refreshToken ?? null };
  }
}

/** How a token is got without a person; null when that takes one. */
function grantFor({ auth }: Client, known: Tokens | null): Record<string, string> | null {
  if (auth.grant === 'authorization_code')
    return known?.refreshToken ? { grant_type: 'refresh_token', refresh_token: known.refreshToken } : null;
  return { grant_type: 'client_credentials', ...(auth.scope !== '' && { scope: auth.scope }) };
}

function bearer({ accessToken }: Tokens): Authorized {
  return { type: 'headers', headers: { authorization: `Bearer ${accessToken}` }, token: accessToken };
}
