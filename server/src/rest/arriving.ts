import type { FinalEvent } from '@parley/schema/events';
import type { Api } from '../router.ts';
import type { Read } from './ask-input.ts';
import { eventOf } from './exchange-frames.ts';
import { refusedWith } from './refused.ts';
import { isNew } from './unkept-question.ts';

/** An ask whose client has not been told of it yet, and can call it only by its conversation, if that is there. */
interface Arriving {
  conversationId: string | null;
  reading: Promise<Read>;
  begun: Promise<unknown>;
}

/** Those of this process, by user, the newest last. What another process is asked is stopped there once it has begun. */
const asks = new Map<string, Arriving[]>();

/** Keeps an ask in mind until it has begun or was refused. */
export function keepArriving(userId: string, one: Arriving): void {
  asks.set(userId, [...(asks.get(userId) ?? []), one]);
  const forget = () => {
    const others = asks.get(userId)?.filter((other) => other !== one) ?? [];
    if (others.length > 0) asks.set(userId, others);
    else asks.delete(userId);
  };
  one.begun.then(forget, forget);
}

/** The conversation that a client names in what it asks; null for one that is to be made. */
export function conversationOf({ conversationId }: { conversationId?: unknown }): string | null {
  return typeof conversationId === 'string' && !isNew({ conversationId }) ? conversationId.toLowerCase() : null;
}

/** Stops the newest ask on its way that `key` can mean: a conversation, or any for who knows of none yet. */
export async function stopArriving(api: Api, userId: string, key: string): Promise<FinalEvent | null> {
  const isAny = key === userId || isNew({ conversationId: key });
  const one = asks.get(userId)?.findLast(({ conversationId }) => isAny || conversationId === key.toLowerCase());
  const read = await one?.reading.catch(() => null);
  if (!one || !read) return null;
  const { generationId } = read.input;
  // Heard when it begins, however long that takes.
  await api.messages.abort({ generationId });
  const hasBegun = await one.begun.then(() => true, isRefused);
  return hasBegun ? endOf(api, generationId) : null;
}

/** Why it was refused, its own client is told. */
function isRefused(error: unknown): false {
  if (!refusedWith(error)) throw error;
  return false;
}

async function endOf(api: Api, generationId: string): Promise<FinalEvent | null> {
  for await (const told of await api.messages.attach({ generationId })) {
    const event = eventOf(told);
    if (event.type === 'final') return event;
  }
  return null;
}
