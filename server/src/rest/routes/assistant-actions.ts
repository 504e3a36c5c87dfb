// REST handlers for the actions of assistants (docs/rest-compat.md, Assistants).
import { Readable } from 'node:stream';
import type { SaveAssistantAction } from '@parley/schema/assistants/assistant-inputs';
import * as z from 'zod';
import { toWebStream } from '../../http/web-stream.ts';
import { refuse } from '../../platform/errors.ts';
import type { Api } from '../../router.ts';
import { refusedRequest } from '../errors.ts';
import { actionName, presentAction } from '../present/present-action.ts';
import { presentDocument, presentRestAssistant } from '../present/present-assistant.ts';
import { asJson } from '../responses.ts';
import { authed, type Call, type Refused } from '../route.ts';
import { RestAction, SavedAction } from '../shapes/assistant.ts';
import { Told } from '../shapes/shapes.ts';

const Auth = z.object({
  type: z.enum(['none', 'service_http', 'oauth']).default('none'),
  authorization_type: z.enum(['basic', 'bearer', 'custom']).nullish(),
  custom_auth_header: z.string().nullish(),
  authorization_url: z.string().nullish(),
  client_url: z.string().nullish(),
  scope: z.string().nullish(),
  token_exchange_method: z.enum(['default_post', 'basic_auth_header']).nullish(),
});

const Saving = z.object({
  functions: z.array(z.unknown()).nullish(),
  action_id: z.string().nullish(),
  metadata: z
    .object({
      domain: z.string().nullish(),
      raw_spec: z.string().nullish(),
      privacy_policy_url: z.string().nullish(),
      auth: Auth.nullish(),
      api_key: z.string().nullish(),
      oauth_client_id: z.string().nullish(),
      oauth_client_secret: z.string().nullish(),
    })
    .default({}),
});

/** Existing clients expect 400 for whatever is wrong with the action. */
const onUnsavedAction: Refused = ({ reason, text }) =>
  reason.type === 'invalid_input' ? Response.json({ message: text }, { status: 400 }) : null;

export const actionRoutes = [
  authed('GET', '/api/assistants/actions', listActions, {
    summary: 'Actions of the person’s assistants',
    answers: { 200: asJson('A list, without secrets.', z.array(RestAction)) },
  }),
  authed('POST', '/api/assistants/actions/:assistant_id', saveAction, {
    summary: 'Saves an action: an API that an assistant calls',
    description: '`functions` are not read: the first 100 operations of `raw_spec` are on, or those that were chosen.',
    body: Saving,
    answers: { 200: asJson('The document, the assistant and the action.', SavedAction), 400: 'What is wrong with it.' },
    refused: onUnsavedAction,
    takesDocument: true,
  }),
  authed('DELETE', '/api/assistants/actions/:assistant_id/:action_id/:model', removeAction, {
    summary: 'Deletes an action; its functions leave the assistant',
    answers: { 200: asJson('A message.', Told) },
  }),
];

/** Written one by one: each has a document of up to ten megabytes, and only one is in memory. */
async function listActions(api: Api, { userId }: Call) {
  const actions = await api.assistants.actions();
  async function* pieces() {
    let before = '[';
    for (const action of actions) {
      const rawSpec = await documentOf(api, action.id);
      // It was deleted meanwhile.
      if (rawSpec === null) continue;
      yield Buffer.from(before + JSON.stringify(presentAction(userId, action, rawSpec)));
      before = ',';
    }
    yield Buffer.from(before === '[' ? '[]' : ']');
  }
  return new Response(toWebStream(Readable.from(pieces())), {
    headers: { 'Content-Type': 'application/json' },
  });
}

/** Null where there is none. */
async function documentOf(api: Api, actionId: string): Promise<string | null> {
  try {
    return (await api.actions.get({ actionId })).rawSpec;
  } catch (error) {
    if (refusedRequest(error)?.reason.type === 'not_found') return null;
    throw error;
  }
}

/** Answers with what is kept beside the assistant, the assistant, and the action. */
async function saveAction(
  api: Api,
  { params, body, userId }: Call<{ assistant_id: string }>,
): Promise<z.infer<typeof SavedAction>> {
  const { functions, action_id: actionId, metadata } = Saving.parse(body);
  const { assistant_id: assistantId } = params;
  if (!functions?.length) return refuseWith('No functions provided');
  if (!metadata.domain) return refuseWith('No domain provided');
  const former = actionId
    ? (await api.assistants.actions({ assistantId })).find(({ id }) => id === actionId)
    : undefined;
  const rawSpec = metadata.raw_spec ?? (former && (await documentOf(api, former.id))) ?? '';
  const { assistant, action, actions } = await api.assistants.saveAction({
    assistantId,
    ...(actionId && { actionId }),
    rawSpec,
    privacyPolicyUrl: metadata.privacy_policy_url || (former?.privacyPolicyUrl ?? null),
    auth: metadata.auth ? authOf(metadata.auth) : (former?.auth ?? { type: 'none' }),
    ...given('apiKey', metadata.api_key),
    ...given('oauthClientId', metadata.oauth_client_id),
    ...given('oauthClientSecret', metadata.oauth_client_secret),
  });
  const document = presentDocument(userId, assistant, actions.map(actionName));
  return [document, presentRestAssistant(assistant), presentAction(userId, action, rawSpec)];
}

async function removeAction(api: Api, { params }: Call<{ assistant_id: string; action_id: string }>) {
  const { assistant_id: assistantId, action_id: actionId } = params;
  await api.assistants.removeAction({ assistantId, actionId });
  return { message: 'Action deleted successfully' };
}

function authOf(auth: z.infer<typeof Auth>): z.input<typeof SaveAssistantAction>['auth'] {
  switch (auth.type) {
    case 'none':
      return { type: 'none' };
    case 'service_http': {
      const { authorization_type: authorizationType, custom_auth_header: header } = auth;
      // Clients send the empty field of their form with every kind of authorization.
      return {
        type: 'service_http',
        authorizationType: authorizationType ?? 'bearer',
        customAuthHeader: header?.trim() || null,
      };
    }
    case 'oauth':
      return {
        type: 'oauth',
        clientUrl: auth.client_url ?? '',
        authorizationUrl: auth.authorization_url ?? '',
        scope: auth.scope ?? '',
        tokenExchangeMethod: auth.token_exchange_method ?? 'default_post',
      };
    default:
      return auth.type satisfies never;
  }
}

/** A secret that the client does not send stays as it is. */
function given<Name extends string>(name: Name, value: string | null | undefined): { [_ in Name]?: string } {
  return (value ? { [name]: value } : {}) as { [_ in Name]?: string };
}

function refuseWith(text: string): never {
  return refuse({ type: 'invalid_input', text });
}
