// Tools in chat completions: what is offered, calls of earlier steps, and the calls of an answer.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { asFields, isObject, parseJson } from '@parley/schema/json';
import type { ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import { callArguments, callBegun, objectsIn } from '../finished-calls.ts';
import type { ToolChoice } from '../answers/answer-format.ts';
import type { ChatImage, ChatMessage, FinishedCall, ProviderCall, ProviderTarget } from '../provider.ts';
import { signatureFields } from './chat-signatures.ts';

type Offer = Pick<ProviderCall, 'tools' | 'toolChoice' | 'parallelCalls'>;

export function toolParams({ tools = [], toolChoice, parallelCalls }: Offer): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    ...(toolChoice && { tool_choice: choiceOnWire(toolChoice) }),
    ...(parallelCalls === false && { parallel_tool_calls: false }),
  };
}

function choiceOnWire(choice: ToolChoice): string | object {
  return typeof choice === 'string' ? choice : { type: 'function', function: choice };
}

/** The shape of an answer, as chat completions ask for it. */
export function formatParams({ format }: Pick<ProviderCall, 'format'>): object {
  if (!format) return {};
  const { schema, name = FORMAT_NAME, description, strict } = format;
  if (!schema) return { response_format: { type: 'json_object' } };
  const json_schema = { name, schema, ...(description && { description }), ...(strict != null && { strict }) };
  return { response_format: { type: 'json_schema', json_schema } };
}

/** OpenAI wants a name for each shape. */
export const FORMAT_NAME = 'answer';

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

interface KnownCall {
  index: unknown;
  theirs: string;
  call: ToolCall;
  /** The last sign of its arguments that is no white space. */
  last: string;
}

/**
 * Reads the calls of one answer. Servers differ: some give no ids or no index, some the same index or id for all calls,
 * some another one with each piece, some repeat id and name with each piece, and some send the arguments as an object or
 * whole a second time. `offered`: the names of the tools that the model may call.
 */
export function createCallReader(
  by: { endpointType: EndpointType; model: string },
  offered: ReadonlySet<string> = new Set(),
): CallReader {
  const calls: KnownCall[] = [];
  return { read, count: () => calls.length };

  function* read(part: LooseCall): Generator<Delta> {
    const { name: theirName, arguments: theirInput } = part.function ?? asFields(part);
    const name = offeredName(textOrEmpty(theirName), offered);
    const input =
      typeof theirInput === 'object' && theirInput !== null ? JSON.stringify(theirInput) : textOrEmpty(theirInput);
    const known = find(part, name);
    if (!known && name === '' && input === '' && textOrEmpty(part.id) === '') return;
    if (!known) yield begin(part, name, input);
    else yield* extend(known, name, input);
    const { call } = known ?? calls[calls.length - 1] ?? {};
    if (call && part.extra_content)
      yield { type: 'signature', id: call.id, signature: { ...by, data: JSON.stringify(part.extra_content) } };
  }

  /** The call that a piece goes on with, by its id, else its index, else the last one; undefined for a new one. */
  function find({ index, id }: LooseCall, name: string): KnownCall | undefined {
    const theirs = textOrEmpty(id);
    const isAt = (known: KnownCall) => index === undefined || index === null || known.index === index;
    const byId = theirs === '' ? undefined : calls.findLast((known) => known.theirs === theirs);
    // The same id for each call is none.
    if (byId && (isAt(byId) || name === '') && !isNext(byId, name)) return byId;
    const same = calls.findLast(isAt) ?? (name === '' ? calls.at(-1) : undefined);
    if (!same) return undefined;
    const isOther = theirs !== '' && same.theirs !== '' && theirs !== same.theirs;
    // A piece without a name begins no call.
    if (name === '') return same;
    if (isOther) return undefined;
    if (same.call.name === '') return same;
    // A name again, without an id: the next call, if the arguments of this one are complete.
    return isWhole(same) ? undefined : same;
  }

  function isNext(known: KnownCall, name: string): boolean {
    const { call } = known;
    return name !== '' && call.name !== '' && name !== call.name && isWhole(known);
  }

  function begin({ index, id }: LooseCall, name: string, input: string): Delta {
    const theirs = textOrEmpty(id);
    const isTaken = theirs === '' || calls.some(({ call }) => call.id === theirs);
    const delta = callBegun(isTaken ? `call-${calls.length}` : theirs, name, input);
    calls.push({ index, theirs, call: { ...delta.call }, last: lastSign(input) });
    return delta;
  }

  function* extend(known: KnownCall, name: string, input: string): Generator<Delta> {
    const { call } = known;
    const named = nameWith(call.name, name, offered);
    // Some begin with an empty object, and the arguments follow; some send all of them once more.
    const isAgain = input.trimStart().startsWith('{') && isWhole(known) && isObject(parseJson(call.input));
    const isReplaced = isAgain && isEmpty(callArguments(call));
    const more = isAgain && !isReplaced && isObject(parseJson(input)) ? '' : input;
    call.input = isReplaced ? input : call.input + more;
    known.last = lastSign(more) || known.last;
    if (named !== call.name || isReplaced) {
      call.name = named;
      yield { type: 'tool', call: { ...call } };
    } else if (more !== '') yield { type: 'input', id: call.id, text: more };
  }
}

/** Characters of arguments that are read again with each piece. */
const SHORT_MAX = 1000;

/**
 * Whether the arguments of a call are whole JSON. Long ones that do not end like an object are not read: they come in
 * thousands of pieces.
 */
function isWhole({ call: { input }, last }: KnownCall): boolean {
  return (input.length < SHORT_MAX || last === '}') && parseJson(input) !== undefined;
}

function lastSign(text: string): string {
  return text.trimEnd().at(-1) ?? '';
}

/** The name with one more piece: some send it in pieces, others whole with each piece. */
function nameWith(before: string, more: string, offered: ReadonlySet<string>): string {
  if (before === '') return more;
  const joined = offeredName(before + more, offered);
  return !offered.has(before) && offered.has(joined) ? joined : before;
}

/**
 * The name of an offered tool in what a model calls it: `functions.find`, `default_api:find`, ` find\n`, `"find"`,
 * `find<|channel|>commentary`, `functions.find:0`. Trimmed where no tool is meant.
 */
function offeredName(said: string, offered: ReadonlySet<string>): string {
  const trimmed = said.trim();
  if (offered.size === 0 || trimmed === '' || offered.has(trimmed)) return offered.size === 0 ? said : trimmed;
  const bare = trimmed
    .replace(/<\|.*$/s, '')
    .replaceAll(/["'`\s]/g, '')
    .replace(/\(\)$/, '');
  for (const name of [bare, bare.replace(/:\d+$/, '')])
    for (let rest = name; rest !== ''; rest = rest.slice(separatorIn(rest) + 1)) {
      if (offered.has(rest)) return rest;
      if (separatorIn(rest) < 0) break;
    }
  return trimmed;
}

/** Where the prefix of a name ends; negative where there is none. */
function separatorIn(name: string): number {
  return name.search(/[.:/](?=.)/s);
}

export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
