import { SaveDraft } from '@parley/schema/drafts';
import { protectedProcedure, router } from '../trpc.ts';
import { listDrafts, saveDraft } from './drafts.ts';

export const draftsRouter = router({
  /** The drafts with text; what changes of them comes with the change feed. */
  list: protectedProcedure.query(({ ctx }) => listDrafts(ctx.deps.db, ctx.user.id)),

  /** Keeps a draft unless a later one is there. */
  save: protectedProcedure.input(SaveDraft).mutation(({ ctx, input }) => saveDraft(ctx.deps.db, ctx.user.id, input)),
});
