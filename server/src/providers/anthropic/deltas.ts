// Reads Anthropic's stream leniently: unknown events are ignored.
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { readUsage } from '@parley/schema/catalog/usage';
import type { Delta } from '../../generation/delta.ts';
import { createSources } from '../compatible/answer-sources.ts';
import { readFinishWord } from '../compatible/finish-words.ts';
import { callBegun } from '../finished-calls.ts';

/** Reads one answer of the Messages API, event by event. With `wantsSignatures`, its signed reasoning are returned, too. */
export function createMessageReader(
  model: string,
  wantsSignatures: boolean,
): (event: RawMessageStreamEvent) => Generator<Delta> {
  /** The ids of the calls by the index of their blocks. */
  const calls = new Map<number, string>();
  /** The blocks of the calls whose input came with their start. */
  const whole = new Set<number>();
  const reasoning = createReasoningReader();
  /** Of a search that a gateway or the configuration has switched on. */
  const sources = createSources();
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
        return yield* beginBlock(event.index, event.content_block);
      case 'content_block_delta':
        return yield* readDelta(event.index, event.delta);
      case 'message_delta': {
        const { delta, usage } = event;
        if (delta?.stop_reason) yield* sources.told();
        yield* finished(delta?.stop_reason);
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
    if (delta?.type === 'citations_delta') sources.note(delta.citation);
    if (delta?.type === 'input_json_delta') yield* extendCall(index, delta.partial_json);
  }

  /** Some servers begin a block with all of its text or input. */
  function* beginBlock(index: number, block: LooseBlock | null): Generator<Delta> {
    if (block?.type === 'tool_use') return yield beginCall(index, block);
    if (block?.type === 'web_search_tool_result') return sources.note(block.content);
    sources.note(block?.citations);
    if (block?.type === 'text' && block.text) yield { type: 'text', text: block.text };
    if (block?.type === 'thinking' && block.thinking) yield { type: 'reasoning', text: block.thinking };
  }

  function beginCall(index: number, block: LooseBlock): Delta {
    const theirs = typeof block.id === 'string' ? block.id : '';
    const id = theirs === '' || [...calls.values()].includes(theirs) ? `call-${calls.size}` : theirs;
    calls.set(index, id);
    const input = inputIn(block);
    if (input !== '') whole.add(index);
    return callBegun(id, typeof block.name === 'string' ? block.name : '', input);
  }

  function* extendCall(index: number, text: string): Generator<Delta> {
    const id = calls.get(index);
    // What was whole at the start is repeated by some.
    if (id !== undefined && text && !whole.has(index)) yield { type: 'input', id, text };
  }

  function* signReasoning(event: RawMessageStreamEvent): Generator<Delta> {
    const data = reasoning.read(event);
    if (data !== null) yield { type: 'signature', signature: { endpointType: 'anthropic', model, data } };
  }
}

interface LooseBlock {
  type?: string;
  text?: string;
  thinking?: string;
  id?: unknown;
  name?: unknown;
  input?: unknown;
  content?: unknown;
  citations?: unknown;
}

/** Anthropic's own is an empty object, and the input follows in pieces. */
function inputIn({ input }: LooseBlock): string {
  if (typeof input === 'string') return input;
  return typeof input === 'object' && input !== null && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
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
  yield* finished(event.stop_reason);
}

/** Nothing for a word that is no success: an answer without a finish has broken off. */
function* finished(word: string | null | undefined): Generator<Delta> {
  const reason = readFinishWord(word ?? '');
  if (reason) yield { type: 'finish', reason };
}

function isCompletion(event: { type: string }): event is CompletionEvent {
  return event.type === 'completion';
}

// Collects the reasoning of an answer as Anthropic wants them back beside calls: whole blocks, with their signatures.
type Block = { type: 'thinking'; thinking: string; signature: string } | { type: 'redacted_thinking'; data: string };

function createReasoningReader() {
  /** Blocks of reasoning that follow each other. */
  let blocks: Block[] = [];
  let open: { index: number; block: Block } | null = null;
  return { read };

  /** The JSON of these blocks, as a list, at the event after the last of them; null at all other events. */
  function read(event: RawMessageStreamEvent): string | null {
    switch (event.type) {
      case 'content_block_start':
        open = openingOf(event);
        if (!open) return take();
        blocks.push(open.block);
        return null;
      case 'content_block_delta':
        if (open?.index === event.index) extend(open.block, event.delta);
        return null;
      case 'message_delta':
        return take();
      default:
        return null;
    }
  }

  function take(): string | null {
    // Other servers with the protocol sign nothing, and want nothing back.
    const signed = blocks.filter((block) => block.type === 'redacted_thinking' || block.signature !== '');
    blocks = [];
    return signed.length > 0 ? JSON.stringify(signed) : null;
  }
}

function openingOf({ index, content_block: block }: Extract<RawMessageStreamEvent, { type: 'content_block_start' }>) {
  switch (block?.type) {
    case 'thinking':
      return { index, block: { type: block.type, thinking: block.thinking ?? '', signature: block.signature ?? '' } };
    case 'redacted_thinking':
      return { index, block: { type: block.type, data: block.data } };
    default:
      return null;
  }
}

function extend(block: Block, delta: { type?: string; thinking?: string; signature?: string } | null): void {
  if (block.type !== 'thinking') return;
  if (delta?.type === 'thinking_delta') block.thinking += delta.thinking ?? '';
  if (delta?.type === 'signature_delta') block.signature += delta.signature ?? '';
}
