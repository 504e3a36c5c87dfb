// The written log of a generation: what a reply that is being written holds so far.
import type { Db } from '@parley/db/client';
import { generationEvents } from '@parley/db/tables/generations';
import type { Entry } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import type { Message } from '@parley/schema/messages/messages';
import { and, asc, eq, gt } from 'drizzle-orm';

/** The written log of a generation after `afterSeq`, in order. */
export async function readEntries({ query }: Db, generationId: string, afterSeq: number): Promise<Entry[]> {
  return query
    .select({ seq: generationEvents.seq, event: generationEvents.event })
    .from(generationEvents)
    .where(and(eq(generationEvents.generationId, generationId), gt(generationEvents.seq, afterSeq)))
    .orderBy(asc(generationEvents.seq));
}

/** Folds the entries into the reply. */
export function foldAll(reply: Message, entries: readonly Entry[]): Message {
  let told = reply;
  try {
    for (const { event } of entries) if (event.type !== 'created') told = fold(told, event);
  } catch {
    // A damaged row must not block the conversation or leave the reply unfinished for ever.
  }
  return told;
}

/** The messages, of which those that are being written have the text of their logs so far. */
export async function withWritten(db: Db, running: string | null, thread: readonly Message[]): Promise<Message[]> {
  const logs = new Map<string, readonly Entry[]>();
  for (const { generationId, unfinished, finishReason } of thread) {
    const isWritten = generationId === running || (unfinished && finishReason === null);
    if (running === null || generationId === null || !isWritten) continue;
    logs.set(generationId, await readEntries(db, generationId, 0));
  }
  return thread.map((message) => foldAll(message, logs.get(message.generationId ?? '') ?? []));
}
