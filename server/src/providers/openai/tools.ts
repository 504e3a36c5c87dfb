// Tools in chat completions: what is offered, calls of earlier steps, and the calls of an answer.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { parseJson } from '@parley/schema/json';
import type { ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import { callArguments, callBegun, objectsIn } from '../finished-calls.ts';
import type { ChatImage, ChatMessage, FinishedCall, ProviderCall, ProviderTarget } from '../provider.ts';
import { signatureFields } from './chat-signatures.ts';

export function toolParams({ tools = [], toolChoice }: Pick<ProviderCall, 'tools' | 'toolChoice'>): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    ...(toolChoice && { tool_choice: toolChoice }),
  };
}

/** An answer with calls is its message, a message for each result, and one with the images of the results. */
export function stepMessages(
  { calls = [], signatures = [], content, images: _images, files: _files, ...message }: ChatMessage,
  { quirks }: ProviderTarget,
): object[] {
  const asked = {
    ...message,
    content: content === '' ? null : content,
    ...signatureFields(signatures),
    tool_calls: calls.map(({ id, name, input, signature }) => ({
      id,
      type: 'function',
      // Servers that run a template over the arguments fail on broken ones.
      function: { name, arguments: isEmpty(callArguments({ input })) ? '{}' : input },
      ...(signature !== undefined && { extra_content: objectsIn(signature)[0] }),
    })),
  };
  // Strict providers accept no question after results, but images in them.
  const isStrict = quirks?.instructions === 'first';
  const results = calls.map(({ id, output, images = [] }) => ({
    role: 'tool',
    tool_call_id: id,
    content: isStrict && images.length > 0 ? [{ type: 'text', text: output }, ...images.map(chatImage)] : output,
  }));
  return [asked, ...results, ...(isStrict ? [] : toolImages(calls))];
}

export function chatImage({ mime, data, detail }: ChatImage): object {
  return { type: 'image_url', image_url: { url: `data:${mime};base64,${data}`, detail } };
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** Results are text only: their images follow in a message of the user's. */
function toolImages(calls: readonly FinishedCall[]): object[] {
  const parts = calls.flatMap(({ name, images = [] }) =>
    images.length > 0 ? [{ type: 'text', text: `Made by ${name}:` }, ...images.map(chatImage)] : [],
  );
  return parts.length > 0 ? [{ role: 'user', content: parts }] : [];
}

/** A piece of a call in a stream; any field may be missing or odd. */
export interface LooseCall {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
  /** Google's, by OpenAI's protocol: holds the signature that belongs to the call. */
  extra_content?: unknown;
}

export interface CallReader {
  read(part: LooseCall): Generator<Delta>;
  count(): number;
}

/**
 * Reads the calls of one answer. Servers differ: some give no ids or no index, some the same index for all calls, some
 * repeat id and name with each piece, and some send the arguments as an object.
 */
export function createCallReader(by: { endpointType: EndpointType; model: string }): CallReader {
  const calls: { index: unknown; theirs: string; call: ToolCall }[] = [];
  return { read, count: () => calls.length };

  function* read(part: LooseCall): Generator<Delta> {
    const name = textOrEmpty(part.function?.name);
    const input = argumentText(part.function?.arguments);
    const known = find(part, name);
    if (!known && name === '' && input === '' && textOrEmpty(part.id) === '') return;
    if (!known) yield begin(part, name, input);
    else yield* extend(known.call, name, input);
    const { call } = known ?? calls[calls.length - 1] ?? {};
    if (call && part.extra_content)
      yield { type: 'signature', id: call.id, signature: { ...by, data: JSON.stringify(part.extra_content) } };
  }

  /** The call that a piece goes on with; undefined for a new one. */
  function find({ index, id }: LooseCall, name: string) {
    const same = index === undefined ? calls.at(-1) : calls.findLast((candidate) => candidate.index === index);
    if (!same) return undefined;
    const theirs = textOrEmpty(id);
    if (theirs !== '' && same.theirs !== '') return theirs === same.theirs ? same : undefined;
    if (name === '' || same.call.name === '') return same;
    // A name again, without an id: the next call, if the arguments of this one are complete.
    return parseJson(same.call.input) !== undefined ? undefined : same;
  }

  function begin({ index, id }: LooseCall, name: string, input: string): Delta {
    const theirs = textOrEmpty(id);
    const isTaken = theirs === '' || calls.some(({ call }) => call.id === theirs);
    const delta = callBegun(isTaken ? `call-${calls.length}` : theirs, name, input);
    calls.push({ index, theirs, call: { ...delta.call } });
    return delta;
  }

  function* extend(call: ToolCall, name: string, input: string): Generator<Delta> {
    call.input += input;
    if (call.name === '' && name !== '') {
      call.name = name;
      yield { type: 'tool', call: { ...call } };
    } else if (input !== '') yield { type: 'input', id: call.id, text: input };
  }
}

export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function argumentText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : textOrEmpty(value);
}
