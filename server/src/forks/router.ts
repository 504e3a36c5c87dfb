import { ForkConvo } from '@parley/schema/convos/convos';
import { limitCalls } from '../abuse/call-limits.ts';
import { protectedProcedure, router } from '../http/trpc.ts';
import { forkConvo } from './fork.ts';

/** Stands in `convos`. */
export const forksRouter = router({
  /** Creates a conversation with copies of the branch that ends in a message, or in the newest one. */
  fork: protectedProcedure.input(ForkConvo).mutation(async ({ ctx, input }) => {
    const { askService, config, db } = ctx.deps;
    await limitCalls(ctx, ctx.user.id, 'fork');
    return askService.retryAfterRecovery(() => forkConvo(db, ctx.user.id, input, config.limits.storedMessages));
  }),
});
