// Proving once more who asks, before a sensitive change.
import { StepUp } from '@parley/schema/accounts/factors';
import { elevatedProcedure, limitedOnlineProcedure, onlineProcedure } from './elevated-procedure.ts';
import { router } from '../procedures.ts';
import { passkeyOptions } from '../factors/passkeys/verify-passkey.ts';
import { callerSession } from '../../platform/requests/auth-session.ts';
import { stepUp } from './step-up.ts';

export const stepUpProcedures = router({
  prove: limitedOnlineProcedure
    .input(StepUp)
    .mutation(({ ctx, input }) => stepUp(ctx.deps, ctx.http, callerSession(ctx), input)),

  /** What a passkey signs for `prove`. */
  options: onlineProcedure.mutation(({ ctx }) => passkeyOptions(ctx.deps, { purpose: 'factor', userId: ctx.user.id })),

  /** Refuses where a proof is needed; for what is no procedure itself, such as the export. */
  check: elevatedProcedure.mutation(() => null),
});
