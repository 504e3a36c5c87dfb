// The JSON that existing clients of the REST paths require, as schemas: optional means left out, never null.
import * as z from 'zod';

const text = z.string();
const whenSet = z.string().nullable().optional();

/** A plugin or another tool that a conversation or preset has chosen; no field may be missing. */
const ChosenTool = z.strictObject({
  name: text,
  pluginKey: text,
  description: text,
  icon: text,
  authConfig: z.array(z.strictObject({ authField: text, label: text, description: text })),
});

const PluginCall = z.strictObject({
  runId: text,
  loading: z.boolean(),
  inputs: z.array(text),
  latest: text,
  outputs: text,
});

const PluginOfEdit = z.strictObject({
  loading: z.boolean(),
  inputs: z.array(z.strictObject({ plugin: text, input: text, thought: text, inputStr: text })),
  latest: text.nullable(),
  outputs: text,
});

const settings = {
  systemMessage: whenSet,
  modelLabel: whenSet,
  chatGptLabel: whenSet,
  promptPrefix: whenSet,
  iconURL: z.string().optional(),
  userLabel: z.string().optional(),
  context: whenSet,
  bingConversationId: whenSet,
  jailbreakConversationId: whenSet,
  conversationSignature: whenSet,
  clientId: whenSet,
  invocationId: z.number().nullable().optional(),
  toneStyle: whenSet,
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  frequency_penalty: z.number().optional(),
  presence_penalty: z.number().optional(),
  maxOutputTokens: z.number().optional(),
  jailbreak: z.boolean().optional(),
  file_ids: z.array(text).optional(),
  resendFiles: z.boolean().optional(),
  resendImages: z.boolean().optional(),
  imageDetail: z.enum(['low', 'auto', 'high']).optional(),
  assistant_id: text.optional(),
  instructions: text.optional(),
  stop: z.array(text).optional(),
  examples: z.array(z.object({ input: z.object({ content: text }), output: z.object({ content: text }) })).optional(),
  tools: z.array(ChosenTool).optional(),
  agentOptions: z
    .object({ agent: text, skipCompletion: z.boolean(), model: text, temperature: z.number() })
    .nullable()
    .optional(),
  // A Parley extension, present only if such a client set it: those clients drop fields outside their schema.
  thinkingBudget: z.number().optional(),
  reasoning_effort: text.optional(),
  pdfAsFile: z.boolean().optional(),
};

export const Conversation = z.strictObject({
  _id: text,
  conversationId: z.uuid(),
  user: z.uuid(),
  title: text.nullable(),
  endpoint: text,
  endpointType: z.literal('custom').optional(),
  model: text.nullable().optional(),
  parentMessageId: text.optional(),
  messages: z.array(text).optional(),
  // Of version 0.7.5; present only where they say something.
  isArchived: z.literal(true).optional(),
  tags: z.array(text).length(1).optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  ...settings,
});

export const Preset = z.strictObject({
  _id: text,
  presetId: z.uuid(),
  user: z.uuid(),
  title: text,
  endpoint: text.nullable(),
  endpointType: z.literal('custom').optional(),
  model: text.optional(),
  defaultPreset: z.literal(true).optional(),
  order: z.int().optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  ...settings,
});

export const Message = z.strictObject({
  messageId: z.uuid(),
  conversationId: z.uuid(),
  parentMessageId: text,
  user: z.uuid(),
  endpoint: text,
  model: text.nullable(),
  sender: text,
  text,
  isCreatedByUser: z.boolean(),
  isEdited: z.boolean(),
  unfinished: z.boolean(),
  error: z.boolean(),
  finish_reason: z.enum(['stop', 'length', 'content_filter', 'tool_calls', 'incomplete']).optional(),
  tokenCount: z.int().optional(),
  promptTokens: z.int().optional(),
  suggestions: z.array(text).optional(),
  content: z.array(z.looseObject({ type: text })).optional(),
  plugins: z.array(PluginCall).optional(),
  thread_id: text.optional(),
  files: z
    .array(
      z.strictObject({
        file_id: z.uuid(),
        filepath: text,
        filename: text,
        type: text,
        width: z.int().optional(),
        height: z.int().optional(),
      }),
    )
    .optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

const Created = z.strictObject({
  created: z.literal(true),
  message: z.strictObject({
    messageId: z.uuid(),
    parentMessageId: z.string(),
    conversationId: z.uuid(),
    sender: z.literal('User'),
    text,
    isCreatedByUser: z.literal(true),
  }),
});

const Text = z.strictObject({
  message: z.literal(true),
  initial: z.boolean(),
  text: text.min(1),
  parentMessageId: z.uuid().optional(),
  plugins: z.array(PluginCall).optional(),
  plugin: PluginOfEdit.optional(),
});

export const Final = z.strictObject({
  final: z.literal(true),
  title: text.nullable(),
  conversation: Conversation,
  requestMessage: Message,
  responseMessage: Message,
});

const Failure = z.strictObject({
  sender: text,
  messageId: z.uuid(),
  conversationId: z.uuid(),
  parentMessageId: z.string(),
  unfinished: z.literal(false),
  error: z.literal(true),
  final: z.literal(true),
  text,
  isCreatedByUser: z.literal(false),
});

/** The request itself was invalid. */
const Refused = z.strictObject({ text });

export const Frame = z.union([
  z.strictObject({ event: z.literal('message'), data: z.union([Created, Text, Final]) }),
  z.strictObject({ event: z.literal('error'), data: z.union([Failure, Refused]) }),
]);

export type Frame = z.infer<typeof Frame>;
export type Final = z.infer<typeof Final>;
export type Message = z.infer<typeof Message>;
