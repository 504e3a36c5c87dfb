// Reads Anthropic's stream leniently: unknown events are ignored.
import type { FinishReason, ToolCall } from '@parley/schema/messages/messages';
import type { RawMessageStreamEvent, ToolUseBlock } from '@anthropic-ai/sdk/resources/messages';
import type { Delta } from '../../generation/delta.ts';

/** Reads one answer of the Messages API, event by event. */
export function createMessageReader(): (event: RawMessageStreamEvent) => Generator<Delta> {
  const tools = new Map<number, ToolCall>();
  let input = 0;
  return read;

  function* read(event: RawMessageStreamEvent): Generator<Delta> {
    switch (event.type) {
      case 'message_start':
        input = promptTokensOf(event.message?.usage);
        // A stopped answer reports no usage beyond this.
        if (input > 0) yield { type: 'usage', input, output: 0 };
        return;
      case 'content_block_start':
        if (event.content_block?.type === 'tool_use') yield openTool(event.index, event.content_block);
        return;
      case 'content_block_delta':
        return yield* readDelta(event.index, event.delta);
      case 'message_delta': {
        const { delta, usage } = event;
        if (delta?.stop_reason) yield { type: 'finish', reason: finishReasonOf(delta.stop_reason) };
        const output = usage?.output_tokens;
        if (input > 0 && typeof output === 'number') yield { type: 'usage', input, output };
      }
    }
  }

  function* readDelta(
    index: number,
    delta: Extract<RawMessageStreamEvent, { delta: unknown; index: number }>['delta'],
  ) {
    if (delta?.type === 'text_delta' && delta.text) yield { type: 'text' as const, text: delta.text };
    if (delta?.type === 'thinking_delta' && delta.thinking) yield { type: 'reasoning' as const, text: delta.thinking };
    if (delta?.type === 'input_json_delta') yield* extendTool(index, delta.partial_json);
  }

  function openTool(index: number, { id, name }: ToolUseBlock): Delta {
    const call: ToolCall = { id, kind: 'function', name, input: '', output: null, progress: 0.1 };
    tools.set(index, call);
    return { type: 'tool', call };
  }

  function* extendTool(index: number, piece: string): Generator<Delta> {
    const before = tools.get(index);
    if (!before || !piece) return;
    const call = { ...before, input: before.input + piece };
    tools.set(index, call);
    yield { type: 'tool', call };
  }
}

/** Prompt tokens, including those read from a cache. */
function promptTokensOf(usage: Record<string, unknown> | object | null | undefined): number {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = (usage ?? {}) as Record<
    string,
    unknown
  >;
  return [input_tokens, cache_read_input_tokens, cache_creation_input_tokens].reduce<number>(
    (sum, count) => sum + (typeof count === 'number' ? count : 0),
    0,
  );
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
