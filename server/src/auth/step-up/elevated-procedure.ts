// Procedures for sensitive changes, which need a recent proof of who asks. @throws Refusal `step_up_needed`
import { callerSession } from '../../platform/requests/auth-session.ts';
import { assertElevated, type Elevation } from './elevation.ts';
import { refuse } from '../../platform/errors.ts';
import type { Context } from '../../http/trpc.ts';
import { limitedProcedure, protectedProcedure } from '../procedures.ts';

/** Needs a session and an HTTP request. */
export const onlineProcedure = protectedProcedure.use(({ ctx, next }) => next({ ctx: { http: httpOf(ctx) } }));

/** As `onlineProcedure`, also for a session that may only add a second factor. */
export const limitedOnlineProcedure = limitedProcedure.use(({ ctx, next }) => next({ ctx: { http: httpOf(ctx) } }));

export const elevatedProcedure = elevated(protectedProcedure, 'sign_in');

/** As `elevatedProcedure`, for what adds a second factor. */
export const enrolProcedure = elevated(limitedProcedure, 'sign_in');

export const onlineEnrolProcedure = enrolProcedure.use(({ ctx, next }) => next({ ctx: { http: httpOf(ctx) } }));

/** As `elevatedProcedure`, with an HTTP request. */
export const onlineElevatedProcedure = elevatedProcedure.use(({ ctx, next }) => next({ ctx: { http: httpOf(ctx) } }));

/** As `onlineElevatedProcedure`, where having signed in just now does not suffice. */
export const steppedUpProcedure = elevated(protectedProcedure, 'step_up').use(({ ctx, next }) =>
  next({ ctx: { http: httpOf(ctx) } }),
);

function elevated(base: typeof protectedProcedure, needed: Elevation) {
  return base.use(async ({ ctx, next }) => {
    await assertElevated(ctx.deps.db.query, callerSession(ctx), needed);
    return next();
  });
}

function httpOf({ http }: Pick<Context, 'http'>) {
  return http ?? refuse({ type: 'forbidden' });
}
