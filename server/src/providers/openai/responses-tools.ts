// Tools in OpenAI's Responses protocol: what is offered, calls of earlier steps, and the calls of an answer.
import type { ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import { callArguments, callBegun, objectsIn } from '../finished-calls.ts';
import type { ChatImage, ChatMessage, FinishedCall, ProviderCall } from '../provider.ts';
import { FORMAT_NAME, textOrEmpty } from './tools.ts';

/** With `thinks`, the model's reasoning is asked for, encrypted: it gets it back with the results of its calls. */
export function toolParams({ tools = [], toolChoice, parallelCalls }: ProviderCall, thinks: boolean): object {
  if (tools.length === 0) return {};
  return {
    // Strict tools, the default here, would restrict their schemas.
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: false,
    })),
    ...(toolChoice && {
      tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', ...toolChoice },
    }),
    ...(parallelCalls === false && { parallel_tool_calls: false }),
    ...(thinks && { include: ['reasoning.encrypted_content'] }),
  };
}

/** The shape of an answer. Strictness, the default here, would restrict its schema, too. */
export function formatParams({ format }: Pick<ProviderCall, 'format'>): object {
  if (!format) return {};
  const { schema, name = FORMAT_NAME, description, strict } = format;
  if (!schema) return { text: { format: { type: 'json_object' } } };
  const wanted = { type: 'json_schema', name, schema, strict: strict ?? false, ...(description && { description }) };
  return { text: { format: wanted } };
}

/** An answer with calls: its reasoning, its words, its calls and their results are one item each. */
export function stepItems({ content, calls = [], signatures = [] }: ChatMessage): object[] {
  return [
    ...signatures.flatMap(objectsIn).filter(({ type }) => type === 'reasoning'),
    ...(content === '' ? [] : [{ role: 'assistant', content }]),
    ...calls.map((call) => ({
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(callArguments(call)),
    })),
    ...calls.map((call) => ({ type: 'function_call_output', call_id: call.id, output: outputOf(call) })),
  ];
}

function outputOf({ output, images = [] }: FinishedCall): string | object[] {
  if (images.length === 0) return output;
  return [{ type: 'input_text', text: output }, ...images.map(responsesImage)];
}

export function responsesImage({ mime, data, detail }: ChatImage): object {
  return { type: 'input_image', image_url: `data:${mime};base64,${data}`, detail };
}

/** An item of an answer; any field may be missing. */
export interface LooseItem {
  type?: unknown;
  id?: unknown;
  call_id?: unknown;
  name?: unknown;
  arguments?: unknown;
  summary?: unknown;
  encrypted_content?: unknown;
}

/** Reads the calls of one answer, by the index of their items. */
export function createCallReader() {
  const calls = new Map<unknown, Pick<ToolCall, 'id' | 'input'>>();
  return { begin, extend, end, count: () => calls.size };

  function begin(index: unknown, item: LooseItem): Delta {
    const theirs = textOrEmpty(item.call_id);
    const isTaken = theirs === '' || [...calls.values()].some(({ id }) => id === theirs);
    const id = isTaken ? `call-${calls.size}` : theirs;
    const input = textOrEmpty(item.arguments);
    calls.set(index, { id, input });
    return callBegun(id, textOrEmpty(item.name), input);
  }

  function* extend(index: unknown, delta: unknown): Generator<Delta> {
    const call = calls.get(index);
    if (!call || typeof delta !== 'string' || delta === '') return;
    call.input += delta;
    yield { type: 'input', id: call.id, text: delta };
  }

  /** The whole item repeats the arguments; some servers send no pieces of them. */
  function* end(index: unknown, item: LooseItem): Generator<Delta> {
    const whole = textOrEmpty(item.arguments);
    const { input = whole } = calls.get(index) ?? {};
    if (whole.startsWith(input)) yield* extend(index, whole.slice(input.length));
  }
}

/** What is given back of the model's reasoning; null where it is not encrypted. */
export function encryptedReasoning({ id, summary, encrypted_content: content }: LooseItem): string | null {
  if (typeof content !== 'string' || content === '') return null;
  return JSON.stringify({ type: 'reasoning', id, summary, encrypted_content: content });
}
