// Streams answers of Bing's chat, which keeps conversations itself: one is created over HTTP, and each question uses
// its own websocket (docs/rest-compat.md, Provider requests). Bing has shut it down; BINGAI_HOST names a server that
// still uses the protocol.
import { isJailbroken } from '@parley/schema/catalog/jailbreak';
import { Refusal, refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { chatFrames } from './chat-socket.ts';
import { createChatReader } from './deltas.ts';
import { bingThread, type BingThread } from './thread.ts';
import { chatRequest } from './request.ts';
import { reasonOfFailure } from '../failure.ts';
import type { ProviderCall, ProviderTarget } from '../provider.ts';
import { randomUUID } from 'node:crypto';
import { fetchUnredirected } from '../../platform/deadline.ts';
import { readShortJson } from '../bounded-body.ts';
import { reasonOfStatus } from '../status.ts';
import { edgeHeaders } from './headers.ts';
import { reasonOfResult, type LooseResult } from './result.ts';

/** The web page's version that uses this protocol. */
const BUNDLE = '1.1199.4';

const SIGNATURE = 'x-sydney-encryptedconversationsignature';

export async function* streamBingAI(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  try {
    const known = bingThread(call);
    const isForgotten = known ? yield* chat(call, known, signal) : true;
    if (isForgotten) yield* chatAnew(call, signal);
  } catch (error) {
    if (signal.aborted) return;
    throw new Refusal(reasonOfFailure(error, call.target.endpoint));
  }
}

async function* chatAnew(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const isForgotten = yield* chat(call, await createConversation(call, signal), signal);
  // It has just been created.
  if (isForgotten) refuse({ type: 'provider_unavailable', status: null });
}

/** Asks in a conversation, and returns whether Bing does not know it any more. */
async function* chat(call: ProviderCall, thread: BingThread, signal: AbortSignal): AsyncGenerator<Delta, boolean> {
  const reader = createChatReader(thread, { isJailbroken: isJailbroken(call), endpoint: call.target.endpoint });
  const { target, onBytes } = call;
  const frames = chatFrames({ target, thread, request: chatRequest(call, thread), signal, onBytes });
  try {
    for await (const frame of frames) {
      yield* reader.read(frame);
      if (reader.end() === 'forgotten') return true;
      if (reader.end() === 'whole') return false;
    }
  } catch (error) {
    // The credentials of an old conversation may have expired. A new conversation shows whether the cookies have.
    if (thread.isNew || reader.hasSpoken() || !isLockedOut(error)) throw error;
    return true;
  }
  if (signal.aborted) return false;
  return refuse(reader.hasSpoken() ? { type: 'provider_broke_off' } : { type: 'provider_unavailable', status: null });
}

function isLockedOut(error: unknown): boolean {
  return error instanceof Refusal && error.reason.type === 'invalid_api_key';
}

interface LooseConversation {
  conversationId?: string | null;
  clientId?: string | null;
  result?: LooseResult | null;
}

/**
 * Creates a conversation.
 * @throws Refusal with the reason when Bing returns none: the chat's old address may serve an unrelated page
 */
async function createConversation(call: ProviderCall, signal: AbortSignal): Promise<BingThread> {
  const { target } = call;
  const response = await get(target, signal);
  const { status, headers } = response;
  if (status === 404) refuse({ type: 'provider_unavailable', status });
  if (!response.ok) refuse(reasonOfStatus({ status, headers, text: '' }, target.endpoint));
  const { conversationId, clientId, result } = await readResponse(response);
  if (result?.value && result.value !== 'Success') refuse(reasonOfResult(result, target.endpoint));
  const signature = headers.get(SIGNATURE);
  if (!conversationId || !clientId || !signature) return refuse({ type: 'provider_unavailable', status });
  return {
    conversationId,
    clientId,
    signature,
    invocationId: 0,
    isNew: true,
    ...(isJailbroken(call) && { jailbreakConversationId: jailbreakIdOf(call) }),
  };
}

function get({ baseURL, apiKey }: ProviderTarget, signal: AbortSignal): Promise<Response> {
  const url = `${baseURL}/turing/conversation/create?bundleVersion=${BUNDLE}`;
  return fetchUnredirected(url, { headers: edgeHeaders(apiKey), signal }).catch(() =>
    refuse({ type: 'provider_unavailable', status: null }),
  );
}

async function readResponse(response: Response): Promise<LooseConversation> {
  try {
    return ((await readShortJson(response)) ?? {}) as LooseConversation;
  } catch {
    return {};
  }
}

function jailbreakIdOf({ thread }: ProviderCall): string {
  return String(thread?.ids.jailbreakConversationId ?? randomUUID());
}
