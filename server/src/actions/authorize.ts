// The headers that authorize a call of an action.
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import type { Encryption } from '../keys/encryption.ts';
import type { Egress } from '../platform/egress.ts';
import type { ActionRow } from './rows.ts';
import { decryptSecrets, tokenHostOf, type ClientSecrets } from './secrets.ts';
import { EARLY_MS, requestTokens, TokenError, type TokenHolder, type Tokens, type TokenStore } from './tokens.ts';

export interface AuthorizeDeps {
  egress: Egress;
  encryption: Encryption;
  tokens: TokenStore;
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
  return withToken(deps, { action, auth, secrets, holder: holderOf(action, auth, userId) }, signal, refused);
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

/** Whose tokens are used: the application's are its owner's; who signs in themselves uses their own. */
function holderOf(action: ActionRow, { grant }: OAuth, userId: string): TokenHolder {
  return { ...action, holderId: grant === 'authorization_code' ? userId : action.userId };
}

interface Client {
  action: ActionRow;
  holder: TokenHolder;
  auth: OAuth;
  secrets: ClientSecrets;
}

async function withToken(
  { egress, tokens: store }: AuthorizeDeps,
  client: Client,
  signal: AbortSignal,
  refused: string | null,
): Promise<Authorized> {
  const { holder } = client;
  const unlessRefused = (known: Tokens | null) =>
    known && known.accessToken !== refused && isFresh(known) ? bearer(known) : null;
  const stored = unlessRefused(await store.read(holder));
  if (stored) return stored;
  return store.renew(holder, async ({ known, write, forget }) => {
    // Another call may have replaced the token meanwhile.
    const renewed = unlessRefused(known);
    if (renewed) return renewed;
    const grant = grantFor(client, known);
    if (!grant) return { type: 'sign_in' };
    try {
      const got = await requestTokens(egress, { ...client, grant, signal });
      const fresh = { ...got, refreshToken: got.refreshToken ?? known?.refreshToken ?? null };
      await write(fresh);
      return bearer(fresh);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      if (client.auth.grant !== 'authorization_code' || !error.isRefusal)
        return { type: 'failed', text: `${error.message}.` };
      await forget();
      return { type: 'sign_in' };
    }
  });
}

function isFresh({ endsAt }: Tokens): boolean {
  return endsAt === null || endsAt - EARLY_MS > Date.now();
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
