import { protectedProcedure } from '../../http/trpc.ts';
import { refuse } from '../../platform/errors.ts';
import { cookieProcedure } from '../session/cookie-procedure.ts';
import { assertEmailLoginOpen } from './sign-in.ts';

/** For what signs in with a password: rejects before rate limiting when e-mail login is off. */
export const emailLoginProcedure = cookieProcedure.use(({ ctx, next }) => {
  assertEmailLoginOpen(ctx.deps);
  return next();
});

/** Needs a session and an HTTP request; rejects when e-mail login is off. */
export const passwordProcedure = protectedProcedure.use(({ ctx, next }) => {
  assertEmailLoginOpen(ctx.deps);
  return next({ ctx: { http: ctx.http ?? refuse({ type: 'forbidden' }) } });
});
