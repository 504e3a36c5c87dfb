// The people of a server, for administrators.
import {
  AddBalance,
  CreatePerson,
  InvitationRef,
  Invite,
  ListPeople,
  PersonRef,
  RemovePerson,
  SetRegistration,
  SetRole,
} from '@parley/schema/accounts/people';
import { cleanText } from '@parley/schema/clean-text';
import { isCommonPassword, TOO_COMMON } from '../../auth/password/common-passwords.ts';
import type { Registration } from '../../auth/registration/registration.ts';
import { callerSession, type Authenticator } from '../../platform/requests/auth-session.ts';
import { assertElevated } from '../../auth/step-up/elevation.ts';
import type { CallServices } from '../../http/trpc.ts';
import { refuse } from '../../platform/errors.ts';
import type { Mail } from '../../platform/mail.ts';
import type { ModelAccess } from '../../catalog/access/model-access.ts';
import { adminProcedures } from '../admin-procedure.ts';
import type { Actor } from '../audit-events.ts';
import { createPerson, invite, openInvitations, revoke } from './add-people.ts';
import {
  addBalance,
  approve,
  disable,
  enable,
  endSessions,
  makeResetLink,
  removePerson,
  resetFactors,
  setRole,
  type Office,
} from './change-person.ts';
import { listPeople } from './list-people.ts';
import { registrationSetting, setRegistration } from './registration-setting.ts';
import type { Config } from '../../config/config.ts';

export interface PeopleServices {
  access: ModelAccess;
  auth: Authenticator;
  mail: Mail | null;
  registration: Registration;
}

const { adminProcedure, sensitiveProcedure, router } = adminProcedures<PeopleServices>();

const NewPerson = CreatePerson.refine(({ password }) => password === undefined || !isCommonPassword(password), {
  error: TOO_COMMON,
  path: ['password'],
}).transform((input) => ({ ...input, name: cleanText(input.name) }));

export const peopleProcedures = router({
  list: adminProcedure
    .input(ListPeople)
    .query(({ ctx: { deps }, input }) => listPeople(deps.db, input, deps.config.startup.checkBalance)),

  /** The link is returned this once. */
  invite: adminProcedure.input(Invite).mutation(async ({ ctx, input }) => {
    if (input.role === 'ADMIN') await assertElevated(ctx.deps.db.query, callerSession(ctx));
    return invite({ ...officeOf(ctx), mail: ctx.deps.mail }, input);
  }),

  invitations: adminProcedure.query(({ ctx }) => openInvitations(ctx.deps)),

  revokeInvitation: adminProcedure.input(InvitationRef).mutation(({ ctx, input }) => revoke(officeOf(ctx), input.id)),

  /** Without a password it returns a link by which the person chooses one. */
  create: adminProcedure.input(NewPerson).mutation(async ({ ctx, input }) => {
    if (input.role === 'ADMIN') await assertElevated(ctx.deps.db.query, callerSession(ctx));
    return createPerson({ ...officeOf(ctx), mail: ctx.deps.mail }, input);
  }),

  setRole: sensitiveProcedure
    .input(SetRole)
    .mutation(({ ctx, input }) => changing(ctx, input.userId, (office) => setRole(office, input.userId, input.role))),

  disable: sensitiveProcedure
    .input(PersonRef)
    .mutation(({ ctx, input }) => changing(ctx, input.userId, (office) => disable(office, input.userId))),

  enable: sensitiveProcedure
    .input(PersonRef)
    .mutation(({ ctx, input }) => changing(ctx, input.userId, (office) => enable(office, input.userId))),

  approve: adminProcedure
    .input(PersonRef)
    .mutation(({ ctx, input }) => changing(ctx, input.userId, (office) => approve(office, input.userId))),

  endSessions: adminProcedure
    .input(PersonRef)
    .mutation(({ ctx, input }) => changing(ctx, input.userId, (office) => endSessions(office, input.userId))),

  resetFactors: sensitiveProcedure
    .input(PersonRef)
    .mutation(({ ctx, input }) =>
      changing(ctx, input.userId, (office) => resetFactors({ ...office, mail: ctx.deps.mail }, input.userId)),
    ),

  /** The link is returned this once. */
  resetLink: sensitiveProcedure
    .input(PersonRef)
    .mutation(({ ctx, input }) => makeResetLink(officeOf(ctx), input.userId)),

  /** Returns when it is due. */
  remove: sensitiveProcedure
    .input(RemovePerson)
    .mutation(({ ctx, input: { userId, canReturn } }) =>
      changing(ctx, userId, async (office) => ({ dueAt: await removePerson(office, userId, canReturn) })),
    ),

  /** @throws Refusal `forbidden` where nothing is charged */
  addBalance: adminProcedure.input(AddBalance).mutation(async ({ ctx, input }) => {
    if (!ctx.deps.config.startup.checkBalance) refuse({ type: 'forbidden' });
    return { balance: await addBalance(officeOf(ctx), input.userId, input.credits) };
  }),

  /** Who may register. */
  registration: adminProcedure.query(({ ctx }) => registrationSetting(ctx.deps)),

  setRegistration: adminProcedure.input(SetRegistration).mutation(async ({ ctx, input }) => {
    await setRegistration(ctx.deps, ctx.actor, input);
    return registrationSetting(ctx.deps);
  }),
});

interface AdminContext {
  deps: PeopleServices & Pick<CallServices, 'config' | 'db'>;
  actor: Actor;
}

function officeOf({ deps: { db, config }, actor }: AdminContext): Office & { config: Config } {
  return { db, config, actor };
}

/** This process need not wait for the notification that tells the others. */
async function changing<T>(ctx: AdminContext, userId: string, change: (office: Office) => Promise<T>): Promise<T> {
  const result = await change(officeOf(ctx));
  ctx.deps.auth.invalidateUser(userId);
  ctx.deps.access.forget(userId);
  return result;
}
