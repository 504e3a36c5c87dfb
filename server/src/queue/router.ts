import { AddQueued, EditQueued, QueuedRef } from '@parley/schema/chat/queue-inputs';
import { protectedProcedure, router } from '../http/trpc.ts';
import { addQueued, editQueued, listQueued, removeQueued } from './queue.ts';

export const queueRouter = router({
  /** The questions that wait, of all conversations; changes come through the change feed. */
  list: protectedProcedure.query(({ ctx }) => listQueued(ctx.deps.db, ctx.user.id)),

  add: protectedProcedure.input(AddQueued).mutation(({ ctx, input }) => addQueued(ctx.deps.db, ctx.user.id, input)),

  edit: protectedProcedure
    .input(EditQueued)
    .mutation(({ ctx, input }) => editQueued(ctx.deps.db, ctx.user.id, input.id, input.text)),

  remove: protectedProcedure
    .input(QueuedRef)
    .mutation(({ ctx, input }) => removeQueued(ctx.deps.db, ctx.user.id, input.id)),
});
