// Actions of assistants and agents: their documents, and their keys where these can be decrypted.
import type { SavedActionInput } from '@parley/schema/assistants/assistant-inputs';
import pino from 'pino';
import * as z from 'zod';
import { createActions } from '../../actions/actions.ts';
import { saveAssistantAction } from '../../assistants/assistant-actions.ts';
import { createEgress } from '../../platform/egress.ts';
import { Refusal } from '../../platform/errors.ts';
import type { BroughtAssistants } from './assistants.ts';
import { readDocuments } from './documents.ts';
import { decryptOld, type OldSecrets } from './people/old-secrets.ts';
import { documentOwner } from './people/people.ts';
import { skip, type Count } from './report.ts';
import type { People, Target } from './target.ts';

const secret = z.string().max(65_536).optional().catch(undefined);
const text = z.string().catch('');
const ActionDocument = z.object({
  assistant_id: z.string().optional().catch(undefined),
  agent_id: z.string().optional().catch(undefined),
  metadata: z.object({
    raw_spec: z.string().min(1),
    privacy_policy_url: z.string().max(2048).optional().catch(undefined),
    auth: z
      .object({
        type: z.enum(['none', 'service_http', 'oauth']).catch('none'),
        authorization_type: z.enum(['basic', 'bearer', 'custom']).catch('bearer'),
        custom_auth_header: z.string().nullish().catch(null),
        authorization_url: text,
        client_url: text,
        scope: text,
        token_exchange_method: z.enum(['default_post', 'basic_auth_header']).catch('default_post'),
      })
      .optional(),
    api_key: secret,
    oauth_client_id: secret,
    oauth_client_secret: secret,
  }),
});
type Metadata = z.infer<typeof ActionDocument>['metadata'];

export async function importActions(
  target: Target,
  path: string | null,
  { people, assistants }: { people: People; assistants: BroughtAssistants },
  count: Count,
): Promise<void> {
  if (path === null || !target.encryption) return;
  const { db, config, encryption } = target;
  const egress = createEgress(config.server.egressAllowedHosts);
  const actions = createActions({ db, config, encryption, egress, log: pino({ level: 'silent' }) });
  for await (const { document } of readDocuments(path)) {
    const userId = documentOwner(document, people, count);
    if (!userId) continue;
    const { data } = ActionDocument.safeParse(document);
    const assistantId = assistants.get(data?.assistant_id ?? data?.agent_id ?? '')?.id;
    if (!data) skip(count, 'not readable');
    else if (assistantId === undefined) skip(count, 'their assistant is not in the export');
    else await bring(userId, assistantId, data.metadata);
  }

  async function bring(userId: string, assistantId: string, metadata: Metadata): Promise<void> {
    if (await isPresent(userId, assistantId, metadata.raw_spec)) return void (count.present += 1);
    const input = inputOf(metadata, target.oldSecrets);
    if (input === null)
      return skip(count, 'their keys are not decrypted, see LIBRECHAT_CREDS_KEY and LIBRECHAT_CREDS_IV');
    if (target.isDry) return void (count.written += 1);
    try {
      await saveAssistantAction({ db, config, actions }, userId, { ...input, assistantId });
      count.written += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      skip(count, error.reason.type === 'invalid_input' ? error.reason.text : error.reason.type.replaceAll('_', ' '));
    }
  }

  async function isPresent(userId: string, assistantId: string, document: string): Promise<boolean> {
    for (const { id } of await actions.list(userId, assistantId))
      if ((await actions.get(userId, id)).rawSpec === document) return true;
    return false;
  }
}

/** Null where a key is needed that cannot be decrypted. */
function inputOf(metadata: Metadata, oldSecrets: OldSecrets | undefined): SavedActionInput | null {
  const { raw_spec: rawSpec, privacy_policy_url: privacyPolicyUrl, auth } = metadata;
  const open = (value: string | undefined) => (value && oldSecrets ? decryptOld(oldSecrets, value) : null);
  const given = { rawSpec, ...(privacyPolicyUrl && { privacyPolicyUrl }) };
  switch (auth?.type ?? 'none') {
    case 'none':
      return { ...given, auth: { type: 'none' } };
    case 'service_http': {
      const apiKey = open(metadata.api_key);
      const { authorization_type: authorizationType = 'bearer', custom_auth_header: header = null } = auth ?? {};
      if (apiKey === null) return null;
      return { ...given, auth: { type: 'service_http', authorizationType, customAuthHeader: header || null }, apiKey };
    }
    case 'oauth': {
      const [oauthClientId, oauthClientSecret] = [open(metadata.oauth_client_id), open(metadata.oauth_client_secret)];
      if (oauthClientId === null || oauthClientSecret === null || !auth) return null;
      return { ...given, auth: oauthOf(auth), oauthClientId, oauthClientSecret };
    }
  }
}

function oauthOf(auth: NonNullable<Metadata['auth']>): SavedActionInput['auth'] {
  return {
    type: 'oauth',
    clientUrl: auth.client_url,
    authorizationUrl: auth.authorization_url,
    scope: auth.scope,
    tokenExchangeMethod: auth.token_exchange_method,
    grant: 'client_credentials',
  };
}
