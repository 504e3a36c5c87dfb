// Reads OpenAI's protocol, leniently: any field may be missing, null or unknown.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { FinishReason } from '@parley/schema/messages/messages';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Completion } from 'openai/resources/completions';
import type { Delta } from '../../generation/delta.ts';
import { createSignatureReader, type LooseReasoning } from './chat-signatures.ts';
import { createCallReader, type LooseCall } from './tools.ts';

type LooseChunk = Partial<ChatCompletionChunk> & {
  /** Where Groq reported usage before it followed the others. */
  x_groq?: { usage?: ChatCompletionChunk['usage'] } | null;
};

type LooseDelta = Omit<ChatCompletionChunk.Choice.Delta, 'content' | 'tool_calls'> &
  LooseReasoning & {
    content?: unknown;
    tool_calls?: (LooseCall | null)[] | null;
    /** The field for reasoning at OpenRouter, Groq and Ollama. */
    reasoning?: unknown;
  };

/** Reads one answer, chunk by chunk. With `wantsSignatures`, what the provider wants back with its calls is returned, too. */
export function createChatReader(
  by: { endpointType: EndpointType; model: string },
  wantsSignatures: boolean,
): (chunk: LooseChunk) => Generator<Delta> {
  const calls = createCallReader(by);
  const signatures = createSignatureReader(by);
  return read;

  function* read(chunk: LooseChunk): Generator<Delta> {
    const choice = chunk.choices?.find((candidate) => candidate && (candidate.index ?? 0) === 0);
    const delta: LooseDelta | undefined = choice?.delta;
    yield* said('reasoning', delta?.reasoning_content ?? delta?.reasoning);
    if (delta && wantsSignatures) signatures.read(delta);
    yield* contentOf(delta?.content);
    yield* said('text', delta?.refusal);
    for (const part of delta?.tool_calls ?? []) if (part) yield* readCall(part);
    if (choice?.finish_reason) yield* finish(choice.finish_reason);
    // Some report the usage so far with each chunk; the last one counts.
    if (!choice || choice.finish_reason) yield* usageOf(chunk.usage ?? chunk.x_groq?.usage);
  }

  /** Reasoning is signed before the first call, where they end. */
  function* readCall(part: LooseCall): Generator<Delta> {
    if (calls.count() === 0) yield* signatures.take();
    yield* calls.read(part);
  }

  function* finish(reason: string): Generator<Delta> {
    if (calls.count() > 0) yield* signatures.take();
    const known = finishReasonOf(reason);
    // Some servers end calls like any answer.
    yield { type: 'finish', reason: known === 'stop' && calls.count() > 0 ? 'tool_calls' : known };
  }
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

/** Text, or, from Mistral's reasoning models, a list of text pieces and reasoning, which is a list of pieces again. */
function* contentOf(content: unknown): Generator<Delta> {
  if (!Array.isArray(content)) return yield* said('text', content);
  for (const piece of content as { text?: unknown; thinking?: unknown }[]) {
    yield* said('text', piece?.text);
    if (!Array.isArray(piece?.thinking)) continue;
    for (const reasoning of piece.thinking as { text?: unknown }[]) yield* said('reasoning', reasoning?.text);
  }
}

function* usageOf(
  usage: { prompt_tokens?: unknown; completion_tokens?: unknown } | null | undefined,
): Generator<Delta> {
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  if (typeof input === 'number' && input > 0 && typeof output === 'number') yield { type: 'usage', input, output };
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
