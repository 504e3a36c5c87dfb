// Calls OpenAI and compatible providers through the official client: chat completions, completions for older models,
// and Responses where the target asks for them.
import { asFields } from '@parley/schema/json';
import type OpenAI from 'openai';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { Refusal } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { boundedFetch } from '../bounded-body.ts';
import { reasonOfFailure } from '../failure.ts';
import { hasSignatures, knowsTools, refusesSignatures, withoutSignatures } from '../finished-calls.ts';
import { createPictureReader, keepPicture } from '../compatible/answer-pictures.ts';
import { createAnswerReader } from '../compatible/answer-text.ts';
import { createSources, type AnswerSources } from '../compatible/answer-sources.ts';
import { createEnding, type Ending } from '../compatible/finish-words.ts';
import { createRefusals } from '../compatible/refusals.ts';
import { chatBody, completionBody, isCompletionModel } from './bodies.ts';
import { connect } from './client.ts';
import { completionDeltas, createChatReader } from './deltas.ts';
import { respond } from './responses.ts';
import type { Provider, ProviderCall, ProviderTarget } from '../provider.ts';
import { toolDialects } from '../tools/dialects.ts';
import { withFittedTools } from '../tools/with-fitted-tools.ts';

/** The provider of an endpoint type with OpenAI's protocols. */
export function openAIStream(type: EndpointType): Provider {
  const dialect = type === 'custom' ? toolDialects.compatible : toolDialects.openAI;
  return withFittedTools((call, signal) => stream(type, call, signal), dialect);
}

async function* stream(type: EndpointType, call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const { target } = call;
  const responses =
    target.responses ?? (target.responsesForTools && knowsTools(call) ? target.responsesForTools : undefined);
  let isMarked = false;
  const fetch = boundedFetch(target.fetch, call.onBytes, () => void (isMarked = true));
  const ending = createEnding();
  const sources = createSources();
  try {
    const isOlder = target.forcePrompt === true || isCompletionModel(call.model);
    if (isOlder) yield* complete(await connect(target, fetch), call, ending, signal);
    else if (!responses) yield* chat(await connect(target, fetch), type, call, { ending, sources }, signal);
    else {
      const client = await connect(responsesTarget(target, responses), fetch);
      yield* respond(client, type, call, { model: responses.model, sources }, signal);
    }
    yield* sources.told();
    yield* ending.settle(isMarked && !signal.aborted);
  } catch (error) {
    yield* sources.told();
    throw new Refusal(reasonOfFailure(error, target.endpoint, target.apiKey));
  }
}

/** They may be at another address, which takes no version. */
function responsesTarget(
  { query: _version, ...target }: ProviderTarget,
  { baseURL }: NonNullable<ProviderTarget['responses']>,
): ProviderTarget {
  return { ...target, baseURL };
}

async function* chat(
  client: OpenAI,
  endpointType: EndpointType,
  call: ProviderCall,
  { ending, sources }: { ending: Ending; sources: AnswerSources },
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const offered = new Set(call.tools?.map(({ name }) => name));
  const pictures = createPictureReader();
  const by = { endpointType, model: call.model };
  const read = createChatReader(by, offered.size > 0, offered, ending, { sources, pictures });
  const answer = createAnswerReader({
    hasThoughts: call.target.isCompatible === true,
    pictures: call.keepPicture ? pictures : null,
  });
  try {
    for await (const chunk of await beginChat(client, call, signal)) {
      // Delegation would cost more turns of the microtask queue for each piece of text.
      for (const found of read(chunk))
        for (const piece of answer.read(found)) {
          const delta = piece.type === 'picture' ? await keepPicture(call, piece) : piece;
          if (delta) yield delta;
        }
    }
  } catch (error) {
    yield* kept(call, answer.flush());
    throw error;
  }
  yield* kept(call, answer.flush());
}

async function* kept(call: ProviderCall, pieces: readonly Delta[]): AsyncGenerator<Delta> {
  for (const piece of pieces) {
    const delta = piece.type === 'picture' ? await keepPicture(call, piece) : piece;
    if (delta) yield delta;
  }
}

/** Sends a body; to a server that is only compatible, without what it refuses. */
function withoutRefused<Body extends object, Chunk>(
  call: ProviderCall,
  body: Body,
  send: (body: Body) => Promise<AsyncIterable<Chunk>>,
): Promise<AsyncIterable<Chunk>> {
  const { isCompatible, refusals = createRefusals() } = call.target;
  return isCompatible ? refusals.ask(call, body, async (plain) => begun(await send(plain))) : send(body);
}

/** The chunks of an answer that has begun: some servers refuse a request in the first one. */
async function begun<Chunk>(answer: AsyncIterable<Chunk>): Promise<AsyncIterable<Chunk>> {
  const chunks = answer[Symbol.asyncIterator]();
  let first: IteratorResult<Chunk> | null = await chunks.next();
  // No generator, which would cost more turns of the microtask queue for each chunk.
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const result = first ? Promise.resolve(first) : chunks.next();
        first = null;
        return result;
      },
      async return() {
        await chunks.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}

/**
 * A request with tools is sent again where that mends it: without reasoning for models that take tools only so, and
 * without signatures that the provider does not take back.
 */
async function beginChat(client: OpenAI, call: ProviderCall, signal: AbortSignal) {
  let asked = call;
  let effort = {};
  for (;;) {
    try {
      return await withoutRefused(call, { ...chatBody(asked), ...effort }, (body) =>
        // Always read as a stream, also where the server refuses to send one.
        client.chat.completions.create({ ...body, stream: true }, { signal, body }),
      );
    } catch (error) {
      const { status, message } = failureIn(error);
      if (hasSignatures(asked) && refusesSignatures(status, message)) asked = withoutSignatures(asked);
      else if ('reasoning_effort' in effort || !refusesReasoning(call, status, message)) throw error;
      else effort = { reasoning_effort: 'none' };
    }
  }
}

function refusesReasoning({ tools = [] }: ProviderCall, status: unknown, message: string): boolean {
  return tools.length > 0 && status === 400 && /reasoning_effort/.test(message) && /tools/.test(message);
}

function failureIn(error: unknown): { status: unknown; message: string } {
  const { status } = asFields(error);
  return { status, message: error instanceof Error ? error.message : '' };
}

async function* complete(
  client: OpenAI,
  call: ProviderCall,
  ending: Ending,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const stream = await withoutRefused(call, completionBody(call), (body) =>
    client.completions.create(body, { signal }),
  );
  for await (const chunk of stream) yield* completionDeltas(chunk, ending);
}
