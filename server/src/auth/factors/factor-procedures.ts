// Two-step sign-in and passkeys: proving a factor, and adding and removing them.
import { ConfirmFactor, FactorOptions, FactorRef, ProveFactor } from '@parley/schema/accounts/factors';
import { AddPasskey, RenamePasskey, SignInByPasskey } from '@parley/schema/accounts/passkeys';
import {
  enrolProcedure,
  onlineElevatedProcedure,
  onlineEnrolProcedure,
  onlineProcedure,
} from '../step-up/elevated-procedure.ts';
import { limitedProcedure, router } from '../procedures.ts';
import { emailLoginProcedure, secondStepProcedure } from '../password/password-procedures.ts';
import { callerSession } from '../../platform/requests/auth-session.ts';
import { beginApp, confirmApp, newRecoveryCodes, removeFactor, renamePasskey } from './change-factors.ts';
import { factorStatus } from './factors.ts';
import { addPasskey, newPasskeyOptions } from './passkeys/add-passkey.ts';
import { signInByPasskey, signInOptions } from './passkeys/sign-in-by-passkey.ts';
import { secondStep, secondStepOptions } from './second-step.ts';

export const factorProcedures = router({
  /** After `auth.login` was refused with `factor_needed`, or another site has sent somebody: signs in with its ticket and a code or a passkey. */
  prove: secondStepProcedure.input(ProveFactor).mutation(({ ctx, input }) => secondStep(ctx.deps, ctx.http, input)),

  /** What a passkey signs for `prove`. */
  options: secondStepProcedure
    .input(FactorOptions)
    .mutation(({ ctx, input }) => secondStepOptions(ctx.deps, input.ticket)),

  status: limitedProcedure.query(({ ctx }) => factorStatus(ctx.deps.db, ctx.user.id)),

  beginApp: enrolProcedure.mutation(({ ctx }) => beginApp(ctx.deps, callerSession(ctx))),

  /** Returns the recovery codes if it is the first factor. */
  confirmApp: onlineEnrolProcedure
    .input(ConfirmFactor)
    .mutation(({ ctx, input }) => confirmApp(ctx.deps, ctx.http, callerSession(ctx), input)),

  remove: onlineProcedure
    .input(FactorRef)
    .mutation(({ ctx, input }) => removeFactor(ctx.deps, ctx.http, callerSession(ctx), input.id)),

  renewRecoveryCodes: onlineElevatedProcedure.mutation(({ ctx }) =>
    newRecoveryCodes(ctx.deps, ctx.http, callerSession(ctx)),
  ),
});

export const passkeyProcedures = router({
  /** What a passkey signs for `signIn`. */
  options: emailLoginProcedure.mutation(({ ctx }) => signInOptions(ctx.deps, ctx.http)),

  signIn: emailLoginProcedure
    .input(SignInByPasskey)
    .mutation(({ ctx, input }) => signInByPasskey(ctx.deps, ctx.http, input.assertion)),

  /** What a new one is made with. */
  begin: enrolProcedure.mutation(({ ctx }) => newPasskeyOptions(ctx.deps, callerSession(ctx))),

  /** Returns the recovery codes if it is the first factor. */
  add: onlineEnrolProcedure
    .input(AddPasskey)
    .mutation(({ ctx, input }) => addPasskey(ctx.deps, ctx.http, callerSession(ctx), input.attestation)),

  rename: onlineProcedure
    .input(RenamePasskey)
    .mutation(({ ctx, input }) => renamePasskey(ctx.deps, callerSession(ctx), input)),
});
