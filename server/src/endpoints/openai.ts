// Chat completions through the official SDK: OpenAI itself and everything that speaks its wire.
import type { Reason } from '@parley/schema/reasons';
import type { FinishReason, ToolCall } from '@parley/schema/messages';
import type OpenAI from 'openai';
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { Refusal } from '../errors.ts';
import type { Delta } from '../generation/delta.ts';
import type { ProviderCall, Upstream } from './provider.ts';
import { reasonOfStatus } from './status.ts';

export async function* openAI(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const client = await connect(call.upstream);
  const tools = new Map<number, ToolCall>();
  try {
    const stream = await client.chat.completions.create(bodyOf(call), { signal });
    for await (const chunk of stream) yield* deltasOf(chunk, tools);
  } catch (error) {
    throw new Refusal(reasonOf(error, call.upstream.endpoint));
  }
}

async function connect({ baseURL, apiKey, organization, headers }: Upstream): Promise<OpenAI> {
  const { default: OpenAI } = await import('openai');
  return new OpenAI({
    baseURL,
    apiKey,
    organization: organization ?? null,
    defaultHeaders: headers,
    // A failed send is shown with its reason and a retry at once rather than after a silent half minute.
    maxRetries: 0,
    // What fails is logged by us, without what was said.
    logLevel: 'off',
  });
}

function bodyOf({ upstream, model, settings, messages, userId, maxTokens }: ProviderCall) {
  const { chatGptLabel: _label, promptPrefix, resendFiles: _files, imageDetail: _detail, ...params } = settings;
  const body: Record<string, unknown> = {
    model,
    messages: withInstructions(messages, promptPrefix),
    stream: true,
    stream_options: { include_usage: true },
    user: userId,
    ...params,
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...upstream.addParams,
  };
  for (const name of upstream.dropParams) delete body[name];
  // The configuration may add and drop what it likes: the provider judges it.
  return body as unknown as ChatCompletionCreateParamsStreaming;
}

/** Custom instructions stand just before the last message, where models heed them best (E.1 of the REST facts). */
function withInstructions(messages: ProviderCall['messages'], prefix: unknown) {
  if (typeof prefix !== 'string' || prefix.trim() === '') return messages;
  const instructions = { role: 'system', name: 'instructions', content: `Instructions:\n${prefix}` };
  return [...messages.slice(0, -1), instructions, ...messages.slice(-1)];
}

/** Answers are read leniently: any field may be missing, null or of a later invention. */
type LooseChunk = Partial<ChatCompletionChunk> & { error?: unknown };

function* deltasOf(chunk: LooseChunk, tools: Map<number, ToolCall>): Generator<Delta> {
  const choice = chunk.choices?.find((candidate) => candidate && (candidate.index ?? 0) === 0);
  const delta: (ChatCompletionChunk.Choice.Delta & { reasoning_content?: unknown; reasoning?: unknown }) | undefined =
    choice?.delta;
  const reasoning = delta?.reasoning_content ?? delta?.reasoning;
  if (typeof reasoning === 'string' && reasoning !== '') yield { type: 'reasoning', text: reasoning };
  if (typeof delta?.content === 'string' && delta.content !== '') yield { type: 'text', text: delta.content };
  if (typeof delta?.refusal === 'string' && delta.refusal !== '') yield { type: 'text', text: delta.refusal };
  for (const part of delta?.tool_calls ?? []) yield { type: 'tool', call: extendTool(tools, part) };
  if (choice?.finish_reason) yield { type: 'finish', reason: finishReasonOf(choice.finish_reason) };
  const { prompt_tokens: input, completion_tokens: output } = chunk.usage ?? {};
  if (input && typeof output === 'number') yield { type: 'usage', input, output };
}

function extendTool(tools: Map<number, ToolCall>, part: ChatCompletionChunk.Choice.Delta.ToolCall): ToolCall {
  const before = tools.get(part.index);
  const call: ToolCall = {
    id: before?.id ?? part.id ?? `call-${part.index}`,
    kind: 'function',
    name: before?.name ?? part.function?.name ?? '',
    input: (before?.input ?? '') + (part.function?.arguments ?? ''),
    output: null,
    progress: 0.1,
  };
  tools.set(part.index, call);
  return call;
}

function finishReasonOf(reason: string): FinishReason {
  switch (reason) {
    case 'length':
    case 'content_filter':
    case 'tool_calls':
      return reason;
    case 'function_call':
      return 'tool_calls';
    default:
      return 'stop';
  }
}

function reasonOf(error: unknown, endpoint: string): Reason {
  if (error instanceof Refusal) return error.reason;
  const { status, code, headers, message, type } = looselyOf(error);
  if (typeof status === 'number') return reasonOfStatus({ status, code, headers, text: message }, endpoint);
  if (error instanceof SyntaxError) return { type: 'provider_malformed' };
  // An error event in mid-stream has no status, only what the provider says of it.
  if (code || type) return reasonOfStatus({ status: 500, code: code ?? type, headers, text: message }, endpoint);
  return isUnreachable(error) ? { type: 'provider_unavailable', status: null } : { type: 'provider_broke_off' };
}

function looselyOf(error: unknown): {
  status?: unknown;
  code?: string;
  type?: string;
  headers?: Headers;
  message: string;
} {
  if (!(error instanceof Error)) return { message: String(error) };
  const { status, code, type, headers } = error as Error & Record<string, unknown>;
  return {
    status,
    ...(typeof code === 'string' && { code }),
    ...(typeof type === 'string' && { type }),
    ...(headers instanceof Headers && { headers }),
    message: error.message,
  };
}

/** The SDK calls it a connection error when no answer began. */
function isUnreachable(error: unknown): boolean {
  return error instanceof Error && /^(Connection error|Request timed out)/.test(error.message);
}
