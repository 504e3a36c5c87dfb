import { AskManyInput } from '@parley/schema/chat/ask-many';
import { GoOnWith, SetColumns } from '@parley/schema/chat/columns-inputs';
import { withServices } from '../../http/trpc.ts';
import type { ChatServices } from '../chat-services.ts';
import type { Db, Query } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import type { Compared } from '@parley/schema/chat/columns';
import type { Convo } from '@parley/schema/convos/convos';
import { and, count, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { nextChange } from '../../convos/changes.ts';
import { presentConvo } from '../../convos/present.ts';
import { ownedBy, touchMessages } from '../../convos/rows.ts';
import { assertMessage } from '../../messages/thread.ts';
import { refuse } from '../../platform/errors.ts';

const { protectedProcedure } = withServices<ChatServices>();

/** Stand in `messages`. */
export const askManyProcedures = {
  /** Asks several models at once; idempotent by the client's ids. `attach` streams the events of each. */
  askMany: protectedProcedure.input(AskManyInput).mutation(async ({ ctx, input }) => {
    const created = await ctx.deps.askService.askMany(ctx.user.id, input, { client: ctx.client });
    return created.map(({ request, reply, convo }, place) => ({
      generationId: input.asks[place]?.generationId ?? '',
      request,
      reply,
      convo,
    }));
  }),
};

/** Are `compare`. */
export const compareProcedures = {
  /** Counts how often the person continued with which model's answer. */
  mine: protectedProcedure.query(({ ctx }) => listCompared(ctx.deps.db.query, ctx.user.id)),

  goOn: protectedProcedure.input(GoOnWith).mutation(({ ctx, input }) => goOnWith(ctx.deps.db, ctx.user.id, input)),
};

/** Stand in `convos`. */
export const columnsProcedures = {
  setColumns: protectedProcedure
    .input(SetColumns)
    .mutation(({ ctx, input }) => setColumns(ctx.deps.db, ctx.user.id, input)),
};

// Which replies stand side by side, and which of them the conversation goes on with.

/**
 * Puts replies side by side, or ends that without choosing one.
 * @throws Refusal `not_found`
 */
async function setColumns({ query }: Db, userId: string, { conversationId, columns }: SetColumns): Promise<Convo> {
  return query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    for (const { replyId } of columns ?? []) await assertMessage(tx, { userId, convoId: conversationId }, replyId);
    const [row] = await tx
      .update(convos)
      .set({ columns: columns as typeof convos.$inferInsert.columns, changeSeq })
      .where(and(ownedBy(userId), eq(convos.id, conversationId)))
      .returning();
    return presentConvo(row ?? refuse({ type: 'not_found', what: 'convo' }));
  });
}

/**
 * Goes on with one reply: the conversation has its model, the others stay as siblings. The choice is kept with the
 * messages, and goes nowhere else.
 * @throws Refusal `not_found`, or `conflict` for a reply that does not stand beside others
 */
async function goOnWith({ query }: Db, userId: string, { conversationId, replyId }: GoOnWith): Promise<Convo> {
  return query.transaction(async (tx) => {
    const convo = await touchMessages(tx, userId, conversationId);
    const reply = await assertMessage(tx, { userId, convoId: conversationId }, replyId);
    const column = convo.columns?.find((one) => one.replyId === reply.id);
    if (!column) refuse({ type: 'conflict', text: 'This answer does not stand beside others' });
    const beside = convo.columns?.map((one) => one.replyId) ?? [];
    await tx
      .update(messages)
      // Browsers load a message again when it is newer than what they have.
      .set({ isChosen: sql`${messages.id} = ${replyId}`, updatedAt: sql`now()` })
      .where(
        and(
          eq(messages.userId, userId),
          eq(messages.convoId, conversationId),
          // Of the answers to one question one is chosen: anyone who chooses again has changed their mind.
          or(
            inArray(messages.id, beside),
            reply.parentId ? and(eq(messages.parentId, reply.parentId), isNotNull(messages.isChosen)) : undefined,
          ),
        ),
      );
    const { endpoint, model, settings } = column;
    const [row] = await tx
      .update(convos)
      .set({ columns: null, endpoint, endpointType: reply.endpointType, model, settings })
      .where(and(ownedBy(userId), eq(convos.id, conversationId)))
      .returning();
    return presentConvo(row ?? refuse({ type: 'not_found', what: 'convo' }));
  });
}

/**
 * Counts how often this person continued with which model. An answer that failed was no choice, and what is deleted
 * does not count, also while it can be restored.
 */
async function listCompared(query: Query, userId: string): Promise<Compared[]> {
  const { endpoint, model, isChosen } = messages;
  const chosen = sql<number>`count(*) filter (where ${isChosen})`.mapWith(Number);
  return query
    .select({ endpoint, model, answers: count(), chosen })
    .from(messages)
    .innerJoin(convos, and(eq(convos.userId, messages.userId), eq(convos.id, messages.convoId)))
    .where(
      and(
        eq(messages.userId, userId),
        isNotNull(isChosen),
        or(isNull(messages.reason), eq(isChosen, true)),
        isNull(messages.deletedAt),
        isNull(convos.deletedAt),
      ),
    )
    .groupBy(endpoint, model)
    .orderBy(desc(chosen), desc(count()), endpoint, model);
}
