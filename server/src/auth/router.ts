// Accounts: coming in, staying in, going out. Whatever sets or reads the cookie needs a request of its own, not a
// websocket, and one that our own site made.
import { cleanText } from '@parley/schema/clean-text';
import { SignIn } from '@parley/schema/users';
import { refuse } from '../errors.ts';
import { findBalance } from '../money/balances.ts';
import { protectedProcedure, publicProcedure, router } from '../trpc.ts';
import { assertOwnSite } from './cookies.ts';
import { refresh } from './refresh.ts';
import { assertEmailLoginOpen, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { SignUpInput, assertRegistrationOpen, signUp } from './sign-up.ts';
import { assertUser, presentUser } from './users.ts';

const SignInInput = SignIn.transform(({ email, password }) => ({ email: cleanText(email), password }));

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

  me: protectedProcedure.query(async ({ ctx }) => presentUser(await assertUser(ctx.deps.db, ctx.user.id))),

  /** The credits as text; nothing for who never had any. */
  balance: protectedProcedure.query(async ({ ctx }) => {
    const balance = await findBalance(ctx.deps.db.query, ctx.user.id);
    return balance ? String(balance.credits) : '';
  }),
});
