import { Id } from '@parley/schema/ids';
import { derivedId } from '../derived-id.ts';
import type { Api } from '../router.ts';
import { refusedWith } from './refused.ts';

interface Asked {
  messageId?: string | null | undefined;
  conversationId?: string | null | undefined;
  overrideParentMessageId?: string | null | undefined;
}

/** Whether the conversation of an ask is still to be made. */
export function isNew({ conversationId }: Asked): boolean {
  return !conversationId || conversationId === 'new';
}

/** The conversation that a question begins. */
export function begunBy(userId: string, messageId: string): string {
  return derivedId(userId, messageId, 'convo');
}

/**
 * An ask for another answer, as it is to be read. The question may be one that only the client has, refused and not
 * kept: it is asked for the first time then, under the ids that it was refused with. A client that was told of no
 * conversation means the one that the question begins.
 */
export async function withQuestion<Wire extends Asked>(api: Api, userId: string, wire: Wire): Promise<Wire> {
  const messageId = Id.safeParse(wire.overrideParentMessageId).data;
  if (!messageId) return wire;
  const own = begunBy(userId, messageId);
  const conversationId = isNew(wire) ? own : (wire.conversationId ?? own);
  // Another conversation than its own that is not there is a deleted one; that, and all else, the ask itself says.
  const isKept = await hasMessage(api, conversationId, messageId).catch(
    (error: unknown) => conversationId !== own || !isNotFound(error),
  );
  return isKept ? { ...wire, conversationId } : { ...wire, conversationId, messageId, overrideParentMessageId: null };
}

/**
 * Whether there is nothing that a question could stand below. A client whose first question was refused and not kept
 * goes on below it, in the conversation that it was told of: what it asks then is the first question there.
 */
export async function isBelowNothing(api: Api, wire: Asked): Promise<boolean> {
  if (isNew(wire)) return true;
  const conversationId = Id.safeParse(wire.conversationId).data;
  if (!conversationId) return false;
  return api.convos.byId({ conversationId }).then(() => false, isNotFound);
}

function isNotFound(error: unknown): boolean {
  return refusedWith(error)?.reason.type === 'not_found';
}

async function hasMessage(api: Api, conversationId: string, messageId: string): Promise<boolean> {
  const found = await api.messages.bodies({ conversationId, messageIds: [messageId] });
  return found.length > 0;
}
