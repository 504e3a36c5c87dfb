// Links that let people register where registration is closed. Each works once, while the administrator who made it is
// one, and only its hash is stored.
import { hash, randomBytes } from 'node:crypto';
import type { Db, Query, Tx } from '@parley/db/client';
import { invitations } from '@parley/db/tables/administration';
import type { InvitationFacts } from '@parley/schema/accounts/registration';
import type { InvitationRow, Invite } from '@parley/schema/accounts/people';
import { and, desc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import { refuse } from '../../platform/errors.ts';
import { isoTime } from '../../platform/iso-time.ts';
import { holdMaker, restsOnAdministrator } from '../administrators.ts';
import type { UserRow } from '../users.ts';

/** More are not shown. */
const LISTED_MAX = 200;

/** The link is known to the caller alone. `createdBy` is null for a command of the operator. */
export async function createInvitation(
  tx: Tx,
  domainClient: string,
  { email, role, expiresInDays, createdBy }: Invite & { createdBy: string | null },
): Promise<{ id: string; link: string }> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = sql`now() + make_interval(days => ${expiresInDays})`;
  const [row] = await tx
    .insert(invitations)
    .values({ hash: hash('sha256', token), email, role, createdBy, expiresAt })
    .returning({ id: invitations.id });
  return { id: row?.id ?? '', link: `${domainClient}/register?invitation=${token}` };
}

/** Those that can still be used, the newest first. */
export async function listInvitations({ query }: Db): Promise<InvitationRow[]> {
  const rows = await query
    .select()
    .from(invitations)
    .where(isUsable())
    .orderBy(desc(invitations.createdAt), invitations.id)
    .limit(LISTED_MAX);
  return rows.map(({ id, email, role, createdAt, expiresAt }) => ({
    id,
    email,
    role,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
  }));
}

/** Returns what was taken back; undefined when it was used or has expired. */
export async function revokeInvitation(tx: Tx, id: string): Promise<{ email: string | null } | undefined> {
  const [row] = await tx
    .delete(invitations)
    .where(and(eq(invitations.id, id), isUsable()))
    .returning({ email: invitations.email });
  return row;
}

/** What its page may know before the form is sent. @throws Refusal `invalid_invitation` */
export async function findInvitation({ query }: Db, token: string): Promise<InvitationFacts> {
  const [row] = await query
    .select({ email: invitations.email })
    .from(invitations)
    .where(and(eq(invitations.hash, hash('sha256', token)), isUsable()));
  return row ?? refuse({ type: 'invalid_invitation' });
}

/**
 * Holds the invitation for an address. Others who come with the same link wait for the end of this transaction, and are
 * refused if it has used it; so does anyone who takes the role away from its maker.
 * @throws Refusal `invalid_invitation`
 */
export async function lockInvitation(
  tx: Query,
  token: string,
  email: string,
): Promise<{ id: string; role: UserRow['role']; email: string | null }> {
  const isOfToken = eq(invitations.hash, hash('sha256', token));
  const [made] = await tx.select({ by: invitations.createdBy }).from(invitations).where(isOfToken);
  await holdMaker(tx, made?.by);
  const isForThem = or(isNull(invitations.email), eq(invitations.email, email.toLowerCase()));
  const [row] = await tx
    .select({ id: invitations.id, role: invitations.role, email: invitations.email })
    .from(invitations)
    .where(and(isOfToken, isUsable(), isForThem))
    .for('update');
  return row ?? refuse({ type: 'invalid_invitation' });
}

export async function useInvitation(tx: Query, id: string, userId: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ usedAt: sql`now()`, usedBy: userId })
    .where(eq(invitations.id, id));
}

/** Ends those that somebody has made and nobody has used. */
export async function removeInvitationsOf(tx: Tx, userId: string): Promise<void> {
  await tx.delete(invitations).where(and(eq(invitations.createdBy, userId), isNull(invitations.usedAt)));
}

/** Removes those that expired unused a week ago, and used ones after a year. */
export async function sweepInvitations({ query }: Db): Promise<void> {
  const isUnused = and(isNull(invitations.usedAt), lte(invitations.expiresAt, sql`now() - interval '7 days'`));
  await query.delete(invitations).where(or(isUnused, lte(invitations.usedAt, sql`now() - interval '1 year'`)));
}

function isUsable() {
  const isOpen = and(isNull(invitations.usedAt), gt(invitations.expiresAt, sql`now()`));
  return and(isOpen, restsOnAdministrator(invitations.createdBy));
}
