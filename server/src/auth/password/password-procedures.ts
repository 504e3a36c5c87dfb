import { cleanText } from '@parley/schema/clean-text';
import { DirectorySignIn, SignIn } from '@parley/schema/accounts/users';
import { TRPCError } from '@trpc/server';
import * as z from 'zod';
import { cookieProcedure } from '../procedures.ts';
import { assertEmailLoginOpen, assertSecondStepOpen } from './sign-in.ts';
import type { Config } from '../../config/config.ts';

/** For what signs in with a password: rejects before rate limiting when e-mail login is off. */
export const emailLoginProcedure = cookieProcedure.use(({ ctx, next }) => {
  assertEmailLoginOpen(ctx.deps);
  return next();
});

export const secondStepProcedure = cookieProcedure.use(({ ctx, next }) => {
  assertSecondStepOpen(ctx.deps);
  return next();
});

/** For `checkedSignIn` to judge. */
export const UncheckedSignIn = z.custom<z.input<typeof SignIn>>();

/** By the rules of this server, or of the directory that has its own. @throws TRPCError */
export function checkedSignIn({ config }: { config: Config }, input: unknown): z.output<typeof SignIn> {
  const { data, error } = (config.accounts.ldap ? DirectorySignIn : SignIn).safeParse(input);
  if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error });
  return { email: cleanText(data.email), password: data.password };
}
