// A request of `POST /v1/responses`, OpenAI's protocol of items, as the request that every provider is asked by. Nothing is
// kept between requests: each brings its whole history.
import { isFlat, TOO_NESTED } from '@parley/schema/nesting';
import * as z from 'zod';
import { ChatRequest, type GivenRequest, type RequestMessage } from '../chat/chat-request.ts';

const ITEMS_MAX = 5000;
const TOKENS_MAX = 10_000_000;
const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'A name has 1 to 64 letters, digits, _ and -');
const JsonObject = z.record(z.string(), z.unknown()).refine(isFlat, TOO_NESTED);
const Id = z.string().max(256).nullish();

const STATELESS = 'This server keeps no answers: send the whole history as input, and store: false';
const HOSTED = 'The tools are functions of the caller: this server has none of the provider';

const InputText = z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() });
const Refused = z.object({ type: z.literal('refusal'), refusal: z.string() });
const InputImage = z.object({
  type: z.literal('input_image'),
  image_url: z.string({ error: 'A picture is sent as data:' }),
  detail: z.enum(['auto', 'low', 'high']).nullish(),
});
const InputFile = z
  .object({
    type: z.literal('input_file'),
    filename: z.string().max(256).nullish(),
    file_data: z.string().nullish(),
    file_url: z.string().nullish(),
  })
  .refine(({ file_data: data, file_url: url }) => data || url, 'A file is a PDF in file_data or at file_url.');
const Part = z.discriminatedUnion('type', [InputText, Refused, InputImage, InputFile]);
type Part = z.output<typeof Part>;

const Message = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(Part).min(1)]),
  id: Id,
  status: z.string().nullish(),
});
const Call = z.object({
  type: z.literal('function_call'),
  id: Id,
  call_id: z.string().min(1).max(256),
  name: Name,
  arguments: z.string(),
  status: z.string().nullish(),
});
const Output = z.object({
  type: z.literal('function_call_output'),
  id: Id,
  call_id: z.string().min(1).max(256),
  output: z.union([z.string(), z.array(Part)]),
  status: z.string().nullish(),
});
const Reasoning = z.object({
  type: z.literal('reasoning'),
  id: Id,
  summary: z.array(z.unknown()).default([]),
  encrypted_content: z.string().nullish(),
});
const Item = z.union([Message, Call, Output, Reasoning], {
  error: 'An item is a message, a function_call, a function_call_output or a reasoning. Items cannot be referred to.',
});
type Item = z.output<typeof Item>;

const Tool = z.object({
  type: z.literal('function', { error: HOSTED }),
  name: Name,
  description: z.string().nullish(),
  parameters: JsonObject.nullish(),
  strict: z.boolean().nullish(),
});

const Format = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'json_object']) }),
  z.object({
    type: z.literal('json_schema'),
    name: Name,
    schema: JsonObject,
    description: z.string().nullish(),
    strict: z.boolean().nullish(),
  }),
]);

export const ResponsesRequest = z.strictObject({
  model: z.string().min(1).max(512),
  input: z.union([z.string(), z.array(Item).min(1).max(ITEMS_MAX)], {
    error: 'The input is a text or a list of items: message, function_call, function_call_output, reasoning',
  }),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_obfuscation: z.boolean().nullish() }).nullish(),
  max_output_tokens: z.int().min(1).max(TOKENS_MAX).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  tools: z.array(Tool).max(128).nullish(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.object({ type: z.literal('function'), name: Name })], {
      error: HOSTED,
    })
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z.object({ effort: z.string().max(64).nullish(), summary: z.string().nullish() }).nullish(),
  text: z.object({ format: Format.nullish(), verbosity: z.string().max(64).nullish() }).nullish(),
  include: z.array(z.enum(['reasoning.encrypted_content', 'message.output_text.logprobs'])).nullish(),
  /** Whether the exchange is kept as a conversation. */
  store: z.boolean().nullish(),
  truncation: z.literal('disabled', { error: 'This server leaves nothing out of a history' }).nullish(),
  previous_response_id: z.null({ error: STATELESS }).optional(),
  conversation: z.null({ error: STATELESS }).optional(),
  background: z.literal(false, { error: 'This server answers while it is asked, never in the background' }).nullish(),
  /** Whose call it is is told by the key. */
  user: z.string().max(512).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  safety_identifier: z.string().max(512).nullish(),
  prompt_cache_key: z.string().max(512).nullish(),
  prompt_cache_retention: z.string().max(64).nullish(),
  service_tier: z.string().max(64).nullish(),
});
export type ResponsesRequest = z.output<typeof ResponsesRequest>;

/** @throws ZodError, ApiError */
export function toChatRequest(given: ResponsesRequest): GivenRequest {
  const { model, input, instructions, stream, max_output_tokens, temperature, top_p, tools, text, store } = given;
  const { tool_choice: choice, parallel_tool_calls, reasoning } = given;
  const asked = ChatRequest.parse({
    model,
    messages: [{ role: 'user', content: '' }],
    stream,
    max_completion_tokens: max_output_tokens,
    temperature,
    top_p,
    tools: tools?.length ? tools.map(toolOf) : null,
    tool_choice: typeof choice === 'object' && choice ? { type: 'function', function: { name: choice.name } } : choice,
    // Without tools there is nothing that could be called at once.
    parallel_tool_calls: tools?.length ? parallel_tool_calls : null,
    reasoning_effort: reasoning?.effort,
    response_format: formatOf(text?.format),
    store,
  });
  const before: RequestMessage[] = instructions ? [{ role: 'system', content: instructions }] : [];
  const items: Item[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  return { asked: { ...asked, messages: [...before, ...messagesOf(items)] }, beside: besideOf(given) };
}

/** What only providers of OpenAI's protocol know. */
function besideOf({
  text,
  service_tier,
  prompt_cache_key,
  prompt_cache_retention,
  safety_identifier,
}: ResponsesRequest) {
  const tier = service_tier === 'auto' ? null : service_tier;
  const fields = {
    verbosity: text?.verbosity,
    service_tier: tier,
    prompt_cache_key,
    prompt_cache_retention,
    safety_identifier,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

function toolOf({ name, description, parameters, strict }: z.output<typeof Tool>) {
  const fields = { name, ...(description && { description }), ...(parameters && { parameters }) };
  return { type: 'function', function: { ...fields, ...(typeof strict === 'boolean' && { strict }) } };
}

function formatOf(format: z.output<typeof Format> | null | undefined) {
  if (!format) return null;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, schema, description, strict } = format;
  const optional = { ...(description && { description }), ...(typeof strict === 'boolean' && { strict }) };
  return { type: 'json_schema', json_schema: { name, schema, ...optional } };
}

type Answer = Extract<RequestMessage, { role: 'assistant' }>;

/** Reasoning, words and calls that follow each other are one answer. */
function messagesOf(items: readonly Item[]): RequestMessage[] {
  const messages: RequestMessage[] = [];
  let signatures: string[] = [];
  for (const item of items) {
    if (item.type === 'reasoning') {
      const { type, id, summary, encrypted_content } = item;
      if (encrypted_content) signatures.push(JSON.stringify({ type, id, summary, encrypted_content }));
    } else if (item.type === 'function_call') addCall(answerIn(messages), item);
    else if (item.type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: textIn(item.output) });
    else if (item.role === 'assistant') messages.push({ role: 'assistant', content: textIn(item.content) });
    else if (item.role === 'user') messages.push({ role: 'user', content: questionOf(item.content) });
    else messages.push({ role: item.role, content: textIn(item.content) });
    const last = messages.at(-1);
    if (last?.role === 'assistant' && item.type !== 'reasoning' && signatures.length > 0) {
      Object.assign(last, { signatures });
      signatures = [];
    }
  }
  return messages;
}

function answerIn(messages: RequestMessage[]): Answer {
  const last = messages.at(-1);
  if (last?.role === 'assistant') return last;
  const answer: Answer = { role: 'assistant', content: null };
  messages.push(answer);
  return answer;
}

function addCall(answer: Answer, { call_id: id, name, arguments: input }: z.output<typeof Call>): void {
  answer.tool_calls = [...(answer.tool_calls ?? []), { id, type: 'function', function: { name, arguments: input } }];
}

function questionOf(content: string | readonly Part[]) {
  if (typeof content === 'string') return content;
  return content.map((part) => {
    if (part.type === 'input_file') {
      const { filename, file_data: data, file_url: address } = part;
      return { type: 'file' as const, file: { filename: filename || 'file.pdf', file_data: data || address || '' } };
    }
    if (part.type !== 'input_image') return { type: 'text' as const, text: textOf(part) };
    const { image_url: url, detail } = part;
    return { type: 'image_url' as const, image_url: { url, ...(detail && { detail }) } };
  });
}

function textIn(content: string | readonly Part[]): string {
  return typeof content === 'string' ? content : content.map(textOf).join('\n\n');
}

function textOf(part: Part): string {
  if (part.type === 'input_image' || part.type === 'input_file') return '';
  return part.type === 'refusal' ? part.refusal : part.text;
}
