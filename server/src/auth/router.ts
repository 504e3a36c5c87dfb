// Account procedures: sign-up, sign-in, session refresh, sign-out, passwords. Procedures that set or read the cookie
// need an HTTP request (not a websocket) from the site's own origin.
import { cleanText } from '@parley/schema/clean-text';
import { ResetRequest } from '@parley/schema/accounts/users';
import { findBalance } from '../billing/balances.ts';
import { steppedUpProcedure } from './step-up/elevated-procedure.ts';
import { accountProcedures } from './account/account-procedures.ts';
import { factorProcedures, passkeyProcedures } from './factors/factor-procedures.ts';
import { ChangePasswordInput, changePassword } from './password/change-password.ts';
import { registrationProcedures } from './registration/registration-procedures.ts';
import { cookieProcedure, limitedProcedure, protectedProcedure, router } from './procedures.ts';
import { refresh } from './session/refresh.ts';
import { requestReset } from './reset/request-reset.ts';
import { ResetPasswordInput, resetPassword } from './reset/reset-password.ts';
import { checkedSignIn, emailLoginProcedure, UncheckedSignIn } from './password/password-procedures.ts';
import { signIn } from './password/sign-in.ts';
import { signOut } from './session/sign-out.ts';
import { stepUpProcedures } from './step-up/step-up-procedures.ts';
import { assertUser, findPasswordHash, presentUser } from './users.ts';

const ResetRequestInput = ResetRequest.transform(({ email }) => ({ email: cleanText(email) }));

export const authRouter = router({
  login: emailLoginProcedure
    .input(UncheckedSignIn)
    .mutation(({ ctx, input }) => signIn(ctx.deps, ctx.http, checkedSignIn(ctx.deps, input))),

  factors: factorProcedures,
  passkeys: passkeyProcedures,
  stepUp: stepUpProcedures,

  ...registrationProcedures,

  refresh: cookieProcedure.mutation(({ ctx }) => refresh(ctx.deps, ctx.http)),

  logout: cookieProcedure.mutation(({ ctx }) => signOut(ctx.deps, ctx.http, ctx.signedIn ?? ctx.limited ?? null)),

  /** `link` is empty unless the operator allows showing it to the requester. */
  requestPasswordReset: emailLoginProcedure
    .input(ResetRequestInput)
    .mutation(({ ctx, input }) => requestReset(ctx.deps, ctx.http, input.email)),

  resetPassword: emailLoginProcedure
    .input(ResetPasswordInput)
    .mutation(({ ctx, input }) => resetPassword(ctx.deps, ctx.http, input)),

  changePassword: steppedUpProcedure
    .input(ChangePasswordInput)
    .mutation(({ ctx, input }) =>
      changePassword(ctx.deps, ctx.http, { userId: ctx.user.id, sid: ctx.user.sid }, input),
    ),

  /** False for users who only use social sign-in. */
  hasPassword: protectedProcedure.query(
    async ({ ctx }) => (await findPasswordHash(ctx.deps.db.query, ctx.user.id)) !== null,
  ),

  ...accountProcedures,

  me: limitedProcedure.query(async ({ ctx }) => presentUser(await assertUser(ctx.deps.db, ctx.user.id))),

  /** The credits as a string; nothing for a user who never had any. */
  balance: protectedProcedure.query(async ({ ctx }) => {
    const balance = await findBalance(ctx.deps.db.query, ctx.user.id);
    return balance ? String(balance.credits) : '';
  }),
});
