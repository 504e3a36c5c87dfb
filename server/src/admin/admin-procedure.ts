// Tests of this room: tests/integration/admin, tests/e2e/admin.
import { protectedProcedure, withServices } from '../http/trpc.ts';
import { refuse } from '../platform/errors.ts';
import { callerSession } from '../platform/requests/auth-session.ts';
import { assertElevated, assertElevatedByFactor } from '../auth/step-up/elevation.ts';
import { findUser } from '../auth/users.ts';

/**
 * For administrators alone. Role and state are read at each call: what is taken away acts at once. An administrator with
 * a second factor has proven it recently for each change. @throws Refusal `forbidden`, `step_up_needed`
 */
export const adminProcedure = protectedProcedure.use(async ({ ctx, type, next }) => {
  const user = await findUser(ctx.deps.db, ctx.user.id);
  if (user?.role !== 'ADMIN' || user.state !== 'active') refuse({ type: 'forbidden' });
  if (type === 'mutation') await assertElevatedByFactor(ctx.deps.db.query, callerSession(ctx));
  return next({ ctx: { actor: { id: user.id, ip: ctx.client?.ip ?? null } } });
});

/**
 * As `adminProcedure`, for what gives access to accounts or takes it, for keys, and for what leaves with data of others:
 * an administrator without a second factor has typed the password recently. @throws Refusal `forbidden`, `step_up_needed`
 */
export const sensitiveProcedure = adminProcedure.use(async ({ ctx, next }) => {
  await assertElevated(ctx.deps.db.query, callerSession(ctx));
  return next();
});

/** For a section whose procedures use services beyond those of every call. */
export function adminProcedures<Services>() {
  const { procedure, router } = withServices<Services>();
  return {
    router,
    adminProcedure: procedure.concat(adminProcedure),
    sensitiveProcedure: procedure.concat(sensitiveProcedure),
  };
}
