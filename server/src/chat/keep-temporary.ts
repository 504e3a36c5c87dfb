// Makes a temporary conversation one that stays: it is listed, found by searches and gets a title.
import { convos } from '@parley/db/tables/convos';
import type { Convo } from '@parley/schema/convos/convos';
import type { FinalEvent } from '@parley/schema/generation/events';
import { and, eq } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { presentConvo, type ConvoRow } from '../convos/present.ts';
import { ownedBy } from '../convos/rows.ts';
import { presentMessage } from '../messages/present.ts';
import { listThread } from '../messages/thread.ts';
import { refuse } from '../platform/errors.ts';
import { writeEntries } from '../search/temporary.ts';
import type { ChatServices } from './chat-services.ts';

/** Does nothing to a conversation that stays already. @throws Refusal `not_found` */
export async function keepTemporary(deps: ChatServices, userId: string, id: string): Promise<Convo> {
  const { db, endpoints, titles } = deps;
  const { kept, wasTemporary } = await db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const [before] = await tx
      .select()
      .from(convos)
      .where(and(ownedBy(userId), eq(convos.id, id)))
      .for('update');
    if (!before) return refuse({ type: 'not_found', what: 'convo' });
    if (before.temporaryUntil === null) return { kept: before, wasTemporary: false };
    const [row] = await tx
      .update(convos)
      .set({ temporaryUntil: null, changeSeq })
      .where(and(eq(convos.userId, userId), eq(convos.id, id)))
      .returning();
    await writeEntries(tx, userId, id);
    return { kept: row ?? before, wasTemporary: true };
  });
  // The end of a run that is still writing gives a title itself.
  if (wasTemporary && kept.running === null && kept.titledBy === null) {
    const exchange = await firstExchange(deps, kept);
    const listed = endpoints.list().find(({ name }) => name === kept.endpoint);
    // An assistant that is gone leaves the conversation without a title.
    const responder = listed && (await deps.findResponder(userId, listed, kept).catch(() => null));
    if (exchange && responder) titles.give(userId, exchange, responder.endpoint);
  }
  return presentConvo(kept);
}

/** Reads the first question and its newest answer. */
async function firstExchange({ db }: ChatServices, convo: ConvoRow): Promise<FinalEvent | null> {
  const thread = (await listThread(db.query, convo.userId, convo.id)).map(presentMessage);
  const request = thread.find((message) => message.isCreatedByUser);
  const reply = thread.findLast((message) => message.parentMessageId === request?.messageId);
  return request && reply ? { type: 'final', request, reply, convo: presentConvo(convo) } : null;
}
