// ChatGPT as its web page has it, which keeps conversations itself: an access token in place of a key (E.3 of the REST
// facts).
import { Refusal } from '../errors.ts';
import type { Delta } from '../generation/delta.ts';
import { conversationBody, placeOf, type ChatGPTPlace } from './chatgpt-browser/body.ts';
import { createConversationReader, type LooseEvent } from './chatgpt-browser/deltas.ts';
import { reasonOfFailure } from './failure.ts';
import { dataOf, post } from './plain-wire.ts';
import type { ProviderCall } from './provider.ts';

export async function* chatGPTBrowser(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  try {
    const response = await ask(call, placeOf(call), signal);
    const reader = createConversationReader();
    for await (const data of dataOf(response)) {
      if (data === '[DONE]') return yield* reader.done();
      yield* reader.read(JSON.parse(data) as LooseEvent | null);
    }
  } catch (error) {
    throw new Refusal(reasonOfFailure(error, call.upstream.endpoint));
  }
}

/** A conversation that ChatGPT does not know any more is begun anew, with what was said in it. */
async function ask(call: ProviderCall, place: ChatGPTPlace | null, signal: AbortSignal): Promise<Response> {
  try {
    return await send(call, place, signal);
  } catch (error) {
    if (!place || !isForgotten(error)) throw error;
    return send(call, null, signal);
  }
}

function send(call: ProviderCall, place: ChatGPTPlace | null, signal: AbortSignal): Promise<Response> {
  const { baseURL, apiKey, endpoint } = call.upstream;
  return post({
    url: baseURL,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(conversationBody(call, place)),
    signal,
    endpoint,
  });
}

function isForgotten(error: unknown): boolean {
  return error instanceof Refusal && error.reason.type === 'provider_refused' && error.reason.status === 404;
}
