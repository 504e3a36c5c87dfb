import * as z from 'zod';
import { cleanJson, cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { isFlat, TOO_NESTED } from '../nesting.ts';
import { ChosenOperations } from './action-inputs.ts';
import { SPEC_BYTES_MAX } from './actions.ts';

/** Limits of an assistant's fields, in characters. */
export const ASSISTANT_NAME_MAX = 256;
export const ASSISTANT_DESCRIPTION_MAX = 512;
export const ASSISTANT_INSTRUCTIONS_MAX = 32_768;
/** Assistants that a user may have. */
export const ASSISTANTS_MAX = 1000;
/** Files of one assistant. */
export const ASSISTANT_FILES_MAX = 20;
/** Projects and sets of files of one assistant. */
export const ASSISTANT_SOURCES_MAX = 20;
/** Tools of one assistant, each function of an action counted. */
export const ASSISTANT_TOOLS_MAX = 128;
/** Assistants of one page. */
const ASSISTANT_PAGE_MAX = 100;

/** Of the JSON of a function's parameters, in characters. */
const PARAMETERS_MAX = 65_536;
const MODEL_MAX = 256;
const STARTERS_MAX = 12;
const WORD_CHARS_MAX = 256;

const AssistantId = z.string().regex(/^asst_[A-Za-z0-9]{1,64}$/, 'Invalid assistant id');

/** Too long an id is no id of an assistant, either. */
export const AssistantRef = z.strictObject({ assistantId: z.string().max(WORD_CHARS_MAX).overwrite(cleanText) });

const FunctionTool = z.object({
  type: z.literal('function'),
  function: z.object({
    /** That of an action's function has the domain in it, with its port or encoded. */
    name: z.string().regex(/^[\w.:+/=-]{1,256}$/, 'The name of a function takes letters, digits, _, - and .'),
    description: z.string().max(4096).overwrite(cleanText).optional(),
    parameters: z
      .record(z.string(), z.unknown())
      .refine(isFlat, { error: TOO_NESTED, abort: true })
      .refine((value) => JSON.stringify(value).length <= PARAMETERS_MAX, 'The parameters of a function are too long')
      .overwrite(cleanJson)
      .optional(),
  }),
});

/** A tool, or the name of one in the list of tools. */
const ToolInput = z.union([
  z.string().min(1).max(WORD_CHARS_MAX),
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('code_interpreter') }),
    z.object({ type: z.literal('retrieval') }),
    FunctionTool,
  ]),
]);
export type ToolInput = z.infer<typeof ToolInput>;

const Words = (max: number, field: string) =>
  z.string().max(max, `${field} takes at most ${max} characters`).overwrite(cleanText).nullish();

const Metadata = z.object({
  author: z.string().max(WORD_CHARS_MAX).overwrite(cleanText).optional(),
  conversation_starters: z.array(z.string().max(1024).overwrite(cleanText)).max(STARTERS_MAX).optional(),
});

const FileSourceInput = z.strictObject({ kind: z.enum(['folder', 'set']), id: Id });

const fields = {
  model: z.string().min(1, 'A model is required').max(MODEL_MAX).overwrite(cleanText),
  endpoint: z.string().min(1).max(128).nullish(),
  name: Words(ASSISTANT_NAME_MAX, 'name'),
  description: Words(ASSISTANT_DESCRIPTION_MAX, 'description'),
  instructions: Words(ASSISTANT_INSTRUCTIONS_MAX, 'instructions'),
  tools: z.array(ToolInput).max(ASSISTANT_TOOLS_MAX).optional(),
  /** The user's own files. */
  fileIds: z.array(Id).max(ASSISTANT_FILES_MAX, `An assistant takes at most ${ASSISTANT_FILES_MAX} files`).optional(),
  /** The user's own projects and sets. One that is gone has no files. */
  sources: z
    .array(FileSourceInput)
    .max(ASSISTANT_SOURCES_MAX, `An assistant takes at most ${ASSISTANT_SOURCES_MAX} projects and sets`)
    .optional(),
  /** Its avatar is uploaded instead. */
  metadata: Metadata.nullish(),
  /** Whether everybody of the installation may use it. */
  isShared: z.boolean().optional(),
  knowsAsker: z.boolean().optional(),
};

export const CreateAssistant = z.strictObject(fields);
export type CreateAssistant = z.infer<typeof CreateAssistant>;

/** Absent fields stay as they are; null empties those that may be empty. */
export const UpdateAssistant = z.strictObject({
  ...fields,
  model: fields.model.optional(),
  assistantId: AssistantRef.shape.assistantId,
});
export type UpdateAssistant = z.infer<typeof UpdateAssistant>;

/** A page: after or before an assistant of the list. */
export const AssistantPage = z.strictObject({
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: z.int().min(1).max(ASSISTANT_PAGE_MAX).default(ASSISTANT_PAGE_MAX),
  after: AssistantId.nullish(),
  before: AssistantId.nullish(),
});
export type AssistantPage = z.infer<typeof AssistantPage>;

const SECRET_MAX = 8192;
/** Sent in a header, where a line break would begin another one. */
const secret = z
  .string()
  .min(1)
  .max(SECRET_MAX)
  .regex(/^[^\r\n\0]*$/, 'A key must be one line')
  .optional();
/** Headers that belong to the connection or to us. */
const RESERVED =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|proxy-.*|expect|cookie|idempotency-key|accept|user-agent)$/i;
const header = z
  .string()
  .max(128)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'The custom header needs a valid name')
  .refine((name) => !RESERVED.test(name), 'The custom header needs a valid name');
const word = z.string().max(2048).overwrite(cleanText);
const ActionId = z.string().min(1).max(64).overwrite(cleanText);

/** An action as it is saved; secrets that are absent stay as they are. The actions themselves check the rest. */
const savedAction = {
  /** Of the action that is replaced; absent for a new one. */
  actionId: ActionId.optional(),
  rawSpec: z.string().min(1).max(SPEC_BYTES_MAX).overwrite(cleanText),
  operations: ChosenOperations,
  privacyPolicyUrl: word.nullish(),
  auth: z.discriminatedUnion('type', [
    z.object({ type: z.literal('none') }),
    z.object({
      type: z.literal('service_http'),
      authorizationType: z.enum(['basic', 'bearer', 'custom']),
      customAuthHeader: header.nullable(),
    }),
    z.object({
      type: z.literal('oauth'),
      clientUrl: word,
      authorizationUrl: word,
      scope: word,
      tokenExchangeMethod: z.enum(['default_post', 'basic_auth_header']),
      grant: z.enum(['client_credentials', 'authorization_code']).default('client_credentials'),
    }),
  ]),
  apiKey: secret,
  oauthClientId: secret,
  oauthClientSecret: secret,
};
const SavedAction = z.strictObject(savedAction);
export type SavedActionInput = z.infer<typeof SavedAction>;

export const SaveAssistantAction = z.strictObject({ ...savedAction, assistantId: AssistantRef.shape.assistantId });
export type SaveAssistantAction = z.infer<typeof SaveAssistantAction>;

export const AssistantActionRef = z.strictObject({
  assistantId: AssistantRef.shape.assistantId,
  actionId: ActionId,
});
