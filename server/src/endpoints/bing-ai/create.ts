import { isJailbroken } from '@parley/schema/jailbreak';
import { randomUUID } from 'node:crypto';
import { refuse } from '../../errors.ts';
import type { ProviderCall, Upstream } from '../provider.ts';
import { reasonOfStatus } from '../status.ts';
import { edgeHeaders } from './headers.ts';
import type { BingPlace } from './place.ts';
import { reasonOfResult, type LooseResult } from './result.ts';

/** The web page's version that speaks this wire. */
const BUNDLE = '1.1199.4';
const SIGNATURE = 'x-sydney-encryptedconversationsignature';

interface LooseConversation {
  conversationId?: string | null;
  clientId?: string | null;
  result?: LooseResult | null;
}

/**
 * A new conversation.
 * @throws Refusal with the reason when Bing gives none: where its chat used to be there may be a page of another kind
 */
export async function createConversation(call: ProviderCall, signal: AbortSignal): Promise<BingPlace> {
  const { upstream } = call;
  const response = await get(upstream, signal);
  const { status, headers } = response;
  if (status === 404) refuse({ type: 'provider_unavailable', status });
  if (!response.ok) refuse(reasonOfStatus({ status, headers, text: '' }, upstream.endpoint));
  const { conversationId, clientId, result } = await answerOf(response);
  if (result?.value && result.value !== 'Success') refuse(reasonOfResult(result, upstream.endpoint));
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

function get({ baseURL, apiKey }: Upstream, signal: AbortSignal): Promise<Response> {
  const url = `${baseURL}/turing/conversation/create?bundleVersion=${BUNDLE}`;
  return fetch(url, { headers: edgeHeaders(apiKey), signal, redirect: 'error' }).catch(() =>
    refuse({ type: 'provider_unavailable', status: null }),
  );
}

async function answerOf(response: Response): Promise<LooseConversation> {
  try {
    return ((await response.json()) ?? {}) as LooseConversation;
  } catch {
    return {};
  }
}

function jailbreakIdOf({ upstreamPlace }: ProviderCall): string {
  return String(upstreamPlace?.ids.jailbreakConversationId ?? randomUUID());
}
