// Signing in to an action: authorization code with PKCE. The refresh cookie is not sent along when another site leads
// back here, so the signed cookie of the flow contains whose it is.
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '@parley/db/client';
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import * as z from 'zod';
import { isSameState } from '../auth/oauth/state-cookie.ts';
import type { Config } from '../config.ts';
import { createStateCookie } from '../http/signed-cookie.ts';
import type { Http } from '../http/request-info.ts';
import type { Encryption } from '../keys/encryption.ts';
import type { Egress } from '../platform/egress.ts';
import { refuse } from '../platform/errors.ts';
import { findUsableAction, type ActionRow } from './rows.ts';
import { decryptSecrets, tokenHostOf, type ClientSecrets } from './secrets.ts';
import { requestTokens, type TokenStore } from './tokens.ts';

export interface SignInDeps {
  config: Config;
  db: Db;
  egress: Egress;
  encryption: Encryption;
  tokens: TokenStore;
  /** Signs the cookie. */
  cookieSecret: string;
}

export interface ActionSignIn {
  /** Sets the cookie; returns where the browser goes. @throws Refusal */
  start(http: Http, userId: string, actionId: string): Promise<string>;
  /** Keeps the tokens; returns the host that is signed in to. @throws Refusal; TokenError */
  finish(http: Http, query: URLSearchParams): Promise<string>;
}

const cookie = createStateCookie(
  'connection-state',
  z.object({
    userId: z.string(),
    actionId: z.string(),
    domain: z.string(),
    state: z.string().min(1),
    verifier: z.string().min(1),
  }),
);

const WORD_BYTES = 32;

export function createActionSignIn({
  config,
  db,
  egress,
  encryption,
  tokens: store,
  cookieSecret,
}: SignInDeps): ActionSignIn {
  const { allowSharedAssistants: allowsSharing } = config.accounts;
  const redirectUri = `${config.server.domainServer}/api/connections/callback`;
  return {
    async start(http, userId, actionId) {
      const action = await findUsableAction(db, userId, actionId, allowsSharing);
      const { auth, secrets } = clientOf(encryption, action);
      const [state, verifier] = [randomWord(), randomWord()];
      await cookie.write(http, cookieSecret, { userId, actionId, domain: action.domain, state, verifier });
      const url = new URL(auth.authorizationUrl);
      const query = {
        response_type: 'code',
        client_id: secrets.clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(auth.scope !== '' && { scope: auth.scope }),
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },
    async finish(http, query) {
      const flow = await cookie.consume(http, cookieSecret);
      if (!flow || !isSameState(flow.state, query.get('state') ?? ''))
        return refuse({ type: 'social_login', why: 'expired' });
      if (query.get('error') === 'access_denied') refuse({ type: 'social_login', why: 'cancelled' });
      const code = query.get('code') || refuse({ type: 'social_login', why: 'failed' });
      const action = await findUsableAction(db, flow.userId, flow.actionId, allowsSharing);
      // The action was changed meanwhile: the code belongs to its former host.
      if (action.domain !== flow.domain) refuse({ type: 'social_login', why: 'expired' });
      const grant = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: flow.verifier,
      };
      const signal = new AbortController().signal;
      const tokens = await requestTokens(egress, { ...clientOf(encryption, action), grant, signal });
      await store.write({ ...action, holderId: flow.userId }, tokens);
      return action.domain;
    },
  };
}

/** @throws Refusal when nobody signs in to it, or its client must be entered again */
function clientOf(
  encryption: Encryption,
  action: ActionRow,
): { auth: Extract<ActionAuth, { type: 'oauth' }>; secrets: ClientSecrets } {
  const { auth } = action.settings;
  const secrets = decryptSecrets(encryption, action);
  if (auth.type !== 'oauth' || auth.grant !== 'authorization_code')
    return refuse({ type: 'not_found', what: 'action' });
  if (secrets?.type !== 'oauth' || secrets.tokenHost !== tokenHostOf(auth))
    return refuse({ type: 'invalid_input', text: `The credentials for ${action.domain} must be entered again` });
  return { auth, secrets };
}

function randomWord(): string {
  return randomBytes(WORD_BYTES).toString('base64url');
}
