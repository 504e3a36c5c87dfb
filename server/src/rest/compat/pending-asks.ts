// Asks that have not begun, so that REST clients can abort them already.
import type { FinalEvent } from '@parley/schema/generation/events';
import type { Api } from '../../router.ts';
import type { ReadAsk } from './ask-input.ts';
import { trackedEvent } from '../present/exchange-frames.ts';
import { refusedRequest } from '../errors.ts';
import { isNew } from './missing-question.ts';

/** An ask that has not begun: its client can name it only by its conversation, if there is one. */
interface PendingAsk {
  conversationId: string | null;
  reading: Promise<ReadAsk>;
  begun: Promise<unknown>;
}

/** The pending asks of this process by user, newest last. Another process stops its own when they begin. */
const asks = new Map<string, PendingAsk[]>();

/** Tracks an ask until it begins or is refused. */
export function trackPendingAsk(userId: string, one: PendingAsk): void {
  asks.set(userId, [...(asks.get(userId) ?? []), one]);
  const forget = () => {
    const others = asks.get(userId)?.filter((other) => other !== one) ?? [];
    if (others.length > 0) asks.set(userId, others);
    else asks.delete(userId);
  };
  one.begun.then(forget, forget);
}

/** The conversation id in the body; null for a new conversation. */
export function bodyConversationId({ conversationId }: { conversationId?: unknown }): string | null {
  return typeof conversationId === 'string' && !isNew({ conversationId }) ? conversationId.toLowerCase() : null;
}

/** Stops the newest pending ask that matches `key`: a conversation id, or the user's id for any ask. */
export async function stopPendingAsk(api: Api, userId: string, key: string): Promise<FinalEvent | null> {
  const isAny = key === userId || isNew({ conversationId: key });
  const one = asks.get(userId)?.findLast(({ conversationId }) => isAny || conversationId === key.toLowerCase());
  const read = await one?.reading.catch(() => null);
  if (!one || !read) return null;
  const { generationId } = read.input;
  // Takes effect when the run begins, however long that takes.
  await api.messages.abort({ generationId });
  const hasBegun = await one.begun.then(() => true, isRefused);
  return hasBegun ? endOf(api, generationId) : null;
}

/** The asking client gets the reason. */
function isRefused(error: unknown): false {
  if (!refusedRequest(error)) throw error;
  return false;
}

async function endOf(api: Api, generationId: string): Promise<FinalEvent | null> {
  for await (const sent of await api.messages.attach({ generationId })) {
    const event = trackedEvent(sent);
    if (event.type === 'final') return event;
  }
  return null;
}
