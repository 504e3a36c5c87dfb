// Bing's chat, which keeps conversations itself: one is created by HTTP, each question is asked by a websocket of its
// own (E.2 of the REST facts). Bing has shut it down; whoever still speaks its wire is reached by BINGAI_HOST.
import { isJailbroken } from '@parley/schema/jailbreak';
import { Refusal, refuse } from '../errors.ts';
import type { Delta } from '../generation/delta.ts';
import { chatFrames } from './bing-ai/chat-socket.ts';
import { createConversation } from './bing-ai/create.ts';
import { createChatReader } from './bing-ai/deltas.ts';
import { placeOf, type BingPlace } from './bing-ai/place.ts';
import { chatRequest } from './bing-ai/request.ts';
import { reasonOfFailure } from './failure.ts';
import type { ProviderCall } from './provider.ts';

export async function* bingAI(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  try {
    const known = placeOf(call);
    const isForgotten = known ? yield* chat(call, known, signal) : true;
    if (isForgotten) yield* chatAnew(call, signal);
  } catch (error) {
    if (signal.aborted) return;
    throw new Refusal(reasonOfFailure(error, call.upstream.endpoint));
  }
}

async function* chatAnew(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const isForgotten = yield* chat(call, await createConversation(call, signal), signal);
  // It was made a moment ago.
  if (isForgotten) refuse({ type: 'provider_unavailable', status: null });
}

/** Asks in a conversation, and returns whether Bing does not know it any more. */
async function* chat(call: ProviderCall, place: BingPlace, signal: AbortSignal): AsyncGenerator<Delta, boolean> {
  const reader = createChatReader(place, { isJailbroken: isJailbroken(call), endpoint: call.upstream.endpoint });
  const frames = chatFrames({ upstream: call.upstream, place, request: chatRequest(call, place), signal });
  try {
    for await (const frame of frames) {
      yield* reader.read(frame);
      if (reader.end() === 'forgotten') return true;
      if (reader.end() === 'whole') return false;
    }
  } catch (error) {
    // What let into an old conversation may have expired. Whether it is the cookies, a new one will tell.
    if (place.isNew || reader.hasSpoken() || !isLockedOut(error)) throw error;
    return true;
  }
  if (signal.aborted) return false;
  return refuse(reader.hasSpoken() ? { type: 'provider_broke_off' } : { type: 'provider_unavailable', status: null });
}

function isLockedOut(error: unknown): boolean {
  return error instanceof Refusal && error.reason.type === 'invalid_api_key';
}
