import { EditPlan, ResearchRef } from '@parley/schema/chat/research-inputs';
import { withServices } from '../http/trpc.ts';
import { editPlan } from './edit-plan.ts';
import { requestReport } from './rows.ts';

const { protectedProcedure, router } = withServices<object>();

/** `messages.ask` begins a research and starts its plan. */
export const researchRouter = router({
  /** Changes a plan that waits; returns its new version. */
  edit: protectedProcedure.input(EditPlan).mutation(({ ctx, input }) => editPlan(ctx.deps.db, ctx.user.id, input)),

  /** Lets the report be written from what there is; false where nothing is being researched. */
  write: protectedProcedure
    .input(ResearchRef)
    .mutation(({ ctx, input }) => requestReport(ctx.deps.db, { userId: ctx.user.id, replyId: input.messageId })),
});
