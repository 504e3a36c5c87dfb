// A request of `POST /v1/messages`, Anthropic's protocol, as the request that every provider is asked by.
import { isFlat, TOO_NESTED } from '@parley/schema/nesting';
import * as z from 'zod';
import { refuseField } from '../api-error.ts';
import { ChatRequest, type GivenRequest, type RequestMessage, type RequestPart } from '../chat/chat-request.ts';

const MESSAGES_MAX = 5000;
/** Each provider has its own limit. */
const STOPS_MAX = 1000;
const TOKENS_MAX = 10_000_000;
const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'A name has 1 to 64 letters, digits, _ and -');
const JsonObject = z.record(z.string(), z.unknown()).refine(isFlat, TOO_NESTED);

const Text = z.object({ type: z.literal('text'), text: z.string() });
const Address = z.object({ type: z.literal('url'), url: z.string().max(8192) });
const Base64 = z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() });
const Image = z.object({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [Base64, Address], { error: 'A picture is sent in base64 or by its address.' }),
});
const Document = z.object({
  type: z.literal('document'),
  source: z.discriminatedUnion(
    'type',
    [
      Base64,
      Address,
      z.object({ type: z.literal('text'), data: z.string() }),
      z.object({
        type: z.literal('content'),
        content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image]))]),
      }),
    ],
    { error: 'The source of a document is base64, url, text or content: this server keeps no files for requests.' },
  ),
  title: z.string().max(500).nullish(),
  context: z.string().nullish(),
  citations: z.object({ enabled: z.literal(false, { error: 'This server gives no citations' }).optional() }).nullish(),
});
const Result = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1).max(256),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image, Document]))]).nullish(),
  is_error: z.boolean().nullish(),
});
const Use = z.object({ type: z.literal('tool_use'), id: z.string().min(1).max(256), name: Name, input: JsonObject });
const Thinking = z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const Redacted = z.object({ type: z.literal('redacted_thinking'), data: z.string() });

const Message = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image, Document, Result])).min(1)]),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Use, Thinking, Redacted]))]),
  }),
]);

const Tool = z.object({
  type: z
    .literal('custom', { error: 'The tools are those of the caller: this server has none of the provider.' })
    .nullish(),
  name: Name,
  description: z.string().optional(),
  input_schema: JsonObject,
});

const single = { disable_parallel_tool_use: z.boolean().optional() };
const ToolChoice = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.enum(['auto', 'any']), ...single }),
  z.object({ type: z.literal('tool'), name: Name, ...single }),
]);

const prompt = {
  model: z.string().min(1).max(512),
  messages: z.array(Message).min(1).max(MESSAGES_MAX),
  system: z.union([z.string(), z.array(Text)]).nullish(),
  tools: z.array(Tool).max(128).nullish(),
  tool_choice: ToolChoice.nullish(),
  thinking: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('enabled'), budget_tokens: z.int().min(1024).max(TOKENS_MAX) }),
      z.object({ type: z.enum(['disabled', 'adaptive']) }),
    ])
    .nullish(),
  output_config: z
    .strictObject({
      effort: z.string().max(64).nullish(),
      format: z.object({ type: z.literal('json_schema'), schema: JsonObject }).nullish(),
    })
    .nullish(),
  /** What is marked is not cached apart: the server asks for caching itself. */
  cache_control: z.unknown().optional(),
};

/** What `count_tokens` counts. */
export const CountRequest = z.strictObject(prompt);

export const MessagesRequest = z.strictObject({
  ...prompt,
  max_tokens: z.int().min(1).max(TOKENS_MAX),
  stream: z.boolean().nullish(),
  stop_sequences: z.array(z.string()).max(STOPS_MAX).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().nullish(),
  /** Whose call it is is told by the key. */
  metadata: z.object({ user_id: z.string().nullish() }).nullish(),
  service_tier: z.literal('auto', { error: 'This server has no tiers' }).nullish(),
});
type MessagesRequest = z.output<typeof MessagesRequest>;

/** @throws ZodError, ApiError */
export function readMessagesRequest(body: unknown): GivenRequest {
  return toChatRequest(MessagesRequest.parse(body));
}

/** @throws ZodError, ApiError */
export function readCountRequest(body: unknown): GivenRequest {
  return toChatRequest({ ...CountRequest.parse(body), max_tokens: TOKENS_MAX });
}

function toChatRequest(given: MessagesRequest): GivenRequest {
  const { model, messages, system, tools, tool_choice: choice, output_config: output } = given;
  const { max_tokens, stop_sequences: stop, stream, temperature, top_p, top_k } = given;
  const asked = ChatRequest.parse({
    model,
    messages: [{ role: 'user', content: '' }],
    max_tokens,
    stream,
    temperature,
    top_p,
    top_k,
    tools: tools?.length ? tools.map(toolOf) : null,
    ...choiceOf(choice),
    reasoning_effort: output?.effort,
    response_format: output?.format
      ? { type: 'json_schema', json_schema: { name: 'answer', schema: output.format.schema } }
      : null,
  });
  const told = typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n\n');
  const before: RequestMessage[] = told.trim() === '' ? [] : [{ role: 'system', content: told }];
  const thinking = given.thinking?.type === 'enabled' ? given.thinking.budget_tokens : given.thinking?.type;
  return {
    asked: { ...asked, stop: stop?.length ? stop : null, messages: [...before, ...messages.flatMap(messagesOf)] },
    beside: {},
    ...(thinking !== undefined && { thinking }),
  };
}

function toolOf({ name, description, input_schema }: z.output<typeof Tool>) {
  return { type: 'function', function: { name, ...(description && { description }), parameters: input_schema } };
}

function choiceOf(choice: MessagesRequest['tool_choice']) {
  if (!choice) return {};
  if (choice.type === 'none') return { tool_choice: 'none' };
  const isSingle = choice.disable_parallel_tool_use === true && { parallel_tool_calls: false };
  if (choice.type === 'tool')
    return { tool_choice: { type: 'function', function: { name: choice.name } }, ...isSingle };
  return { tool_choice: choice.type === 'any' ? 'required' : 'auto', ...isSingle };
}

function messagesOf({ role, content }: z.output<typeof Message>): RequestMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  return role === 'user' ? questionOf(content) : [answerOf(content)];
}

type Block = Exclude<z.output<typeof Message>['content'], string>[number];
type Shown = z.output<typeof Text> | z.output<typeof Image> | z.output<typeof Document>;

/** The results of calls first, then what the person says; the pictures and PDFs of results are shown with it. */
function questionOf(blocks: readonly Block[]): RequestMessage[] {
  const results = blocks.filter((block) => block.type === 'tool_result');
  const beside = results.flatMap(({ content }) => shownIn(content).filter(({ type }) => type !== 'text'));
  const said = blocks.filter((block) => block.type === 'text' || block.type === 'image' || block.type === 'document');
  const tools = results.map(({ tool_use_id: id, content, is_error: isError }): RequestMessage => {
    const text = shownIn(content).flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return { role: 'tool', tool_call_id: id, content: text.join('\n\n'), ...(isError && { isError }) };
  });
  const content = [...beside, ...said].flatMap(partsOf);
  return content.length === 0 ? tools : [...tools, { role: 'user', content }];
}

function shownIn(content: z.output<typeof Result>['content']): Shown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

function partsOf(block: Shown): RequestPart[] {
  if (block.type === 'text') return [block];
  if (block.type === 'document') return documentOf(block);
  return [{ type: 'image_url', image_url: { url: addressOf(block.source) } }];
}

/** What is said of a document stands before it. */
function documentOf({ source, title, context }: z.output<typeof Document>): RequestPart[] {
  const about = [title ?? '', context ?? ''].filter((text) => text.trim() !== '').join('\n');
  const head: RequestPart[] = about === '' ? [] : [{ type: 'text', text: about }];
  if (source.type === 'text') return [...head, { type: 'text', text: source.data }];
  if (source.type === 'content') return [...head, ...shownIn(source.content).flatMap(partsOf)];
  return [...head, { type: 'file', file: { filename: title || 'document.pdf', file_data: addressOf(source) } }];
}

function addressOf(source: z.output<typeof Image>['source']): string {
  return source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
}

function answerOf(blocks: readonly Block[]): RequestMessage {
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            id: block.id,
            type: 'function' as const,
            function: { name: block.name, arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  );
  const signed = blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  if (text.length + calls.length === 0) refuseField('messages', 'An answer has a text or a call.');
  return {
    role: 'assistant',
    content: text.join('\n\n'),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(signed.length > 0 && { signatures: [JSON.stringify(signed)] }),
  };
}
