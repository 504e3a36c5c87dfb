import { cookieProcedure } from '../session/cookie-procedure.ts';
import { assertEmailLoginOpen, assertSecondStepOpen } from './sign-in.ts';

/** For what signs in with a password: rejects before rate limiting when e-mail login is off. */
export const emailLoginProcedure = cookieProcedure.use(({ ctx, next }) => {
  assertEmailLoginOpen(ctx.deps);
  return next();
});

export const secondStepProcedure = cookieProcedure.use(({ ctx, next }) => {
  assertSecondStepOpen(ctx.deps);
  return next();
});
