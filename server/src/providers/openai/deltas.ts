// Reads OpenAI's protocol, leniently: any field may be missing, null or unknown.
import type { FinishReason, ToolCall } from '@parley/schema/messages/messages';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Completion } from 'openai/resources/completions';
import type { Delta } from '../../generation/delta.ts';

type LooseChunk = Partial<ChatCompletionChunk> & {
  /** Where Groq reported usage before it followed the others. */
  x_groq?: { usage?: ChatCompletionChunk['usage'] } | null;
};

type LooseDelta = Omit<ChatCompletionChunk.Choice.Delta, 'content'> & {
  content?: unknown;
  /** The field for reasoning at DeepSeek and providers that follow it. */
  reasoning_content?: unknown;
  /** The same at OpenRouter, Groq and Ollama. */
  reasoning?: unknown;
};

/** `tools` keeps the calls of this answer by index. */
export function* chatDeltas(chunk: LooseChunk, tools: Map<number, ToolCall>): Generator<Delta> {
  const choice = chunk.choices?.find((candidate) => candidate && (candidate.index ?? 0) === 0);
  const delta: LooseDelta | undefined = choice?.delta;
  yield* said('reasoning', delta?.reasoning_content ?? delta?.reasoning);
  yield* contentOf(delta?.content);
  yield* said('text', delta?.refusal);
  for (const part of delta?.tool_calls ?? []) yield { type: 'tool', call: extendTool(tools, part) };
  if (choice?.finish_reason) yield { type: 'finish', reason: finishReasonOf(choice.finish_reason) };
  // Some report the usage so far with each chunk; the last one counts.
  if (!choice || choice.finish_reason) yield* usageOf(chunk.usage ?? chunk.x_groq?.usage);
}

export function* completionDeltas(chunk: Partial<Completion>): Generator<Delta> {
  const choice = chunk.choices?.find((candidate) => candidate && (candidate.index ?? 0) === 0);
  yield* said('text', choice?.text);
  if (choice?.finish_reason) yield { type: 'finish', reason: finishReasonOf(choice.finish_reason) };
  if (!choice || choice.finish_reason) yield* usageOf(chunk.usage);
}

function* said(type: 'text' | 'reasoning', text: unknown): Generator<Delta> {
  if (typeof text === 'string' && text !== '') yield { type, text };
}

/** Text, or, from Mistral's thinking models, a list of text pieces and thoughts, which are lists of pieces again. */
function* contentOf(content: unknown): Generator<Delta> {
  if (!Array.isArray(content)) return yield* said('text', content);
  for (const piece of content as { text?: unknown; thinking?: unknown }[]) {
    yield* said('text', piece?.text);
    if (!Array.isArray(piece?.thinking)) continue;
    for (const thought of piece.thinking as { text?: unknown }[]) yield* said('reasoning', thought?.text);
  }
}

function* usageOf(
  usage: { prompt_tokens?: unknown; completion_tokens?: unknown } | null | undefined,
): Generator<Delta> {
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  if (typeof input === 'number' && input > 0 && typeof output === 'number') yield { type: 'usage', input, output };
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
