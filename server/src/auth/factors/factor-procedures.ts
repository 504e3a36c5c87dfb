// Two-step sign-in: the second step itself, and switching it on and off.
import { BeginFactor, BothFactors, ConfirmFactor, ProveFactor } from '@parley/schema/accounts/factors';
import { protectedProcedure, router } from '../../http/trpc.ts';
import { emailLoginProcedure, passwordProcedure } from '../password/password-procedures.ts';
import { callerSession } from '../session/authenticator.ts';
import { beginFactor, confirmFactor, newRecoveryCodes, removeFactor } from './change-factors.ts';
import { factorStatus } from './factors.ts';
import { proveFactor } from './prove-factor.ts';

export const factorProcedures = router({
  /** After `auth.login` was refused with `factor_needed`: signs in with its ticket and a code. */
  prove: emailLoginProcedure.input(ProveFactor).mutation(({ ctx, input }) => proveFactor(ctx.deps, ctx.http, input)),

  status: protectedProcedure.query(({ ctx }) => factorStatus(ctx.deps.db, ctx.user.id)),

  begin: passwordProcedure
    .input(BeginFactor)
    .mutation(({ ctx, input }) => beginFactor(ctx.deps, ctx.http, callerSession(ctx), input)),

  /** Returns the recovery codes. */
  confirm: passwordProcedure
    .input(ConfirmFactor)
    .mutation(({ ctx, input }) => confirmFactor(ctx.deps, ctx.http, callerSession(ctx), input)),

  remove: passwordProcedure.input(BothFactors).mutation(async ({ ctx, input }) => {
    await removeFactor(ctx.deps, ctx.http, callerSession(ctx), input);
    return null;
  }),

  renewRecoveryCodes: passwordProcedure
    .input(BothFactors)
    .mutation(({ ctx, input }) => newRecoveryCodes(ctx.deps, ctx.http, callerSession(ctx), input)),
});
