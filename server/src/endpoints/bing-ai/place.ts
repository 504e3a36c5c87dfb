// Where a conversation with Bing stands.
import type { UpstreamIds } from '@parley/schema/upstream';
import { isJailbroken } from '@parley/schema/jailbreak';
import type { ProviderCall } from '../provider.ts';

export interface BingPlace {
  conversationId: string;
  clientId: string;
  /** Lets its holder into the conversation. */
  signature: string;
  /** How many questions were asked in it. */
  invocationId: number;
  /** Nothing was said in it, so that it has to hear what was said elsewhere. */
  isNew: boolean;
  /** What a conversation without Bing's guards is called: each question of it is a new conversation there. */
  jailbreakConversationId?: string;
}

/**
 * Where Bing goes on from. Undefined when it cannot: a conversation there is one line without branches, and one without
 * its guards is begun with every question.
 */
export function placeOf(call: ProviderCall): BingPlace | undefined {
  const { ids, isNewest } = call.upstreamPlace ?? { ids: {}, isNewest: false };
  const { bingConversationId, clientId, conversationSignature, invocationId } = ids;
  if (!isNewest || isJailbroken(call) || ids.jailbreakConversationId !== undefined) return undefined;
  if (!bingConversationId || !clientId || !conversationSignature || typeof invocationId !== 'number') return undefined;
  return {
    conversationId: String(bingConversationId),
    clientId: String(clientId),
    signature: String(conversationSignature),
    invocationId,
    isNew: false,
  };
}

/** What is kept of it once a question is being answered, under the names of the wire (A.4 of the REST facts). */
export function idsOf(place: BingPlace): UpstreamIds {
  const { conversationId, clientId, signature, invocationId, jailbreakConversationId } = place;
  return {
    bingConversationId: conversationId,
    clientId,
    conversationSignature: signature,
    invocationId: invocationId + 1,
    ...(jailbreakConversationId !== undefined && { jailbreakConversationId }),
  };
}
