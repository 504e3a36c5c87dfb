import { cleanText } from '@parley/schema/clean-text';
import * as z from 'zod';
import { withServices } from '../http/trpc.ts';
import { listGrants, revokeGrant } from './grants.ts';
import type { ToolRegistry } from './registry.ts';

const { protectedProcedure, router } = withServices<{ tools: ToolRegistry }>();

/** The longest `<source>:<id>:<name>`. */
const GRANT_MAX = 512;
const GrantRef = z.strictObject({ tool: z.string().min(1).max(GRANT_MAX).overwrite(cleanText) });

export const toolsRouter = router({
  /** What this user can choose for a conversation. */
  list: protectedProcedure.query(({ ctx }) => ctx.deps.tools.list(ctx.user.id)),

  /** The tools that this user always allows. */
  grants: protectedProcedure.query(({ ctx }) => listGrants(ctx.deps.db.query, ctx.user.id)),

  /** From now on the tool asks again. */
  revoke: protectedProcedure
    .input(GrantRef)
    .mutation(({ ctx, input }) => revokeGrant(ctx.deps.db.query, ctx.user.id, input.tool)),
});
