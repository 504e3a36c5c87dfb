// A request of `POST /v1/chat/completions`: strict in what it names. Fields that are not named here are relayed to
// providers of this protocol, and refused elsewhere, so that nothing that a program asks for is passed over in silence.
import { isFlat, TOO_NESTED } from '@parley/schema/nesting';
import { isObject } from '@parley/schema/json';
import * as z from 'zod';
import { refuseField } from '../api-error.ts';

const MESSAGES_MAX = 5000;
const TOOLS_MAX = 128;
const CALLS_MAX = 128;
const NAME_MAX = 64;
const STOPS_MAX = 4;
const TOKENS_MAX = 10_000_000;
const CHOICES = 'This server gives one answer to a request';

const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'A name has 1 to 64 letters, digits, _ and -');
const Json = z.unknown().refine(isFlat, TOO_NESTED);
const JsonObject = z.record(z.string(), z.unknown()).refine(isFlat, TOO_NESTED);

const TextPart = z.object({ type: z.literal('text'), text: z.string() });
const ImagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string(), detail: z.enum(['auto', 'low', 'high']).optional() }),
});
/** A PDF, as `data:` or by its address. */
const FilePart = z.object({
  type: z.literal('file'),
  file: z.object({
    filename: z.string().max(256).optional(),
    file_data: z.string({ error: 'A file is a PDF in file_data, as data: or by its address: none is kept here.' }),
  }),
});
const Texts = z.union([z.string(), z.array(TextPart).min(1)], { error: 'The content is a text or a list of texts' });
const Part = z.discriminatedUnion('type', [TextPart, ImagePart, FilePart]);
const Parts = z.union([z.string(), z.array(Part).min(1)], {
  error: 'The content is a text, or a list of texts (text), pictures (image_url) and PDFs (file)',
});
export type RequestPart = z.output<typeof Part>;

const Call = z.object({
  id: z.string().min(1).max(256),
  type: z.literal('function'),
  function: z.object({ name: Name, arguments: z.string() }),
  /** What a provider signed with the call, as it came. */
  extra_content: Json.optional(),
});

const Message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: Texts, name: z.string().max(NAME_MAX).optional() }),
  z.object({ role: z.literal('user'), content: Parts, name: z.string().max(NAME_MAX).optional() }),
  z.object({
    role: z.literal('assistant'),
    content: Texts.nullish(),
    name: z.string().max(NAME_MAX).optional(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(Call).max(CALLS_MAX).nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string().min(1).max(256), content: Texts }),
]);
/**
 * `signatures`: what a provider signed with its answer, as it gave it. `isError`: the result tells that its tool failed.
 * Neither is sent to providers of this protocol.
 */
export type RequestMessage = z.output<typeof Message> & { signatures?: string[]; isError?: boolean };

const Tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: Name,
    description: z.string().optional(),
    parameters: JsonObject.optional(),
    strict: z.boolean().nullish(),
  }),
});
export type RequestTool = z.output<typeof Tool>;

const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: Name }) }),
]);

export const ChatRequest = z.strictObject({
  model: z.string().min(1).max(512),
  messages: z.array(Message).min(1).max(MESSAGES_MAX),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  /** No field of OpenAI's, but of many servers with its protocol. */
  top_k: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(STOPS_MAX)]).nullish(),
  max_tokens: z.int().min(1).max(TOKENS_MAX).nullish(),
  max_completion_tokens: z.int().min(1).max(TOKENS_MAX).nullish(),
  reasoning_effort: z.string().max(NAME_MAX).nullish(),
  tools: z.array(Tool).max(TOOLS_MAX).nullish(),
  tool_choice: ToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: JsonObject.nullish(),
  seed: z.int().nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  /** These say what happens here anyway. */
  n: z.literal(1, { error: CHOICES }).nullish(),
  logprobs: z.literal(false, { error: 'This server gives no logprobs' }).nullish(),
  /** Whether the exchange is kept as a conversation. */
  store: z.boolean().nullish(),
  /** Whose call it is is told by the key. */
  user: z.string().max(512).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});
export type ChatRequest = Omit<z.output<typeof ChatRequest>, 'messages'> & { messages: RequestMessage[] };

/**
 * What a provider reads as another model, another address or another key than those that this server has chosen, and
 * answers that are spoken.
 */
const NEVER_RELAYED: ReadonlySet<string> = new Set(
  'models fallbacks route base_url api_base api_key api_version extra_headers headers extra_body custom_llm_provider deployment_id audio prompt input'.split(
    ' ',
  ),
);

const Modalities = z.array(z.enum(['text', 'image']));

/** `adaptive`: as long as the model likes. */
export type Thinking = number | 'disabled' | 'adaptive';

export interface GivenRequest {
  asked: ChatRequest;
  /** The fields that are not known here. */
  beside: Record<string, unknown>;
  /** The most tokens that the model may think, or whether it does, where the request says so. */
  thinking?: Thinking;
}

/** @throws ZodError; ApiError for a field that no provider is sent */
export function readChatRequest(body: unknown): GivenRequest {
  const fields = Object.entries(isObject(body) ? body : {});
  const isKnown = ([name]: [string, unknown]) => name in ChatRequest.shape;
  const asked = ChatRequest.parse(isObject(body) ? Object.fromEntries(fields.filter(isKnown)) : body);
  const beside = Object.fromEntries(fields.filter((field) => !isKnown(field) && field[1] !== null));
  for (const [name, value] of Object.entries(beside))
    if (NEVER_RELAYED.has(name) || !isFlat(value)) refuseUnknown(name);
  if (beside.modalities !== undefined && !Modalities.safeParse(beside.modalities).success)
    refuseField('modalities', 'An answer is text and, where the model draws, pictures: text and image.');
  return { asked, beside };
}

/** @throws ApiError */
export function refuseUnknown(name: string): never {
  refuseField(name, `This server does not know the parameter ${name}.`, 'unknown_parameter');
}
