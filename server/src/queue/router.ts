import { AddQueued, EditQueued, HoldQueued, QueuedRef } from '@parley/schema/chat/queue-inputs';
import { protectedProcedure, router } from '../http/trpc.ts';
import { addQueued, editQueued, holdQueued, listQueued, removeQueued } from './queue.ts';

export const queueRouter = router({
  /** The questions that wait, of all conversations; changes come through the change feed. */
  list: protectedProcedure.query(({ ctx }) => listQueued(ctx.deps.db, ctx.user.id)),

  add: protectedProcedure.input(AddQueued).mutation(({ ctx, input }) => addQueued(ctx.deps.db, ctx.user.id, input)),

  edit: protectedProcedure
    .input(EditQueued)
    .mutation(({ ctx, input }) => editQueued(ctx.deps.db, ctx.user.id, input.id, input.text)),

  /** Before somebody edits a question, for example. */
  hold: protectedProcedure
    .input(HoldQueued)
    .mutation(({ ctx, input }) => holdQueued(ctx.deps.db, ctx.user.id, input.conversationId, input.isHeld)),

  remove: protectedProcedure
    .input(QueuedRef)
    .mutation(({ ctx, input }) => removeQueued(ctx.deps.db, ctx.user.id, input.id)),
});
