import { CreateShare, ListShares, ShareRef } from '@parley/schema/convos/shares';
import { limitCalls, limitVisitors } from '../abuse/call-limits.ts';
import { refuse } from '../platform/errors.ts';
import { withServices, writtenInSlices } from '../http/trpc.ts';
import { copyShare } from './copy-share.ts';
import { createShare, listShares, readShare, revokeShares, updateShare } from './shares.ts';
import type { FileSaverDeps } from '../files/save-file.ts';

const { protectedProcedure, publicProcedure, router } = withServices<FileSaverDeps>();

export const sharesRouter = router({
  create: protectedProcedure.input(CreateShare).mutation(async ({ ctx, input }) => {
    await limitCalls(ctx, ctx.user.id, 'share');
    return createShare(ctx.deps, ctx.user.id, input);
  }),

  /** Copies the conversation anew. */
  update: protectedProcedure.input(ShareRef).mutation(async ({ ctx, input }) => {
    await limitCalls(ctx, ctx.user.id, 'share');
    return updateShare(ctx.deps, ctx.user.id, input.id);
  }),

  /** The user's links, to one conversation or to all. */
  list: protectedProcedure.input(ListShares).query(({ ctx, input }) => listShares(ctx.deps, ctx.user.id, input)),

  revoke: protectedProcedure
    .input(ShareRef)
    .mutation(({ ctx, input }) => revokeShares(ctx.deps, ctx.user.id, input.id)),

  revokeAll: protectedProcedure.mutation(({ ctx }) => revokeShares(ctx.deps, ctx.user.id, null)),

  /** For everybody who has the link, or for those of them who are signed in. @throws Refusal `unauthorized` */
  read: publicProcedure
    .use(writtenInSlices)
    .input(ShareRef)
    .query(async ({ ctx, input }) => {
      await limitVisitors(ctx);
      if (!ctx.deps.config.accounts.publicSharedLinks && !ctx.signedIn) refuse({ type: 'unauthorized' });
      return readShare(ctx.deps, input.id);
    }),

  /** Copies the shared conversation into the user's own ones. */
  copy: protectedProcedure.input(ShareRef).mutation(async ({ ctx, input }) => {
    await limitCalls(ctx, ctx.user.id, 'share');
    return copyShare(ctx.deps, ctx.user.id, input.id);
  }),
});
