// Reads the events of OpenAI's Responses protocol, leniently: any field may be missing, and events and items of kinds
// that are not known here are skipped.
import type { FinishReason, ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';

interface LooseEvent {
  type?: unknown;
  delta?: unknown;
  output_index?: unknown;
  item?: { type?: unknown; call_id?: unknown; name?: unknown; arguments?: unknown } | null;
  response?: LooseResponse | null;
  code?: unknown;
  message?: unknown;
}

interface LooseResponse {
  usage?: { input_tokens?: unknown; output_tokens?: unknown } | null;
  incomplete_details?: { reason?: unknown } | null;
  error?: { code?: unknown; message?: unknown } | null;
}

/** Whether this event is the last one of an answer, good or bad. */
export function endsResponse({ type }: LooseEvent): boolean {
  return type === 'response.completed' || type === 'response.incomplete';
}

/**
 * Reads the events of one answer, in order.
 * @throws Error with the provider's code for an answer that failed
 */
export function createResponseReader(): (event: LooseEvent) => Generator<Delta> {
  const calls = new Map<unknown, ToolCall>();
  const answer = createBlocks('text');
  const thoughts = createBlocks('reasoning');

  return function* read(event) {
    switch (event.type) {
      case 'response.output_item.added':
        if (event.item?.type === 'message') answer.begin();
        if (event.item?.type === 'reasoning') thoughts.begin();
        if (event.item?.type === 'function_call') yield beginCall(calls, event);
        return;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return yield* answer.say(event.delta);
      case 'response.reasoning_summary_part.added':
        return thoughts.begin();
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return yield* thoughts.say(event.delta);
      case 'response.function_call_arguments.delta':
        return yield* extendCall(calls, event);
      case 'response.completed':
        yield* usageOf(event.response);
        return yield { type: 'finish', reason: calls.size > 0 ? 'tool_calls' : 'stop' };
      case 'response.incomplete':
        yield* usageOf(event.response);
        return yield { type: 'finish', reason: whyIncomplete(event.response) };
      case 'response.failed':
        throw failure(event.response?.error ?? {});
      case 'error':
        throw failure(event);
    }
  };
}

/** Texts of one kind. A model may say several, with other things in between: an empty line separates them. */
function createBlocks(type: 'text' | 'reasoning') {
  let isSaid = false;
  let isNew = false;
  return {
    begin(): void {
      isNew = isSaid;
    },
    *say(text: unknown): Generator<Delta> {
      if (typeof text !== 'string' || text === '') return;
      yield { type, text: isNew ? `\n\n${text}` : text };
      isSaid = true;
      isNew = false;
    },
  };
}

function beginCall(calls: Map<unknown, ToolCall>, { output_index: index, item }: LooseEvent): Delta {
  const call: ToolCall = {
    id: typeof item?.call_id === 'string' ? item.call_id : `call-${calls.size}`,
    kind: 'function',
    name: typeof item?.name === 'string' ? item.name : '',
    input: typeof item?.arguments === 'string' ? item.arguments : '',
    output: null,
    progress: 0.1,
  };
  calls.set(index, call);
  return { type: 'tool', call };
}

function* extendCall(calls: Map<unknown, ToolCall>, { output_index: index, delta }: LooseEvent): Generator<Delta> {
  const before = calls.get(index);
  if (!before || typeof delta !== 'string') return;
  const call = { ...before, input: before.input + delta };
  calls.set(index, call);
  yield { type: 'tool', call };
}

function* usageOf(response: LooseResponse | null | undefined): Generator<Delta> {
  const { input_tokens: input, output_tokens: output } = response?.usage ?? {};
  if (typeof input === 'number' && input > 0 && typeof output === 'number') yield { type: 'usage', input, output };
}

/** A limit is the usual reason, and the only one that can be mended by going on. */
function whyIncomplete(response: LooseResponse | null | undefined): FinishReason {
  return response?.incomplete_details?.reason === 'content_filter' ? 'content_filter' : 'length';
}

/** Codes that blame the request; the others are the provider's own trouble, or limits, which have their own reasons. */
const BLAMES_REQUEST = /invalid|image|context_length|policy|residency/;

function failure({ code, message }: { code?: unknown; message?: unknown }): Error {
  const word = typeof code === 'string' && code !== '' ? code : 'server_error';
  const text = typeof message === 'string' ? message : '';
  return Object.assign(new Error(text), { code: word, ...(BLAMES_REQUEST.test(word) && { status: 400 }) });
}
