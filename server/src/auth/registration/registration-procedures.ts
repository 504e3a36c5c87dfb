import { InvitationToken } from '@parley/schema/accounts/registration';
import { ResetRequest } from '@parley/schema/accounts/users';
import { cleanText } from '@parley/schema/clean-text';
import * as z from 'zod';
import { assertRegistrationOpen, signUp, SignUpInput } from '../password/sign-up.ts';
import { limitInvitationLookup } from '../rate-limits.ts';
import { cookieProcedure } from '../procedures.ts';
import { confirmAddress, resendConfirmation } from './confirm-address.ts';
import { findInvitation } from './invitations.ts';

/** Rejects closed registration before input validation. */
const registrationProcedure = cookieProcedure.use(async ({ ctx, next, getRawInput }) => {
  await assertRegistrationOpen(ctx.deps, await getRawInput());
  return next();
});

export const registrationProcedures = {
  register: registrationProcedure.input(SignUpInput).mutation(({ ctx, input }) => signUp(ctx.deps, ctx.http, input)),

  /** Answers the same for every address. */
  resendConfirmation: cookieProcedure
    .input(ResetRequest)
    .mutation(({ ctx, input }) => resendConfirmation(ctx.deps, ctx.http, cleanText(input.email))),

  confirmEmail: cookieProcedure
    .input(z.object({ token: InvitationToken }))
    .mutation(({ ctx, input }) => confirmAddress(ctx.deps, ctx.http, input.token)),

  /** No query: its token belongs into no address. */
  findInvitation: cookieProcedure.input(z.object({ invitation: InvitationToken })).mutation(async ({ ctx, input }) => {
    await limitInvitationLookup(ctx.deps, ctx.http);
    return findInvitation(ctx.deps.db, input.invitation);
  }),
};
