// Tickets stand for a right password until the second factor is proven: for five minutes and five tries. Challenges are
// what a passkey signs, once and for one purpose. Confirmations are in the links that prove an address, for a day. Only the
// hashes of all are stored.
import { hash, randomBytes } from 'node:crypto';
import type { Db, Query } from '@parley/db/client';
import { signInTickets } from '@parley/db/tables/users';
import { and, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm';

const MINUTES = 5;
const TRIES_MAX = 5;
export const CONFIRM_HOURS = 24;

type Purpose = (typeof signInTickets.$inferSelect)['purpose'];

/** What a challenge is for. Of a sign-in with a passkey it is not known yet whose. */
export type ChallengeUse = { purpose: 'passkey' } | { purpose: 'factor' | 'enrol'; userId: string };

export function createTicket({ query }: Db, userId: string): Promise<string> {
  return insert(query, 'password', userId);
}

/** Counts a try, and returns whose ticket it is; undefined when it has expired, was used, or has no tries left. */
export async function tryTicket({ query }: Db, ticket: string): Promise<string | undefined> {
  const [row] = await query
    .update(signInTickets)
    .set({ tries: sql`${signInTickets.tries} + 1` })
    .where(and(isValid(ticket, 'password'), lt(signInTickets.tries, TRIES_MAX)))
    .returning({ userId: signInTickets.userId });
  return row?.userId ?? undefined;
}

/** Whose ticket it is, without a try. */
export async function ownerOfTicket({ query }: Db, ticket: string): Promise<string | undefined> {
  const [row] = await query
    .select({ userId: signInTickets.userId })
    .from(signInTickets)
    .where(and(isValid(ticket, 'password'), lt(signInTickets.tries, TRIES_MAX)));
  return row?.userId ?? undefined;
}

/** False when somebody else used it meanwhile, or the password has changed. */
export async function consumeTicket(tx: Query, ticket: string): Promise<boolean> {
  const used = await tx
    .delete(signInTickets)
    .where(isValid(ticket, 'password'))
    .returning({ hash: signInTickets.hash });
  return used.length > 0;
}

/** In base64url, as browsers return it. */
export function createChallenge({ query }: Db, use: ChallengeUse): Promise<string> {
  return insert(query, use.purpose, ownerIn(use));
}

/** False when it was used, has expired, or is for something or somebody else. */
export async function consumeChallenge({ query }: Db, challenge: string, use: ChallengeUse): Promise<boolean> {
  const owner = ownerIn(use);
  const isOwners = owner === null ? isNull(signInTickets.userId) : eq(signInTickets.userId, owner);
  const used = await query
    .delete(signInTickets)
    .where(and(isValid(challenge, use.purpose), isOwners))
    .returning({ hash: signInTickets.hash });
  return used.length > 0;
}

export function createConfirmation({ query }: Pick<Db, 'query'>, userId: string): Promise<string> {
  return insert(query, 'confirm', userId, CONFIRM_HOURS * 60);
}

/** Whose address is confirmed; undefined when the link was used or has expired. */
export async function consumeConfirmation(tx: Query, token: string): Promise<string | undefined> {
  const [used] = await tx
    .delete(signInTickets)
    .where(isValid(token, 'confirm'))
    .returning({ userId: signInTickets.userId });
  return used?.userId ?? undefined;
}

/** The password for which they stand has changed. */
export async function removeTickets(tx: Query, userId: string): Promise<void> {
  await tx.delete(signInTickets).where(eq(signInTickets.userId, userId));
}

/** Removes expired ones. */
export async function sweepTickets({ query }: Db): Promise<void> {
  await query.delete(signInTickets).where(lte(signInTickets.expiresAt, sql`now()`));
}

async function insert(query: Query, purpose: Purpose, userId: string | null, minutes = MINUTES): Promise<string> {
  const ticket = randomBytes(32).toString('base64url');
  const expiresAt = sql`now() + make_interval(mins => ${minutes})`;
  await query.insert(signInTickets).values({ hash: hash('sha256', ticket), purpose, userId, expiresAt });
  return ticket;
}

function ownerIn(use: ChallengeUse): string | null {
  return use.purpose === 'passkey' ? null : use.userId;
}

function isValid(ticket: string, purpose: Purpose) {
  return and(
    eq(signInTickets.hash, hash('sha256', ticket)),
    eq(signInTickets.purpose, purpose),
    gt(signInTickets.expiresAt, sql`now()`),
  );
}
