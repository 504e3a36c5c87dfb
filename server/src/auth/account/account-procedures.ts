// What people change of their own account, and where they are signed in.
import { DeleteAccount } from '@parley/schema/accounts/deletion';
import { DeviceRef } from '@parley/schema/accounts/devices';
import { Profile } from '@parley/schema/accounts/users';
import { cleanText } from '@parley/schema/clean-text';
import { onlineProcedure, steppedUpProcedure } from '../step-up/elevated-procedure.ts';
import { protectedProcedure } from '../procedures.ts';
import { callerSession } from '../../platform/requests/auth-session.ts';
import { requestDeletion } from './deletion.ts';
import { listDevices, signOutDevice, signOutOthers } from './devices.ts';
import { updateProfile } from './profile.ts';

export const accountProcedures = {
  /** Changes the name or the user name. */
  updateProfile: protectedProcedure
    .input(Profile)
    .mutation(({ ctx, input }) => updateProfile(ctx.deps, ctx.user.id, clean(input))),

  /** Where the user is signed in. */
  devices: protectedProcedure.query(({ ctx }) => listDevices(ctx.deps.db, callerSession(ctx))),

  signOutDevice: onlineProcedure
    .input(DeviceRef)
    .mutation(({ ctx, input }) => signOutDevice(ctx.deps, ctx.http, callerSession(ctx), input.id)),

  signOutOthers: onlineProcedure.mutation(({ ctx }) => signOutOthers(ctx.deps, ctx.http, callerSession(ctx))),

  /** Deletes the account in some days; returns when. Signing in before that takes it back. */
  deleteAccount: steppedUpProcedure.input(DeleteAccount).mutation(async ({ ctx, input }) => {
    return { dueAt: await requestDeletion(ctx.deps, ctx.http, callerSession(ctx), input) };
  }),
};

function clean({ name, username }: Profile): Profile {
  return { ...(name !== undefined && { name: cleanText(name) }), ...(username !== undefined && { username }) };
}
