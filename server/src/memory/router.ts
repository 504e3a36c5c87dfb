import { MemoriesOf, MemoryRef, SaveMemory, SetMemoryMode } from '@parley/schema/tools/memories';
import { protectedProcedure, router } from '../http/trpc.ts';
import { clearMemories, declineMemory, listMemories, removeMemory, saveMemory, setMode } from './memories.ts';

export const memoriesRouter = router({
  /** Off from the next statement on, also for answers that are being written. */
  setMode: protectedProcedure
    .input(SetMemoryMode)
    .mutation(({ ctx, input }) => setMode(ctx.deps.db, ctx.user.id, input)),

  /** The newest first; changes come through the change feed, as those of settings. */
  list: protectedProcedure
    .input(MemoriesOf.optional())
    .query(({ ctx, input }) => listMemories(ctx.deps.db, ctx.user.id, input?.conversationIds)),

  save: protectedProcedure.input(SaveMemory).mutation(({ ctx, input }) => saveMemory(ctx.deps.db, ctx.user.id, input)),

  /** Of an entry that a model proposed. */
  decline: protectedProcedure
    .input(MemoryRef)
    .mutation(({ ctx, input }) => declineMemory(ctx.deps.db, ctx.user.id, input.id)),

  remove: protectedProcedure
    .input(MemoryRef)
    .mutation(({ ctx, input }) => removeMemory(ctx.deps.db, ctx.user.id, input.id)),

  /** All of them, or those of some conversations. */
  clear: protectedProcedure
    .input(MemoriesOf)
    .mutation(({ ctx, input }) => clearMemories(ctx.deps.db, ctx.user.id, input.conversationIds)),
});
