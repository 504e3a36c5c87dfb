// Which accounts here are people of the export. An account gets all that its person has there, so who has registered an
// address without proving it gets nothing: the address was proved here by a mail or by a sign-in of another site, or the
// operator names it.
import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { sql } from 'drizzle-orm';
import { derivedId } from '../../../platform/derived-id.ts';
import type { UserRow } from '../../../auth/users.ts';
import type { Target } from '../target.ts';

export interface Known {
  id: string;
  /** False for an account of an earlier run. */
  isJoined: boolean;
}

/** The id here of a person of the export. */
export function idOfPerson(id: string): string {
  return derivedId('installation', 'user', id);
}

/** The accounts here by address. @throws Error that names the accounts which nobody proved */
export async function knownAccounts(
  { db, join = [], joinsAll = false }: Pick<Target, 'db' | 'join' | 'joinsAll'>,
  people: readonly { _id: string; email: string }[],
): Promise<ReadonlyMap<string, Known>> {
  const there = await findByAddress(
    db,
    people.map(({ email }) => email),
  );
  const named = new Set(join.map((email) => email.trim().toLowerCase()));
  const unknown = [...named].filter((email) => !people.some((person) => person.email === email));
  if (unknown.length > 0) throw new Error(`The export has nobody with the address ${unknown.join(', ')}.`);
  const known = new Map<string, Known>();
  const unproved: string[] = [];
  for (const { _id, email } of people) {
    const account = there.get(email);
    if (!account) continue;
    const isJoined = account.id !== idOfPerson(_id);
    if (isJoined && !account.emailVerified && !joinsAll && !named.has(email)) unproved.push(email);
    known.set(email, { id: account.id, isJoined });
  }
  if (unproved.length > 0) throw new Error(sentenceOf([...new Set(unproved)]));
  return known;
}

function sentenceOf(unproved: readonly string[]): string {
  return [
    'Nothing was written: these accounts are here already and have the address of a person of the export, but nobody has proved that it is theirs. Each would get the conversations of that person.',
    ...unproved.map((email) => `  ${email}`),
    'Name each that is the same person with --join <address>, or take --join-all if all of them are. A mailed reset link or a sign-in by another site proves an address, too.',
  ].join('\n');
}

async function findByAddress({ query }: Db, emails: readonly string[]): Promise<Map<string, UserRow>> {
  const isOne = sql`lower(${users.email}) = any(${sql.param(emails)}::text[])`;
  const rows = await query.select().from(users).where(isOne);
  return new Map(rows.map((row) => [row.email.toLowerCase(), row]));
}
