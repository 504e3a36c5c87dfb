// Tickets stand for a right password until the second factor is proven: for five minutes and five codes. Only their
// hashes are stored.
import { createHash, randomBytes } from 'node:crypto';
import type { Db, Query } from '@parley/db/client';
import { signInTickets } from '@parley/db/tables/users';
import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';

const MINUTES = 5;
const TRIES_MAX = 5;

export async function createTicket({ query }: Db, userId: string): Promise<string> {
  const ticket = randomBytes(32).toString('base64url');
  const expiresAt = sql`now() + make_interval(mins => ${MINUTES})`;
  await query.insert(signInTickets).values({ hash: hashOf(ticket), userId, expiresAt });
  return ticket;
}

/** Counts a try, and returns whose ticket it is; undefined when it has expired, was used, or has no tries left. */
export async function tryTicket({ query }: Db, ticket: string): Promise<string | undefined> {
  const [row] = await query
    .update(signInTickets)
    .set({ tries: sql`${signInTickets.tries} + 1` })
    .where(and(isValid(ticket), lt(signInTickets.tries, TRIES_MAX)))
    .returning({ userId: signInTickets.userId });
  return row?.userId;
}

/** False when somebody else used it meanwhile, or the password has changed. */
export async function consumeTicket(tx: Query, ticket: string): Promise<boolean> {
  const used = await tx.delete(signInTickets).where(isValid(ticket)).returning({ hash: signInTickets.hash });
  return used.length > 0;
}

/** The password for which they stand has changed. */
export async function removeTickets(tx: Query, userId: string): Promise<void> {
  await tx.delete(signInTickets).where(eq(signInTickets.userId, userId));
}

/** Removes expired ones. */
export async function sweepTickets({ query }: Db): Promise<void> {
  await query.delete(signInTickets).where(lte(signInTickets.expiresAt, sql`now()`));
}

function isValid(ticket: string) {
  return and(eq(signInTickets.hash, hashOf(ticket)), gt(signInTickets.expiresAt, sql`now()`));
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}
