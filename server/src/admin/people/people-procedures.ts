// The people of a server, for administrators.
import {
  AddBalance,
  CreatePerson,
  InvitationRef,
  Invite,
  ListPeople,
  PersonRef,
  RemovePerson,
  SetRole,
} from '@parley/schema/accounts/people';
import { cleanText } from '@parley/schema/clean-text';
import { isCommonPassword, TOO_COMMON } from '../../auth/password/common-passwords.ts';
import { REGISTRATION, type Registration } from '../../auth/registration/registration.ts';
import { callerSession, type Authenticator } from '../../platform/requests/auth-session.ts';
import { assertElevated } from '../../auth/step-up/elevation.ts';
import type { CallServices } from '../../http/trpc.ts';
import { refuse } from '../../platform/errors.ts';
import type { Mail } from '../../platform/mail.ts';
import type { ModelAccess } from '../../catalog/access/model-access.ts';
import { adminProcedures } from '../admin-procedure.ts';
import type { Actor } from '../audit-events.ts';
import { settingProcedures } from '../saved/setting-procedures.ts';
import { createPerson, invite, openInvitations, revoke, type Registrar } from './add-people.ts';
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
} from './change-person.ts';
import { listPeople } from './list-people.ts';

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

const registration = settingProcedures(REGISTRATION, async (deps: PeopleServices) => deps.registration.forget());

export const peopleProcedures = router({
  list: adminProcedure
    .input(ListPeople)
    .query(({ ctx: { deps }, input }) => listPeople(deps.db, input, deps.config.startup.checkBalance)),

  /** The link is returned this once. */
  invite: adminProcedure.input(Invite).mutation(async ({ ctx, input }) => {
    if (input.role === 'ADMIN') await assertElevated(ctx.deps.db.query, callerSession(ctx));
    return invite(officeOf(ctx), input);
  }),

  invitations: adminProcedure.query(({ ctx }) => openInvitations(ctx.deps)),

  revokeInvitation: adminProcedure.input(InvitationRef).mutation(({ ctx, input }) => revoke(officeOf(ctx), input.id)),

  /** Without a password it returns a link by which the person chooses one. */
  create: adminProcedure.input(NewPerson).mutation(async ({ ctx, input }) => {
    if (input.role === 'ADMIN') await assertElevated(ctx.deps.db.query, callerSession(ctx));
    return createPerson(officeOf(ctx), input);
  }),

  setRole: sensitiveProcedure
    .input(SetRole)
    .mutation(({ ctx, input }) => changing(ctx, input.userId, (office) => setRole(office, input.userId, input.role))),

  disable: changes(sensitiveProcedure, disable),
  enable: changes(sensitiveProcedure, enable),
  approve: changes(adminProcedure, approve),
  endSessions: changes(adminProcedure, endSessions),
  resetFactors: changes(sensitiveProcedure, resetFactors),

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
  registration: registration.get,
  setRegistration: registration.set,
});

interface AdminContext {
  deps: PeopleServices & Pick<CallServices, 'config' | 'db'>;
  actor: Actor;
}

function officeOf({ deps: { db, config, mail }, actor }: AdminContext): Registrar {
  return { db, config, mail, actor };
}

/** A change of an account that takes no more than the account. */
function changes(procedure: typeof adminProcedure, change: (office: Registrar, userId: string) => Promise<void>) {
  return procedure
    .input(PersonRef)
    .mutation(({ ctx, input }) => changing(ctx, input.userId, (office) => change(office, input.userId)));
}

/** This process need not wait for the notification that tells the others. */
async function changing<T>(ctx: AdminContext, userId: string, change: (office: Registrar) => Promise<T>): Promise<T> {
  const result = await change(officeOf(ctx));
  ctx.deps.auth.invalidateUser(userId);
  ctx.deps.access.forget(userId);
  return result;
}
