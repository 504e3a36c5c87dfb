// Procedures for sensitive changes, which need a recent proof of who asks. @throws Refusal `step_up_needed`
import { callerSession } from '../auth/session/authenticator.ts';
import { assertElevated, type Elevation } from '../auth/step-up/elevation.ts';
import { refuse } from '../platform/errors.ts';
import { protectedProcedure, type Context } from './trpc.ts';

/** Needs a session and an HTTP request. */
export const onlineProcedure = protectedProcedure.use(({ ctx, next }) => next({ ctx: { http: httpOf(ctx) } }));

export const elevatedProcedure = elevated('sign_in');

/** As `elevatedProcedure`, with an HTTP request. */
export const onlineElevatedProcedure = elevatedProcedure.use(({ ctx, next }) => next({ ctx: { http: httpOf(ctx) } }));

/** As `onlineElevatedProcedure`, where having signed in just now does not suffice. */
export const steppedUpProcedure = elevated('step_up').use(({ ctx, next }) => next({ ctx: { http: httpOf(ctx) } }));

function elevated(needed: Elevation) {
  return protectedProcedure.use(async ({ ctx, next }) => {
    await assertElevated(ctx.deps.db.query, callerSession(ctx), needed);
    return next();
  });
}

function httpOf({ http }: Pick<Context, 'http'>) {
  return http ?? refuse({ type: 'forbidden' });
}
