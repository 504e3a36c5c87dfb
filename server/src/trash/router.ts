import { DeletionRef, TrashPage } from '@parley/schema/convos/deletions';
import { listDeletions } from '../convos/deletions.ts';
import { protectedProcedure, router } from '../http/trpc.ts';
import { restoreDeletion } from './restore.ts';
import { RETENTION } from './retention.ts';

/** Stands in `convos`. */
export const trashRouter = router({
  /** The entries of the trash, newest first. */
  trash: protectedProcedure.input(TrashPage).query(({ ctx, input }) => listDeletions(ctx.deps.db, ctx.user.id, input)),

  /** After how many days without a new message chats go to the trash by themselves. */
  retention: protectedProcedure.query(async ({ ctx }) => {
    const { chatsDays } = await RETENTION.current(ctx.deps);
    return { chatsDays };
  }),

  /** Undoes one deletion. */
  restore: protectedProcedure
    .input(DeletionRef)
    .mutation(({ ctx, input }) => restoreDeletion(ctx.deps.db, ctx.user.id, input.deletionId)),
});
