// Reads the events of OpenAI's Responses protocol, leniently: any field may be missing, and events and items of kinds
// that are not known here are skipped.
import { readUsage } from '@parley/schema/catalog/usage';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { FinishReason } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import { createPictureReader, type PictureReader } from '../compatible/answer-pictures.ts';
import { createSources, type AnswerSources } from '../compatible/answer-sources.ts';
import { createCallReader, encryptedReasoning, type LooseItem } from './responses-tools.ts';

interface LooseEvent {
  type?: unknown;
  delta?: unknown;
  output_index?: unknown;
  item?: LooseItem | null;
  annotation?: unknown;
  response?: LooseResponse | null;
  code?: unknown;
  message?: unknown;
}

interface LooseResponse {
  usage?: {
    input_tokens?: unknown;
    input_tokens_details?: { cached_tokens?: unknown } | null;
    output_tokens?: unknown;
    output_tokens_details?: { reasoning_tokens?: unknown } | null;
  } | null;
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
export function createResponseReader(
  by: { endpointType: EndpointType; model: string },
  { sources, pictures }: { sources: AnswerSources; pictures: PictureReader } = {
    sources: createSources(),
    pictures: createPictureReader(),
  },
): (event: LooseEvent) => Generator<Delta> {
  const calls = createCallReader();
  const text = createBlocks('text');
  const reasoning = createBlocks('reasoning');

  return function* read(event) {
    switch (event.type) {
      case 'response.output_item.added':
        if (event.item?.type === 'message') text.begin();
        if (event.item?.type === 'reasoning') reasoning.begin();
        if (event.item?.type === 'function_call') yield calls.begin(event.output_index, event.item);
        return;
      case 'response.output_item.done':
        return yield* endItem(event);
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return yield* text.say(event.delta);
      case 'response.output_text.annotation.added':
        return sources.note(event.annotation);
      case 'response.reasoning_summary_part.added':
        return reasoning.begin();
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return yield* reasoning.say(event.delta);
      case 'response.function_call_arguments.delta':
        return yield* calls.extend(event.output_index, event.delta);
      case 'response.completed':
        yield* usageOf(event.response);
        return yield { type: 'finish', reason: calls.count() > 0 ? 'tool_calls' : 'stop' };
      case 'response.incomplete':
        yield* usageOf(event.response);
        return yield { type: 'finish', reason: whyIncomplete(event.response) };
      case 'response.failed':
        throw failure(event.response?.error ?? {});
      case 'error':
        throw failure(event);
    }
  };

  function* endItem({ output_index: index, item }: LooseEvent): Generator<Delta> {
    if (item?.type === 'image_generation_call') yield* pictures.read(item);
    if (item?.type === 'function_call') yield* calls.end(index, item);
    const data = item?.type === 'reasoning' ? encryptedReasoning(item) : null;
    if (data !== null) yield { type: 'signature', signature: { ...by, data } };
  }
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

function* usageOf(response: LooseResponse | null | undefined): Generator<Delta> {
  const {
    input_tokens,
    input_tokens_details: read,
    output_tokens,
    output_tokens_details: written,
  } = response?.usage ?? {};
  const usage = readUsage({
    input: input_tokens,
    cachedRead: read?.cached_tokens,
    output: output_tokens,
    reasoning: written?.reasoning_tokens,
  });
  if (usage) yield { type: 'usage', ...usage };
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
