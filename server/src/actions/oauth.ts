// Signing in to an action: authorization code with PKCE.
import { createHash } from 'node:crypto';
import type { Db } from '@parley/db/client';
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import type { Config } from '../config/config.ts';
import { callbackUrl, randomWord, type ServiceSignIn } from '../connections/sign-in.ts';
import type { Tokens, TokenStore } from '../connections/tokens.ts';
import type { Encryption } from '../keys/encryption.ts';
import type { Egress } from '../platform/egress.ts';
import { refuse } from '../platform/errors.ts';
import { findUsableAction, actionService, type ActionRow } from './rows.ts';
import { assertActionsOn } from './run-operation.ts';
import { decryptSecrets, tokenHostOf, type ClientSecrets } from './secrets.ts';
import { actionConnection, requestTokens } from './tokens.ts';

export interface SignInDeps {
  config: Config;
  db: Db;
  egress: Egress;
  encryption: Encryption;
  tokens: TokenStore<Tokens>;
}

export function createActionSignIn({ config, db, egress, encryption, tokens: store }: SignInDeps): ServiceSignIn {
  const { allowSharedAssistants: allowsSharing } = config.accounts;
  return {
    async start(userId, actionId) {
      assertActionsOn(config);
      const action = await findUsableAction(db, userId, actionId, allowsSharing);
      const { auth, secrets } = clientOf(encryption, action);
      const [state, verifier] = [randomWord(), randomWord()];
      const url = new URL(auth.authorizationUrl);
      const query = {
        response_type: 'code',
        client_id: secrets.clientId,
        redirect_uri: callbackUrl(config),
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(auth.scope !== '' && { scope: auth.scope }),
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const flow = { userId, service: actionService(actionId), target: action.domain, state, verifier };
      return { location: url.href, flow };
    },
    async finish({ flow, code }) {
      assertActionsOn(config);
      const { userId, service, target, verifier } = flow;
      const action = await findUsableAction(db, userId, service.slice(actionService('').length), allowsSharing);
      // The action was changed meanwhile: the code belongs to its former host.
      if (action.domain !== target) refuse({ type: 'social_login', why: 'expired' });
      const redirect_uri = callbackUrl(config);
      const grant = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
      const signal = new AbortController().signal;
      const tokens = await requestTokens(egress, { ...clientOf(encryption, action), grant, signal });
      await store.write(actionConnection(action, userId), tokens);
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
