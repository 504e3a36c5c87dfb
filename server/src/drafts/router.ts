import { SaveDraft } from '@parley/schema/chat/drafts';
import { protectedProcedure, router } from '../http/trpc.ts';
import { listDrafts, saveDraft } from './drafts.ts';

export const draftsRouter = router({
  /** The drafts that are not empty; later changes come through the change feed. */
  list: protectedProcedure.query(({ ctx }) => listDrafts(ctx.deps.db, ctx.user.id)),

  /** Saves a draft unless a newer one exists. */
  save: protectedProcedure.input(SaveDraft).mutation(({ ctx, input }) => saveDraft(ctx.deps.db, ctx.user.id, input)),
});
