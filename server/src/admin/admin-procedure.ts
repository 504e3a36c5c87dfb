import { protectedProcedure } from '../http/trpc.ts';
import { refuse } from '../platform/errors.ts';
import { findUser } from '../auth/users.ts';

/** For administrators alone. Role and state are read at each call: what is taken away acts at once. @throws Refusal `forbidden` */
export const adminProcedure = protectedProcedure.use(async ({ ctx, next }) => {
  const user = await findUser(ctx.deps.db, ctx.user.id);
  if (user?.role !== 'ADMIN' || user.state !== 'active') refuse({ type: 'forbidden' });
  return next({ ctx: { actor: { id: user.id, ip: ctx.client?.ip ?? null } } });
});
