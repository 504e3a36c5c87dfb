// Calls Anthropic's Messages API through the official client, and the completions call for its first models.
import type Anthropic from '@anthropic-ai/sdk';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { asFields } from '@parley/schema/json';
import { Refusal } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { completionBody, messagesBody } from './bodies.ts';
import { completionDeltas, createMessageReader, type CompletionEvent } from './deltas.ts';
import { boundedFetch } from '../bounded-body.ts';
import { reasonOfFailure } from '../failure.ts';
import { hasSignatures, refusesSignatures, withoutSignatures } from '../finished-calls.ts';
import type { ProviderCall } from '../provider.ts';

export async function* streamAnthropic(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const client = await connect(call);
  try {
    yield* isOlder(call) ? complete(client, call, signal) : talk(client, call, signal);
  } catch (error) {
    throw new Refusal(reasonOfFailure(error, call.target.endpoint, call.target.apiKey));
  }
}

/**
 * The version that accepts temperature, top_p and top_k and that gateways use; the client's own, later one does not.
 */
const VERSION = '2023-06-01';

async function connect({ target: { baseURL, apiKey, headers, fetch }, onBytes }: ProviderCall): Promise<Anthropic> {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const spoken = { 'anthropic-version': VERSION, 'x-api-key': apiKey, authorization: null, ...headers };
  // No retries and no logging by the client, as with OpenAI's.
  return new Anthropic({
    baseURL,
    apiKey,
    defaultHeaders: spoken,
    maxRetries: 0,
    logLevel: 'off',
    fetch: boundedFetch(fetch, onBytes),
  });
}

function isOlder({ target, model }: ProviderCall): boolean {
  return target.forcePrompt === true && /^claude-(?:[12]|instant)\b/.test(model);
}

async function* talk(client: Anthropic, call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const read = createMessageReader(call.model, (call.tools ?? []).length > 0);
  for await (const event of await begin(client, call, signal)) yield* read(event);
}

/** Reasoning that Anthropic does not take back, as that signed elsewhere, is left out of a second request. */
async function begin(client: Anthropic, call: ProviderCall, signal: AbortSignal) {
  try {
    return await client.messages.create(messagesBody(call), { signal });
  } catch (error) {
    const { status, message } = asFields(error);
    if (!hasSignatures(call) || !refusesSignatures(status, String(message))) throw error;
    return client.messages.create(messagesBody(withoutSignatures(call)), { signal });
  }
}

async function* complete(client: Anthropic, call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const stream = await client.post<AsyncIterable<CompletionEvent | RawMessageStreamEvent>>('/v1/complete', {
    body: completionBody(call),
    stream: true,
    signal,
  });
  for await (const event of stream) yield* completionDeltas(event);
}
