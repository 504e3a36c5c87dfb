// The users of an installation, with their passwords and balances.
import { balances, transactions } from '@parley/db/tables/balances';
import { cleanText } from '@parley/schema/clean-text';
import { users } from '@parley/db/tables/users';
import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { isBcrypt } from '../../../auth/password/password-hash.ts';
import { createUser } from '../../../auth/users.ts';
import { importAvatars } from './avatars.ts';
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
import { idOfPerson, knownAccounts } from './join-accounts.ts';
import { separateAddresses } from './separate-addresses.ts';
import { skip, type Count, type Report } from '../report.ts';
import type { People, Target } from '../target.ts';

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
