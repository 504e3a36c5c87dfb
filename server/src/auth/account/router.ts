// What people change of their own account: the profile, the devices on which they are signed in, its deletion.
import { DeleteAccount } from '@parley/schema/accounts/users';
import * as z from 'zod';
import { protectedProcedure, router } from '../../http/trpc.ts';
import { refuse } from '../../platform/errors.ts';
import { cookieProcedure } from '../session/cookie-procedure.ts';
import { deleteAccount, keepAccount } from './delete-account.ts';
import { listDevices, signOutDevice, signOutOthers } from './devices.ts';
import { changeProfile, ChangeProfileInput } from './profile.ts';

const DeviceRef = z.strictObject({ id: z.uuid() });

export const accountRouter = router({
  changeProfile: protectedProcedure
    .input(ChangeProfileInput)
    .mutation(({ ctx, input }) => changeProfile(ctx.deps.db, ctx.user.id, input)),

  devices: protectedProcedure.query(({ ctx }) => listDevices(ctx.deps.db, { userId: ctx.user.id, sid: ctx.user.sid })),

  signOutDevice: protectedProcedure.input(DeviceRef).mutation(async ({ ctx, input }) => {
    await signOutDevice(ctx.deps, ctx.user.id, input.id);
    return null;
  }),

  signOutOthers: protectedProcedure.mutation(async ({ ctx }) => {
    await signOutOthers(ctx.deps, { userId: ctx.user.id, sid: ctx.user.sid });
    return null;
  }),

  /** Needs the password, or the e-mail address of an account without one. */
  remove: protectedProcedure.input(DeleteAccount).mutation(({ ctx, input }) => {
    const http = ctx.http ?? refuse({ type: 'forbidden' });
    return deleteAccount(ctx.deps, http, { userId: ctx.user.id, sid: ctx.user.sid }, input);
  }),

  /** Signs in again, and takes the deletion back. */
  keep: cookieProcedure.mutation(({ ctx }) => keepAccount(ctx.deps, ctx.http)),
});
