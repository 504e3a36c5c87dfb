// Account procedures: sign-up, sign-in, session refresh, sign-out, passwords. Procedures that set or read the cookie
// need an HTTP request (not a websocket) from the site's own origin.
import { cleanText } from '@parley/schema/clean-text';
import { ChangePassword, ResetPassword, ResetRequest, SignIn } from '@parley/schema/accounts/users';
import { refuse } from '../platform/errors.ts';
import { findBalance } from '../billing/balances.ts';
import { protectedProcedure, router } from '../http/trpc.ts';
import { changePassword } from './password/change-password.ts';
import { TOO_COMMON, isCommonPassword } from './password/common-passwords.ts';
import { cookieProcedure } from './session/cookie-procedure.ts';
import { refresh } from './session/refresh.ts';
import { requestReset } from './reset/request-reset.ts';
import { resetPassword } from './reset/reset-password.ts';
import { assertEmailLoginOpen, signIn } from './password/sign-in.ts';
import { signOut } from './session/sign-out.ts';
import { SignUpInput, assertRegistrationOpen, signUp } from './password/sign-up.ts';
import { assertUser, findPasswordHash, presentUser } from './users.ts';

const SignInInput = SignIn.transform(({ email, password }) => ({ email: cleanText(email), password }));
const ResetRequestInput = ResetRequest.transform(({ email }) => ({ email: cleanText(email) }));
const commonIsRefused = { error: TOO_COMMON, path: ['password'] };
const ResetPasswordInput = ResetPassword.refine(isUncommon, commonIsRefused);
const ChangePasswordInput = ChangePassword.refine(isUncommon, commonIsRefused);

/** Rejects before rate limiting when e-mail login is off. */
const emailLoginProcedure = cookieProcedure.use(({ ctx, next }) => {
  assertEmailLoginOpen(ctx.deps);
  return next();
});

/** Needs a session and an HTTP request; rejects when e-mail login is off. */
const passwordProcedure = protectedProcedure.use(({ ctx, next }) => {
  assertEmailLoginOpen(ctx.deps);
  return next({ ctx: { http: ctx.http ?? refuse({ type: 'forbidden' }) } });
});

/** Rejects closed registration before input validation. */
const registrationProcedure = cookieProcedure.use(({ ctx, next }) => {
  assertRegistrationOpen(ctx.deps);
  return next();
});

export const authRouter = router({
  login: emailLoginProcedure.input(SignInInput).mutation(({ ctx, input }) => signIn(ctx.deps, ctx.http, input)),

  register: registrationProcedure.input(SignUpInput).mutation(({ ctx, input }) => signUp(ctx.deps, ctx.http, input)),

  refresh: cookieProcedure.mutation(({ ctx }) => refresh(ctx.deps, ctx.http)),

  logout: cookieProcedure.mutation(async ({ ctx }) => {
    await signOut(ctx.deps, ctx.http, ctx.signedIn);
    return null;
  }),

  /** `link` is empty unless the operator allows showing it to the requester. */
  requestPasswordReset: emailLoginProcedure
    .input(ResetRequestInput)
    .mutation(({ ctx, input }) => requestReset(ctx.deps, ctx.http, input.email)),

  resetPassword: emailLoginProcedure.input(ResetPasswordInput).mutation(async ({ ctx, input }) => {
    await resetPassword(ctx.deps, ctx.http, input);
    return null;
  }),

  changePassword: passwordProcedure.input(ChangePasswordInput).mutation(async ({ ctx, input }) => {
    await changePassword(ctx.deps, ctx.http, { userId: ctx.user.id, sid: ctx.user.sid }, input);
    return null;
  }),

  /** False for users who only use social sign-in. */
  hasPassword: protectedProcedure.query(
    async ({ ctx }) => (await findPasswordHash(ctx.deps.db.query, ctx.user.id)) !== null,
  ),

  me: protectedProcedure.query(async ({ ctx }) => presentUser(await assertUser(ctx.deps.db, ctx.user.id))),

  /** The credits as a string; nothing for a user who never had any. */
  balance: protectedProcedure.query(async ({ ctx }) => {
    const balance = await findBalance(ctx.deps.db.query, ctx.user.id);
    return balance ? String(balance.credits) : '';
  }),
});

function isUncommon({ password }: { password: string }): boolean {
  return !isCommonPassword(password);
}
