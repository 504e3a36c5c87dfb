import { ForkConvo } from '@parley/schema/convos/convos';
import { limitCalls } from '../abuse/call-limits.ts';
import { withServices } from '../http/trpc.ts';
import { forkConvo } from './fork.ts';
import type { AskService } from '../chat/ask-service.ts';

const { protectedProcedure, router } = withServices<{ askService: AskService }>();

/** Stands in `convos`. */
export const forksRouter = router({
  /** Creates a conversation with copies of the branch that ends in a message, or in the newest one. */
  fork: protectedProcedure.input(ForkConvo).mutation(async ({ ctx, input }) => {
    const { askService, config, db } = ctx.deps;
    await limitCalls(ctx, ctx.user.id, 'fork');
    return askService.retryAfterRecovery(() => forkConvo(db, ctx.user.id, input, config.limits.storedMessages));
  }),
});
