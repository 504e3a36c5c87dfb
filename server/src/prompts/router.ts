import { AnyPromptRef, PromptFile, PromptRef, SavePrompt } from '@parley/schema/prompts/prompts';
import * as z from 'zod';
import { protectedProcedure, router } from '../http/trpc.ts';
import { removeText } from '../texts/remove-text.ts';
import { PROMPTS, shareText } from '../texts/texts.ts';
import { listPrompts, listVersions, readPrompt } from './list-prompts.ts';
import { importPrompts, markPrompt, restoreVersion, savePrompt } from './save-prompt.ts';

export const promptsRouter = router({
  /** Own and shared ones without their texts, favourites and the most used first. */
  list: protectedProcedure.query(({ ctx }) => listPrompts(ctx.deps.db, ctx.user.id)),

  read: protectedProcedure.input(AnyPromptRef).query(({ ctx, input }) => readPrompt(ctx.deps.db, ctx.user.id, input)),

  /** Creates a prompt, or replaces the one with this id. */
  save: protectedProcedure.input(SavePrompt).mutation(({ ctx, input }) => savePrompt(ctx.deps.db, ctx.user.id, input)),

  import: protectedProcedure
    .input(PromptFile)
    .mutation(({ ctx, input }) => importPrompts(ctx.deps.db, ctx.user.id, input)),

  /** The newest 50, the newest first. */
  versions: protectedProcedure
    .input(PromptRef)
    .query(({ ctx, input }) => listVersions(ctx.deps.db, ctx.user.id, input.id)),

  /** The text of a version becomes the newest one. */
  restoreVersion: protectedProcedure
    .input(PromptRef.extend({ n: z.int().positive() }))
    .mutation(({ ctx, input }) => restoreVersion(ctx.deps.db, ctx.user.id, input.id, input.n)),

  mark: protectedProcedure
    .input(AnyPromptRef.extend({ isFavorite: z.boolean().optional(), isUsed: z.boolean().optional() }))
    .mutation(({ ctx, input: { ownerId, id, ...mark } }) =>
      markPrompt(ctx.deps.db, ctx.user.id, { ownerId, id }, mark),
    ),

  share: protectedProcedure
    .input(PromptRef.extend({ isShared: z.boolean() }))
    .mutation(({ ctx, input }) => shareText(ctx.deps.db, PROMPTS, ctx.user.id, input)),

  /** Into the trash; the deletion's id, or null when it was gone. */
  remove: protectedProcedure
    .input(PromptRef)
    .mutation(({ ctx, input }) => removeText(ctx.deps.db, PROMPTS, ctx.user.id, input.id)),
});
