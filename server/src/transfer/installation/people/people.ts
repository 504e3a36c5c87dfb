// The users of an installation, with their passwords and balances.
import { balances, transactions } from '@parley/db/tables/balances';
import { cleanText } from '@parley/schema/clean-text';
import { users } from '@parley/db/tables/users';
import { eq, sql, and, isNull } from 'drizzle-orm';
import * as z from 'zod';
import { isBcrypt } from '../../../auth/password/password-hash.ts';
import { createUser, type UserRow } from '../../../auth/users.ts';
import { findCollectionFile, readDocuments, type Document } from '../documents.ts';
import { bringFactor, factorFields } from './factors.ts';
import {
  readIdentities,
  linkIdentities,
  chooseProvider,
  readRealms,
  siteIds,
  siteNotes,
  type Realms,
} from './identities.ts';
import { skip, type Count, type Report } from '../report.ts';
import type { People, Target } from '../target.ts';
import type { Db } from '@parley/db/client';
import { saveAvatar } from '../../../files/avatar.ts';
import { Refusal } from '../../../platform/errors.ts';
import { readInstallationBytes } from '../bytes.ts';
import { derivedId } from '../../../platform/derived-id.ts';

const name = z.string().trim().min(1).max(256).overwrite(cleanText);
const Person = z.object({
  _id: z.string().min(1),
  email: z.string().trim().toLowerCase().min(3).max(256).overwrite(cleanText),
  name: name.optional().catch(undefined),
  username: name.optional().catch(undefined),
  password: z.string().refine(isBcrypt).optional().catch(undefined),
  role: z.string().catch('USER'),
  emailVerified: z.boolean().catch(false),
  plugins: z.array(z.string().max(256)).catch([]),
  createdAt: z.iso.datetime().optional().catch(undefined),
  avatar: z.string().max(4096).optional().catch(undefined),
  provider: z.string().optional().catch(undefined),
  ...siteIds,
  ...factorFields,
});

type Person = z.infer<typeof Person>;

/**
 * An account with the same address that is proved stays as it is, and gets what its person has there.
 * @throws Error before anything is written
 */
export async function importUsers(target: Target, folder: string, report: Report): Promise<People> {
  const { users: count } = report;
  const all = await readPeople(await findCollectionFile(folder, 'users'), count);
  const { given, mergedInto } = separateAddresses(all, report);
  const admin = target.admin?.trim().toLowerCase();
  if (admin !== undefined && !given.some(({ email }) => email === admin))
    throw new Error(`The export has nobody with the address ${admin}, so nobody becomes an administrator.`);
  const known = await knownAccounts(target, given);
  const people = new Map<string, string>();
  const realms = readRealms(target.config);
  const asked: string[] = [];
  for (const person of given) {
    const there = known.get(person.email);
    if (there) count.present += 1;
    else count.written += 1;
    if (there?.isJoined) report.joined.push(person.email);
    const userId = there?.id ?? (await addUser(target, person, realms));
    people.set(person._id, userId);
    if ((await bringWaysToSignIn(target, userId, person, { realms, isHere: there?.isJoined })) === 'asked')
      asked.push(person.email);
  }
  for (const [id, first] of mergedInto) people.set(id, people.get(first) ?? '');
  addNotes(
    report,
    asked,
    siteNotes(
      given.map((person) => readIdentities(person, realms)),
      realms,
    ),
  );
  await importAvatars(target, folder, given, people, report.avatars);
  await appointAdmin(target, admin, report);
  return people;
}

async function readPeople(path: string | null, count: Count): Promise<Person[]> {
  const given: Person[] = [];
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    count.read += 1;
    const { data } = Person.safeParse(document);
    if (data) given.push(data);
    else skip(count, 'no id or e-mail address');
  }
  return given;
}

/** An account that was here keeps its own: nobody proved here that those of the export are its person's. */
async function bringWaysToSignIn(
  target: Target,
  userId: string,
  person: Person,
  { realms, isHere = false }: { realms: Realms; isHere: boolean | undefined },
) {
  if (isHere) return null;
  if (!target.isDry) await linkIdentities(target.db.query, userId, readIdentities(person, realms));
  return bringFactor(target, userId, person);
}

function addNotes({ notes }: Report, asked: readonly string[], sites: readonly string[]): void {
  notes.push(...sites);
  if (asked.length > 0)
    notes.push(
      `Second factors that could not be decrypted: ${asked.join(', ')}. They add one at the next sign-in, before anything else. With LIBRECHAT_CREDS_KEY and LIBRECHAT_CREDS_IV set, run this again: that brings the factors of those who have added none.`,
    );
}

/** Its factor is asked for from its first moment: nobody signs in between by the password alone. */
async function addUser({ db, isDry }: Target, person: Person, realms: Realms): Promise<string> {
  const id = idOfPerson(person._id);
  if (isDry) return id;
  const { email, password, username, emailVerified, plugins, createdAt, role, twoFactorEnabled } = person;
  const user = await createUser(db, {
    id,
    email,
    name: person.name ?? username ?? email,
    username: username ?? null,
    passwordHash: password ?? null,
    emailVerified,
    plugins,
    role: role === 'ADMIN' ? 'ADMIN' : 'USER',
    ...(createdAt && { createdAt }),
    provider: chooseProvider(person.provider, readIdentities(person, realms)),
    mustAddFactor: twoFactorEnabled,
  });
  return user?.id ?? id;
}

/** Anyone who is first in the export is no administrator for that alone. */
async function appointAdmin({ db, isDry }: Target, admin: string | undefined, { notes }: Report): Promise<void> {
  if (isDry) return;
  if (admin !== undefined)
    await db.query
      .update(users)
      .set({ role: 'ADMIN' })
      .where(eq(sql`lower(${users.email})`, admin));
  if ((await db.query.$count(users, eq(users.role, 'ADMIN'))) === 0)
    notes.push('Nobody is an administrator: run this again with --admin <address>, which adds nothing else.');
}

/** Who owns a document; counted as skipped when nobody here does. */
export function documentOwner(document: Document | null, people: People, count: Count): string | null {
  count.read += 1;
  const owner = document && typeof document.user === 'string' ? people.get(document.user) : undefined;
  if (!owner) skip(count, document ? 'its user is not in the export' : 'not readable');
  return owner ?? null;
}

/** A user who has a balance here keeps it. */
export async function importBalances(target: Target, path: string | null, people: People, count: Count) {
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    const userId = documentOwner(document, people, count);
    if (!document || !userId) continue;
    const credits = Math.max(0, Math.round(Number(document.tokenCredits)));
    if (!Number.isSafeInteger(credits)) skip(count, 'no amount');
    else if (await addBalance(target, userId, credits)) count.written += 1;
    else count.present += 1;
  }
}

/** False when there is one. */
async function addBalance({ db, isDry }: Target, userId: string, credits: number): Promise<boolean> {
  if (isDry) return (await db.query.$count(balances, eq(balances.userId, userId))) === 0;
  return db.query.transaction(async (tx) => {
    const added = await tx.insert(balances).values({ userId, credits }).onConflictDoNothing().returning();
    if (added.length === 0) return false;
    const given = { tokenType: 'credits', context: 'added', rawAmount: credits, tokenValue: credits } as const;
    await tx.insert(transactions).values({ userId, ...given });
    return true;
  });
}

// Images of people whose bytes lie beside the export.

/** A person who has an image here keeps it. */
async function importAvatars(
  target: Target,
  folder: string,
  given: readonly { _id: string; avatar?: string | undefined }[],
  people: People,
  count: Count,
): Promise<void> {
  for (const { _id, avatar } of given) {
    const userId = people.get(_id);
    if (!avatar || !userId) continue;
    count.read += 1;
    const path = await readInstallationBytes(folder, avatar);
    if (/^https?:/i.test(avatar)) skip(count, 'at another site, which brings it at the next sign-in');
    else if (path === null) skip(count, 'their bytes are not in the folder');
    else if (!target.isDry && !(await hasNone(target.db, userId))) count.present += 1;
    else if (target.isDry || (await saveAvatarFile(target, userId, path, avatar))) count.written += 1;
    else skip(count, 'no picture that can be read');
  }
}

async function saveAvatarFile(target: Target, userId: string, path: string, avatar: string): Promise<boolean> {
  try {
    await saveAvatar(target, userId, path, avatar.includes('manual=true') ? 'user' : 'site');
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

async function hasNone({ query }: Db, userId: string): Promise<boolean> {
  return (await query.$count(users, and(eq(users.id, userId), isNull(users.avatar)))) > 0;
}

// Which accounts here are people of the export. An account gets all that its person has there, so who has registered an
// address without proving it gets nothing: the address was proved here by a mail or by a sign-in of another site, or the
// operator names it.
interface Known {
  id: string;
  /** False for an account of an earlier run. */
  isJoined: boolean;
}

/** The id here of a person of the export. */
function idOfPerson(id: string): string {
  return derivedId('installation', 'user', id);
}

/** The accounts here by address. @throws Error that names the accounts which nobody proved */
async function knownAccounts(
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

// An address that several people of an export have. Here each account has its own.
interface Addressed {
  _id: string;
  email: string;
  emailVerified: boolean;
}

/**
 * Of people with one address the first whose address is confirmed keeps it, else the first. Another one is the same
 * person if both addresses are confirmed; else it may be a stranger who registered with that address, and stands
 * apart under an address of its own.
 */
function separateAddresses<One extends Addressed>(
  all: readonly One[],
  { users: count, notes }: Pick<Report, 'users' | 'notes'>,
): { given: One[]; mergedInto: ReadonlyMap<string, string> } {
  const byAddress = new Map<string, One[]>();
  for (const one of all) byAddress.set(one.email, [...(byAddress.get(one.email) ?? []), one]);
  const mergedInto = new Map<string, string>();
  const renamed = new Map<string, string>();
  for (const [email, same] of byAddress) {
    const first = same.find(({ emailVerified }) => emailVerified) ?? same[0];
    for (const other of same) {
      if (first === undefined || other === first) continue;
      if (other._id === first._id || (first.emailVerified && other.emailVerified)) {
        if (other._id !== first._id) mergedInto.set(other._id, first._id);
        skip(count, 'the same person as another one of the export');
        notes.push(
          `${email} is in the export more than once, confirmed each time: all that they have is in one account.`,
        );
      } else {
        const own = email.replace(/@(?=[^@]*$)/, `+${other._id}@`);
        renamed.set(other._id, own);
        notes.push(
          `${email} is in the export more than once, and was not confirmed each time: another account of it is ${own} here.`,
        );
      }
    }
  }
  const seen = new Set<string>();
  const given = all.flatMap((person) => {
    if (mergedInto.has(person._id) || seen.has(person._id)) return [];
    seen.add(person._id);
    return [{ ...person, email: renamed.get(person._id) ?? person.email }];
  });
  return { given, mergedInto };
}
