import type { AssistantMetadata } from '@parley/schema/assistants/assistants';
import * as z from 'zod';
import { Count, Text, Time, Uuid, type Fields } from './shapes.ts';

const Tool = z.discriminatedUnion('type', [
  z.object({ type: z.literal('code_interpreter') }),
  z.object({ type: z.literal('retrieval') }),
  z.object({
    type: z.literal('function'),
    function: z.object({
      name: Text,
      description: Text.optional(),
      parameters: z.record(Text, z.unknown()).optional(),
    }),
  }),
]);

export const RestAssistant = z
  .object({
    id: Text,
    object: z.literal('assistant'),
    created_at: Count,
    name: Text.nullable(),
    description: Text.nullable(),
    model: Text,
    instructions: Text.nullable(),
    tools: z.array(Tool),
    file_ids: z.array(Uuid),
    metadata: z.object({
      avatar: Text.optional(),
      avatar_source: Text.optional(),
      author: Text.optional(),
      conversation_starters: z.array(Text).optional(),
    } satisfies Fields<AssistantMetadata>),
    endpoint: Text.optional(),
  })
  .meta({ id: 'Assistant' });
export type RestAssistant = z.infer<typeof RestAssistant>;

export const AssistantList = z.object({
  object: z.literal('list'),
  data: z.array(RestAssistant),
  first_id: Text.nullable(),
  last_id: Text.nullable(),
  has_more: z.boolean(),
});

export const DeletedAssistant = z.object({
  id: Text,
  object: z.literal('assistant.deleted'),
  deleted: z.literal(true),
});

/** What this server keeps beside an assistant. */
export const AssistantDocument = z
  .object({
    user: Uuid,
    assistant_id: Text,
    avatar: z.object({ filepath: Text, source: Text }).optional(),
    file_ids: z.array(Uuid),
    actions: z.array(Text),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'AssistantDocument' });
export type AssistantDocument = z.infer<typeof AssistantDocument>;

const ActionAuth = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({
    type: z.literal('service_http'),
    authorization_type: z.enum(['basic', 'bearer', 'custom']),
    custom_auth_header: Text.optional(),
  }),
  z.object({
    type: z.literal('oauth'),
    authorization_url: Text,
    client_url: Text,
    scope: Text,
    token_exchange_method: z.enum(['default_post', 'basic_auth_header']),
  }),
]);
export type RestActionAuth = z.infer<typeof ActionAuth>;

export const RestAction = z
  .object({
    user: Uuid,
    action_id: Text,
    type: z.literal('action_prototype'),
    assistant_id: Text,
    metadata: z.object({ domain: Text, raw_spec: Text, privacy_policy_url: Text.optional(), auth: ActionAuth }),
  })
  .meta({ id: 'Action' });
export type RestAction = z.infer<typeof RestAction>;

export const SavedAction = z.tuple([AssistantDocument, RestAssistant, RestAction]);
