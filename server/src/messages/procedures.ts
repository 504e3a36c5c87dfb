import { ConvoRef } from '@parley/schema/convos/convos';
import { Id } from '@parley/schema/ids';
import { EditMessage, MessageRef, RateMessage, SaveMessage } from '@parley/schema/messages/message-inputs';
import { OpenThread, ReadBodies } from '@parley/schema/messages/thread-inputs';
import { withServices, writtenInSlices } from '../http/trpc.ts';
import { listBodies } from './bodies.ts';
import { countQuestions } from './count-questions.ts';
import { editMessage } from './edit.ts';
import { listMessages } from './list.ts';
import { listMessageIds, openThread } from './outline.ts';
import { rateMessage } from './rate.ts';
import { pruneBranch, removeMessage } from './remove.ts';
import { saveMessage } from './save.ts';
import { modelTotals } from './total.ts';

const { protectedProcedure } = withServices<{
  askService: { retryAfterRecovery<T>(work: () => Promise<T>): Promise<T> };
}>();

/** tRPC procedures on stored messages; `chat/router.ts` adds those that call models. */
export const messageProcedures = {
  /** Lists all messages of a conversation, oldest first. */
  list: protectedProcedure
    .use(writtenInSlices)
    .input(ConvoRef)
    .query(({ ctx, input }) => listMessages(ctx.deps, ctx.user.id, input.conversationId)),

  /** The outline of a conversation, with the messages around where it opens. */
  open: protectedProcedure
    .use(writtenInSlices)
    .input(OpenThread)
    .query(({ ctx, input }) => openThread(ctx.deps.db, ctx.user.id, input)),

  /** The ids of its messages, oldest first. */
  ids: protectedProcedure
    .input(ConvoRef)
    .query(({ ctx, input }) => listMessageIds(ctx.deps.db, ctx.user.id, input.conversationId)),

  /** Some of its messages, oldest first. */
  bodies: protectedProcedure
    .use(writtenInSlices)
    .input(ReadBodies)
    .query(({ ctx, input }) => listBodies(ctx.deps.db, ctx.user.id, input.conversationId, input.messageIds)),

  /**
   * Counts the tokens of some uncounted questions: asks do not wait for a tokenizer, and only API clients need the
   * counts.
   */
  countQuestions: protectedProcedure
    .input(ConvoRef.extend({ messageId: Id.optional() }))
    .mutation(({ ctx, input }) => countQuestions(ctx.deps.db, ctx.user.id, input)),

  /** Replaces the text of a message. */
  edit: protectedProcedure.input(EditMessage).mutation(({ ctx, input }) => {
    const { db, askService } = ctx.deps;
    return askService.retryAfterRecovery(() => editMessage(db, ctx.user.id, input));
  }),

  /** What its answers have taken, by model. */
  total: protectedProcedure
    .input(ConvoRef)
    .query(({ ctx, input }) => modelTotals(ctx.deps.db.query, ctx.user.id, input.conversationId)),

  /** Thumbs up or down for a reply. */
  rate: protectedProcedure
    .input(RateMessage)
    .mutation(({ ctx, input }) => rateMessage(ctx.deps.db, ctx.user.id, input)),

  /** Saves a message into a conversation without calling a model. */
  save: protectedProcedure.input(SaveMessage).mutation(({ ctx, input }) => {
    const { db, askService } = ctx.deps;
    return askService.retryAfterRecovery(() => saveMessage(db, ctx.user.id, input));
  }),

  /** Deletes one message; its children move to its parent. */
  remove: protectedProcedure.input(MessageRef).mutation(({ ctx, input }) => {
    const { db, askService } = ctx.deps;
    return askService.retryAfterRecovery(() => removeMessage(db, ctx.user.id, input));
  }),

  /** Deletes a message and all below it. */
  prune: protectedProcedure.input(MessageRef).mutation(({ ctx, input }) => {
    const { db, askService } = ctx.deps;
    return askService.retryAfterRecovery(() => pruneBranch(db, ctx.user.id, input));
  }),
};
