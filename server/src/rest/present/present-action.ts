import type { Api } from '../../router.ts';
import type { RestAction, RestActionAuth } from '../shapes/assistant.ts';

type Action = Awaited<ReturnType<Api['assistants']['actions']>>[number];

/** An action as REST clients expect it: a list of fields, so that secrets cannot be among them. */
export function presentAction(
  userId: string,
  { id, assistantId, domain, privacyPolicyUrl, auth }: Action,
  rawSpec: string,
): RestAction {
  return {
    user: userId,
    action_id: id,
    type: 'action_prototype',
    assistant_id: assistantId,
    metadata: {
      domain,
      raw_spec: rawSpec,
      ...(privacyPolicyUrl !== null && { privacy_policy_url: privacyPolicyUrl }),
      auth: authOf(auth),
    },
  };
}

/** As assistants name their actions. */
export function actionName({ id, domain }: Pick<Action, 'id' | 'domain'>): string {
  return `${domain}_action_${id}`;
}

function authOf(auth: Action['auth']): RestActionAuth {
  switch (auth.type) {
    case 'none':
      return { type: auth.type };
    case 'service_http': {
      const { type, authorizationType, customAuthHeader } = auth;
      const header = customAuthHeader === null ? {} : { custom_auth_header: customAuthHeader };
      return { type, authorization_type: authorizationType, ...header };
    }
    case 'oauth':
      return {
        type: auth.type,
        authorization_url: auth.authorizationUrl,
        client_url: auth.clientUrl,
        scope: auth.scope,
        token_exchange_method: auth.tokenExchangeMethod,
      };
    default:
      return auth satisfies never;
  }
}
