// Reads OpenAI's protocol, leniently: any field may be missing, null or unknown.
import { readUsage } from '@parley/schema/catalog/usage';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { asFields, isObject, listIn } from '@parley/schema/json';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Completion } from 'openai/resources/completions';
import type { Delta } from '../../generation/delta.ts';
import { createPictureReader, type PictureReader } from '../compatible/answer-pictures.ts';
import { createSources, type AnswerSources } from '../compatible/answer-sources.ts';
import { createEnding, type Ending } from '../compatible/finish-words.ts';
import { failureOfEvent } from '../failure.ts';
import { createSignatureReader, type LooseReasoning } from './chat-signatures.ts';
import { createCallReader, type CallReader, type LooseCall } from './tools.ts';

type LooseChunk = Omit<Partial<ChatCompletionChunk>, 'choices'> & {
  choices?: (LooseChoice | null)[] | null;
  /** Perplexity's and xAI's: the pages that the answer stands on. */
  citations?: unknown;
  search_results?: unknown;
  /** Google's, behind a gateway. */
  vertex_ai_grounding_metadata?: unknown;
  /** Where Groq reported usage before it followed the others. */
  x_groq?: { usage?: ChatCompletionChunk['usage'] } | null;
};

/** What of an answer is no text. */
interface Extras {
  sources: AnswerSources;
  pictures: PictureReader;
}

interface LooseChoice {
  index?: number | null;
  delta?: LooseDelta | null;
  message?: LooseDelta | null;
  finish_reason?: unknown;
  /** OpenRouter's, of a provider that fails in mid-stream. */
  error?: unknown;
  groundingMetadata?: unknown;
}

type LooseDelta = Omit<ChatCompletionChunk.Choice.Delta, 'content' | 'tool_calls' | 'function_call' | 'role'> &
  LooseReasoning & {
    content?: unknown;
    tool_calls?: (LooseCall | null)[] | null;
    /** The field for reasoning at OpenRouter, Groq and Ollama. */
    reasoning?: unknown;
    /** Pages that the text names. */
    annotations?: unknown;
    citations?: unknown;
    /** Of models that draw, as OpenRouter and LiteLLM tell it. */
    images?: unknown;
    /** Of models that speak. */
    audio?: { transcript?: unknown } | null;
    /** Of servers from before there were lists of calls. */
    function_call?: LooseCall['function'];
  };

/**
 * Reads one answer, chunk by chunk. With `wantsSignatures`, what the provider wants back with its calls is returned, too.
 * `offered` has the names of the tools; `ending` learns how the answer ends.
 */
export function createChatReader(
  by: { endpointType: EndpointType; model: string },
  wantsSignatures: boolean,
  offered: ReadonlySet<string> = new Set(),
  ending: Ending = createEnding(),
  { sources, pictures }: Extras = { sources: createSources(), pictures: createPictureReader() },
): (chunk: LooseChunk) => Generator<Delta> {
  let calls: CallReader | null = null;
  const signatures = wantsSignatures ? createSignatureReader(by) : null;
  return read;

  function* read(chunk: LooseChunk): Generator<Delta> {
    const choice = chunk?.choices?.find((one) => one && (one.index ?? 0) === 0);
    // A server that does not stream sends a message.
    const delta: LooseDelta | null | undefined = choice?.delta ?? choice?.message;
    assertNoFailure(chunk, choice);
    const { content, refusal } = delta ?? {};
    const thought = delta ? reasoningIn(delta) : '';
    if (thought !== '') yield { type: 'reasoning', text: thought };
    if (delta) signatures?.read(delta);
    // Most chunks are one piece of text, which needs no generator of its own.
    if (typeof content === 'string') {
      if (content !== '') yield { type: 'text', text: content };
    } else if (content) yield* contentOf(content, { sources, pictures });
    if (refusal) yield* said('text', refusal);
    if (delta?.audio) yield* said('text', delta.audio.transcript);
    if (delta?.images) yield* pictures.read(delta.images);
    if (content || refusal || delta?.images || delta?.audio) ending.noteOutput('stop');
    sources.note(chunk?.search_results ?? chunk?.vertex_ai_grounding_metadata);
    sources.note(chunk?.citations ?? delta?.citations);
    sources.note(delta?.annotations ?? choice?.groundingMetadata);
    for (const part of callsIn(delta)) yield* readCall(part);
    if (choice?.finish_reason) {
      const hasCalls = calls !== null && calls.count() > 0;
      if (hasCalls) yield* signatures?.take() ?? [];
      const known = ending.read(choice.finish_reason);
      // Some servers end calls like any answer.
      if (known) yield { type: 'finish', reason: known === 'stop' && hasCalls ? 'tool_calls' : known };
    }
    // Some report the usage so far with each chunk; the last one counts.
    const usage = chunk?.usage ?? chunk?.x_groq?.usage;
    if (usage && (!choice || choice.finish_reason)) yield* usageOf(usage);
  }

  /** Reasoning is signed before the first call, where they end. */
  function* readCall(part: LooseCall): Generator<Delta> {
    if (!calls?.count()) yield* signatures?.take() ?? [];
    yield* (calls ??= createCallReader(by, offered)).read(part);
    if (calls.count() > 0) ending.noteOutput('tool_calls');
  }
}

/** What only an event that tells of a failure has; the client knows that of OpenAI. */
const FAILURE_FIELDS = ['message', 'detail', 'msg', 'error_message', 'error_msg', 'errorMessage', 'errors'];

/** Throws what a server says instead of an answer. */
function assertNoFailure(chunk: LooseChunk | null, choice: LooseChoice | null | undefined): void {
  const isFailure = chunk && !chunk.choices && (Array.isArray(chunk) || FAILURE_FIELDS.some((name) => name in chunk));
  const failure = isFailure
    ? failureOfEvent(chunk)
    : choice?.error
      ? failureOfEvent({ error: choice.error })
      : undefined;
  if (failure) throw failure;
}

/** Servers name the field differently, and some fill all but one of them with an empty text. */
function reasoningIn({ reasoning_content, reasoning, reasoning_details }: LooseDelta): string {
  const [text] = [reasoning_content, reasoning].filter((value) => typeof value === 'string' && value !== '');
  if (typeof text === 'string') return text;
  return listIn(reasoning_details)
    .map(asFields)
    .map(
      ({ text: whole, summary }) => [whole, summary].find((value) => typeof value === 'string' && value !== '') ?? '',
    )
    .join('');
}

function callsIn(delta: LooseDelta | null | undefined): LooseCall[] {
  const calls = [delta?.tool_calls ?? []].flat().filter((part) => part !== null);
  if (calls.length > 0 || !delta?.function_call) return calls;
  return [{ function: delta.function_call }];
}

export function* completionDeltas(chunk: Partial<Completion>, ending: Ending = createEnding()): Generator<Delta> {
  const choice = chunk?.choices?.find((candidate) => candidate && (candidate.index ?? 0) === 0);
  yield* said('text', choice?.text);
  if (choice?.text) ending.noteOutput('stop');
  const known = ending.read(choice?.finish_reason);
  if (known) yield { type: 'finish', reason: known };
  if (!choice || choice.finish_reason) yield* usageOf(chunk?.usage);
}

function* said(type: 'text' | 'reasoning', text: unknown): Generator<Delta> {
  if (typeof text === 'string' && text !== '') yield { type, text };
}

/** A list of texts, pictures and reasoning, which at Mistral is a list of pieces again. */
function* contentOf(content: unknown, { sources, pictures }: Extras): Generator<Delta> {
  for (const piece of Array.isArray(content) ? listIn(content) : [content]) {
    if (typeof piece === 'string') yield* said('text', piece);
    if (!isObject(piece)) continue;
    const { type, text, thinking } = piece;
    yield* said(type === 'reasoning' || type === 'thinking' ? 'reasoning' : 'text', text);
    yield* said('reasoning', thinking);
    for (const reasoning of listIn(thinking)) yield* said('reasoning', asFields(reasoning).text);
    sources.note(piece.annotations);
    if (text === undefined && thinking === undefined) yield* pictures.read(piece);
  }
}

/** The names of OpenAI, and of servers that speak its protocol. */
interface LooseUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  total_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown; cache_write_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
  /** DeepSeek's. */
  prompt_cache_hit_tokens?: unknown;
  /** Of Moonshot and some others. */
  cached_tokens?: unknown;
  /** Of gateways that pass on Anthropic's. */
  cache_read_input_tokens?: unknown;
  cache_creation_input_tokens?: unknown;
}

function* usageOf(reported: LooseUsage | null | undefined): Generator<Delta> {
  const { prompt_tokens_details: read, completion_tokens_details: written, ...said } = reported ?? {};
  const [input, reasoning] = [Number(said.prompt_tokens), Number(written?.reasoning_tokens)];
  const all = input + Number(said.completion_tokens) + reasoning;
  const usage = readUsage({
    input: said.prompt_tokens,
    // xAI counts reasoning beside the completion: the total tells.
    output: said.total_tokens === all && reasoning > 0 ? all - input : said.completion_tokens,
    cachedRead:
      read?.cached_tokens ?? said.prompt_cache_hit_tokens ?? said.cached_tokens ?? said.cache_read_input_tokens,
    cachedWrite: read?.cache_write_tokens ?? said.cache_creation_input_tokens,
    reasoning: written?.reasoning_tokens,
  });
  if (usage) yield { type: 'usage', ...usage };
}
