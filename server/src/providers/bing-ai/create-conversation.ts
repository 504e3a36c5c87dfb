import { randomUUID } from 'node:crypto';
import { isJailbroken } from '@parley/schema/catalog/jailbreak';
import { fetchUnredirected } from '../../platform/deadline.ts';
import { refuse } from '../../platform/errors.ts';
import { readShortJson } from '../bounded-body.ts';
import type { ProviderCall, ProviderTarget } from '../provider.ts';
import { reasonOfStatus } from '../status.ts';
import { edgeHeaders } from './headers.ts';
import type { BingThread } from './thread.ts';
import { reasonOfResult, type LooseResult } from './result.ts';

/** The web page's version that uses this protocol. */
const BUNDLE = '1.1199.4';
const SIGNATURE = 'x-sydney-encryptedconversationsignature';

interface LooseConversation {
  conversationId?: string | null;
  clientId?: string | null;
  result?: LooseResult | null;
}

/**
 * Creates a conversation.
 * @throws Refusal with the reason when Bing returns none: the chat's old address may serve an unrelated page
 */
export async function createConversation(call: ProviderCall, signal: AbortSignal): Promise<BingThread> {
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
