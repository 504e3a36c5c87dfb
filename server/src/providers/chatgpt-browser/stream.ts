// ChatGPT as its web page calls it, which keeps conversations itself; an access token replaces the key
// (docs/rest-compat.md, Provider requests).
import { Refusal } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { conversationBody, chatGptThread, type ChatGPTThread } from './body.ts';
import { createConversationReader, type LooseEvent } from './deltas.ts';
import { reasonOfFailure } from '../failure.ts';
import { readEventData, post } from '../sse-client.ts';
import type { ProviderCall } from '../provider.ts';

export async function* streamChatGPTBrowser(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  try {
    const response = await ask(call, chatGptThread(call), signal);
    const reader = createConversationReader();
    for await (const data of readEventData(response, call.onBytes)) {
      if (data === '[DONE]') return yield* reader.done();
      yield* reader.read(JSON.parse(data) as LooseEvent | null);
    }
  } catch (error) {
    throw new Refusal(reasonOfFailure(error, call.target.endpoint));
  }
}

/** Starts a conversation again, with its earlier turns, when ChatGPT no longer knows it. */
async function ask(call: ProviderCall, thread: ChatGPTThread | null, signal: AbortSignal): Promise<Response> {
  try {
    return await send(call, thread, signal);
  } catch (error) {
    if (!thread || !isForgotten(error)) throw error;
    return send(call, null, signal);
  }
}

function send(call: ProviderCall, thread: ChatGPTThread | null, signal: AbortSignal): Promise<Response> {
  const { baseURL, apiKey, endpoint } = call.target;
  return post({
    url: baseURL,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(conversationBody(call, thread)),
    signal,
    endpoint,
  });
}

function isForgotten(error: unknown): boolean {
  return error instanceof Refusal && error.reason.type === 'provider_refused' && error.reason.status === 404;
}
