// REST clients may refer to a question that was refused and never stored; this restores its ids.
import { Id } from '@parley/schema/ids';
import { derivedId } from '../../platform/derived-id.ts';
import type { Api } from '../../router.ts';
import { refusedRequest } from '../errors.ts';

interface Asked {
  messageId?: string | null | undefined;
  conversationId?: string | null | undefined;
  overrideParentMessageId?: string | null | undefined;
}

/** Whether the ask starts a new conversation. */
export function isNew({ conversationId }: Asked): boolean {
  return !conversationId || conversationId === 'new';
}

/** The id of the conversation that a question starts. */
export function convoIdStartedBy(userId: string, messageId: string): string {
  return derivedId(userId, messageId, 'convo');
}

/**
 * Prepares a request to regenerate. The question may exist only in the client, if it was refused and not stored: then
 * it is asked for the first time, under the same ids. Without a conversation id the conversation is the one that the
 * question starts.
 */
export async function withMissingQuestion<Ask extends Asked>(api: Api, userId: string, ask: Ask): Promise<Ask> {
  const messageId = Id.safeParse(ask.overrideParentMessageId).data;
  if (!messageId) return ask;
  const own = convoIdStartedBy(userId, messageId);
  const conversationId = isNew(ask) ? own : (ask.conversationId ?? own);
  // Any other missing conversation was deleted; the ask itself refuses that.
  const isKept = await hasMessage(api, conversationId, messageId).catch(
    (error: unknown) => conversationId !== own || !isNotFound(error),
  );
  return isKept ? { ...ask, conversationId } : { ...ask, conversationId, messageId, overrideParentMessageId: null };
}

/**
 * Whether the parent is missing. A client whose first question was refused and not stored continues below it, in the
 * conversation id it was given: its next question is then the first one there.
 */
export async function hasNoParentConvo(api: Api, ask: Asked): Promise<boolean> {
  if (isNew(ask)) return true;
  const conversationId = Id.safeParse(ask.conversationId).data;
  if (!conversationId) return false;
  return api.convos.byId({ conversationId }).then(() => false, isNotFound);
}

function isNotFound(error: unknown): boolean {
  return refusedRequest(error)?.reason.type === 'not_found';
}

async function hasMessage(api: Api, conversationId: string, messageId: string): Promise<boolean> {
  const found = await api.messages.bodies({ conversationId, messageIds: [messageId] });
  return found.length > 0;
}
