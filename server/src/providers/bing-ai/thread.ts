// The position in a conversation with Bing.
import type { ThreadIds } from '@parley/schema/chat/provider-thread';
import { isJailbroken } from '@parley/schema/catalog/jailbreak';
import type { ProviderCall } from '../provider.ts';

export interface BingThread {
  conversationId: string;
  clientId: string;
  /** Authorises access to the conversation. */
  signature: string;
  /** The number of questions asked so far. */
  invocationId: number;
  /** True for a new conversation, which needs the earlier turns as context. */
  isNew: boolean;
  /** The id of a conversation without Bing's guards: each of its questions is a new conversation at Bing. */
  jailbreakConversationId?: string;
}

/**
 * The conversation Bing can continue. Undefined when there is none: Bing's conversations have no branches, and one
 * without guards starts anew with every question.
 */
export function bingThread(call: ProviderCall): BingThread | undefined {
  const { ids, isNewest } = call.thread ?? { ids: {}, isNewest: false };
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

/** The ids to save with an answer, under the names REST clients know (docs/rest-compat.md, Messages). */
export function bingThreadIds(thread: BingThread): ThreadIds {
  const { conversationId, clientId, signature, invocationId, jailbreakConversationId } = thread;
  return {
    bingConversationId: conversationId,
    clientId,
    conversationSignature: signature,
    invocationId: invocationId + 1,
    ...(jailbreakConversationId !== undefined && { jailbreakConversationId }),
  };
}
