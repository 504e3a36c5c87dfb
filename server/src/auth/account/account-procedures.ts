// What people change of their own account, and where they are signed in.
import { DeleteAccount } from '@parley/schema/accounts/deletion';
import { DeviceRef } from '@parley/schema/accounts/devices';
import { Profile, type User } from '@parley/schema/accounts/users';
import { cleanText } from '@parley/schema/clean-text';
import { onlineProcedure, steppedUpProcedure } from '../step-up/elevated-procedure.ts';
import { protectedProcedure } from '../procedures.ts';
import { callerSession } from '../../platform/requests/auth-session.ts';
import { requestDeletion } from './deletion.ts';
import { listDevices, signOutDevice, signOutOthers } from './devices.ts';
import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { and, eq, ne, sql } from 'drizzle-orm';
import { nextHint } from '../../convos/changes.ts';
import { refuse } from '../../platform/errors.ts';
import { presentUser } from '../users.ts';

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

/**
 * Changes the name and the user name; the other browsers of the user are notified. What is absent stays.
 * @throws Refusal `username_taken`, `not_found`
 */
function updateProfile({ db }: { db: Db }, userId: string, profile: Profile): Promise<User> {
  const { name, username } = profile;
  return db.query.transaction(async (tx) => {
    if (username) {
      // The names of accounts from sign-in sites and imports may repeat, so no index keeps them apart.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('username ' || ${username}, 0))`);
      const [taken] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(sql`lower(${users.username})`, username), ne(users.id, userId)))
        .limit(1);
      if (taken) refuse({ type: 'username_taken' });
    }
    await nextHint(tx, userId, 'settings');
    const [user] = await tx
      .update(users)
      .set({ ...(name !== undefined && { name }), ...(username !== undefined && { username }), updatedAt: sql`now()` })
      .where(eq(users.id, userId))
      .returning();
    return user ? presentUser(user) : refuse({ type: 'not_found', what: 'user' });
  });
}
