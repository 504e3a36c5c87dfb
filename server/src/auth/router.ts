// Account procedures: sign-up, sign-in, session refresh, sign-out, passwords. Procedures that set or read the cookie
// need an HTTP request (not a websocket) from the site's own origin.
import { cleanText } from '@parley/schema/clean-text';
import { DeleteAccount } from '@parley/schema/accounts/deletion';
import { DeviceRef } from '@parley/schema/accounts/devices';
import { Profile, ResetRequest, SignIn } from '@parley/schema/accounts/users';
import { refuse } from '../platform/errors.ts';
import { findBalance } from '../billing/balances.ts';
import { protectedProcedure, router } from '../http/trpc.ts';
import { requestDeletion } from './account/deletion.ts';
import { listDevices, signOutDevice, signOutOthers } from './account/devices.ts';
import { updateProfile } from './account/profile.ts';
import type { AuthSession } from './session/authenticator.ts';
import { ChangePasswordInput, changePassword } from './password/change-password.ts';
import { registrationProcedures } from './registration/registration-procedures.ts';
import { cookieProcedure } from './session/cookie-procedure.ts';
import { refresh } from './session/refresh.ts';
import { requestReset } from './reset/request-reset.ts';
import { ResetPasswordInput, resetPassword } from './reset/reset-password.ts';
import { assertEmailLoginOpen, signIn } from './password/sign-in.ts';
import { signOut } from './session/sign-out.ts';
import { assertUser, findPasswordHash, presentUser } from './users.ts';

const SignInInput = SignIn.transform(({ email, password }) => ({ email: cleanText(email), password }));
const ResetRequestInput = ResetRequest.transform(({ email }) => ({ email: cleanText(email) }));

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

/** Needs a session and an HTTP request. */
const onlineProcedure = protectedProcedure.use(({ ctx, next }) =>
  next({ ctx: { http: ctx.http ?? refuse({ type: 'forbidden' }) } }),
);

export const authRouter = router({
  login: emailLoginProcedure.input(SignInInput).mutation(({ ctx, input }) => signIn(ctx.deps, ctx.http, input)),

  ...registrationProcedures,

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

  /** Changes the name or the user name. */
  updateProfile: protectedProcedure
    .input(Profile)
    .mutation(({ ctx, input }) => updateProfile(ctx.deps, ctx.user.id, clean(input))),

  /** Where the user is signed in. */
  devices: protectedProcedure.query(({ ctx }) => listDevices(ctx.deps.db, sessionOf(ctx))),

  signOutDevice: onlineProcedure.input(DeviceRef).mutation(async ({ ctx, input }) => {
    await signOutDevice(ctx.deps, ctx.http, sessionOf(ctx), input.id);
    return null;
  }),

  signOutOthers: onlineProcedure.mutation(async ({ ctx }) => {
    await signOutOthers(ctx.deps, ctx.http, sessionOf(ctx));
    return null;
  }),

  /** Deletes the account in some days; returns when. Signing in before that takes it back. */
  deleteAccount: onlineProcedure.input(DeleteAccount).mutation(async ({ ctx, input }) => {
    return { dueAt: await requestDeletion(ctx.deps, ctx.http, sessionOf(ctx), input) };
  }),

  me: protectedProcedure.query(async ({ ctx }) => presentUser(await assertUser(ctx.deps.db, ctx.user.id))),

  /** The credits as a string; nothing for a user who never had any. */
  balance: protectedProcedure.query(async ({ ctx }) => {
    const balance = await findBalance(ctx.deps.db.query, ctx.user.id);
    return balance ? String(balance.credits) : '';
  }),
});

function sessionOf({ user }: { user: { id: string; sid: string } }): AuthSession {
  return { userId: user.id, sid: user.sid };
}

function clean({ name, username }: Profile): Profile {
  return { ...(name !== undefined && { name: cleanText(name) }), ...(username !== undefined && { username }) };
}
