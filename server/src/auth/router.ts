// Accounts: coming in, staying in, going out. Whatever sets or reads the cookie needs a request of its own, not a
// websocket, and one that our own site made.
import { cleanText } from '@parley/schema/clean-text';
import { ChangePassword, ResetPassword, ResetRequest, SignIn } from '@parley/schema/users';
import { refuse } from '../errors.ts';
import { findBalance } from '../money/balances.ts';
import { protectedProcedure, publicProcedure, router } from '../trpc.ts';
import { changePassword } from './change-password.ts';
import { TOO_COMMON, isCommonPassword } from './common-passwords.ts';
import { assertOwnSite } from './cookies.ts';
import { refresh } from './refresh.ts';
import { requestReset } from './request-reset.ts';
import { resetPassword } from './reset-password.ts';
import { assertEmailLoginOpen, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { SignUpInput, assertRegistrationOpen, signUp } from './sign-up.ts';
import { assertUser, findPasswordHash, presentUser } from './users.ts';

const SignInInput = SignIn.transform(({ email, password }) => ({ email: cleanText(email), password }));
const ResetRequestInput = ResetRequest.transform(({ email }) => ({ email: cleanText(email) }));
const commonIsRefused = { error: TOO_COMMON, path: ['password'] };
const ResetPasswordInput = ResetPassword.refine(isUncommon, commonIsRefused);
const ChangePasswordInput = ChangePassword.refine(isUncommon, commonIsRefused);

const cookieProcedure = publicProcedure.use(({ ctx, next }) => {
  const http = ctx.http ?? refuse({ type: 'forbidden' });
  assertOwnSite(http.headers, ctx.deps.config.server.domainClient);
  return next({ ctx: { http } });
});

/** Nobody who is turned away at the door is counted or told whether a password fits. */
const emailLoginProcedure = cookieProcedure.use(({ ctx, next }) => {
  assertEmailLoginOpen(ctx.deps);
  return next();
});

/** For who is signed in and comes by a request of its own, where passwords are used at all. */
const passwordProcedure = protectedProcedure.use(({ ctx, next }) => {
  assertEmailLoginOpen(ctx.deps);
  return next({ ctx: { http: ctx.http ?? refuse({ type: 'forbidden' }) } });
});

/** A closed registration says so before it finds fault with the form. */
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

  /** `link` is empty unless the link may be shown to whoever asks. */
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

  /** Not so for people who only come in through a social sign-in. */
  hasPassword: protectedProcedure.query(
    async ({ ctx }) => (await findPasswordHash(ctx.deps.db.query, ctx.user.id)) !== null,
  ),

  me: protectedProcedure.query(async ({ ctx }) => presentUser(await assertUser(ctx.deps.db, ctx.user.id))),

  /** The credits as text; nothing for who never had any. */
  balance: protectedProcedure.query(async ({ ctx }) => {
    const balance = await findBalance(ctx.deps.db.query, ctx.user.id);
    return balance ? String(balance.credits) : '';
  }),
});

function isUncommon({ password }: { password: string }): boolean {
  return !isCommonPassword(password);
}
