// Reads Anthropic's stream leniently: unknown events are ignored.
import type { FinishReason } from '@parley/schema/messages/messages';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { readUsage } from '@parley/schema/catalog/usage';
import type { Delta } from '../../generation/delta.ts';
import { callBegun } from '../finished-calls.ts';
import { createReasoningReader } from './reasoning-reader.ts';

/** Reads one answer of the Messages API, event by event. With `wantsSignatures`, its signed reasoning are returned, too. */
export function createMessageReader(
  model: string,
  wantsSignatures: boolean,
): (event: RawMessageStreamEvent) => Generator<Delta> {
  /** The ids of the calls by the index of their blocks. */
  const calls = new Map<number, string>();
  const reasoning = createReasoningReader();
  let prompt = promptTokensOf(null);
  return read;

  function* read(event: RawMessageStreamEvent): Generator<Delta> {
    if (wantsSignatures) yield* signReasoning(event);
    switch (event.type) {
      case 'message_start':
        prompt = promptTokensOf(event.message?.usage);
        // A stopped answer reports no usage beyond this.
        return yield* usageOf(0);
      case 'content_block_start':
        if (event.content_block?.type === 'tool_use') yield beginCall(event.index, event.content_block);
        return;
      case 'content_block_delta':
        return yield* readDelta(event.index, event.delta);
      case 'message_delta': {
        const { delta, usage } = event;
        if (delta?.stop_reason) yield { type: 'finish', reason: finishReasonOf(delta.stop_reason) };
        yield* usageOf(usage?.output_tokens);
      }
    }
  }

  function* usageOf(output: unknown): Generator<Delta> {
    const usage = readUsage({ ...prompt, output });
    if (usage) yield { type: 'usage', ...usage };
  }

  function* readDelta(
    index: number,
    delta: Extract<RawMessageStreamEvent, { delta: unknown; index: number }>['delta'],
  ) {
    if (delta?.type === 'text_delta' && delta.text) yield { type: 'text' as const, text: delta.text };
    if (delta?.type === 'thinking_delta' && delta.thinking) yield { type: 'reasoning' as const, text: delta.thinking };
    if (delta?.type === 'input_json_delta') yield* extendCall(index, delta.partial_json);
  }

  function beginCall(index: number, block: { id?: unknown; name?: unknown }): Delta {
    const theirs = typeof block.id === 'string' ? block.id : '';
    const id = theirs === '' || [...calls.values()].includes(theirs) ? `call-${calls.size}` : theirs;
    calls.set(index, id);
    return callBegun(id, typeof block.name === 'string' ? block.name : '');
  }

  function* extendCall(index: number, text: string): Generator<Delta> {
    const id = calls.get(index);
    if (id !== undefined && text) yield { type: 'input', id, text };
  }

  function* signReasoning(event: RawMessageStreamEvent): Generator<Delta> {
    const data = reasoning.read(event);
    if (data !== null) yield { type: 'signature', signature: { endpointType: 'anthropic', model, data } };
  }
}

/** `input_tokens` has neither the tokens read from the cache nor those written to it. */
function promptTokensOf(usage: object | null | undefined) {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens }: Record<string, unknown> = { ...usage };
  const [rest = 0, cachedRead = 0, cachedWrite = 0] = [
    input_tokens,
    cache_read_input_tokens,
    cache_creation_input_tokens,
  ].map((count) => (typeof count === 'number' ? count : 0));
  return { input: rest + cachedRead + cachedWrite, cachedRead, cachedWrite };
}

/** One event of the completions call. */
export interface CompletionEvent {
  type: 'completion';
  completion?: string | null;
  stop_reason?: string | null;
}

export function* completionDeltas(event: CompletionEvent | { type: string }): Generator<Delta> {
  if (!isCompletion(event)) return;
  if (event.completion) yield { type: 'text', text: event.completion };
  if (event.stop_reason) yield { type: 'finish', reason: finishReasonOf(event.stop_reason) };
}

function isCompletion(event: { type: string }): event is CompletionEvent {
  return event.type === 'completion';
}

function finishReasonOf(reason: string): FinishReason {
  switch (reason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'tool_use':
      return 'tool_calls';
    case 'refusal':
      return 'content_filter';
    default:
      return 'stop';
  }
}
