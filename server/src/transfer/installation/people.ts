// The users of an installation, with their passwords, presets and balances.
import type { Db } from '@parley/db/client';
import { balances, transactions } from '@parley/db/tables/balances';
import { presets } from '@parley/db/tables/presets';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { cleanText } from '@parley/schema/clean-text';
import { Id } from '@parley/schema/ids';
import { PRESET_TITLE_MAX, UNNAMED } from '@parley/schema/settings/presets';
import * as z from 'zod';
import type { Keeper } from '../../files/keep-file.ts';
import { isBcrypt } from '../../auth/password/password-hash.ts';
import { createUser, findUserByEmail } from '../../auth/users.ts';
import { derivedId } from '../../platform/derived-id.ts';
import { presetSettings } from '../../presets/settings.ts';
import { readDocuments, type Document } from './documents.ts';
import { skip, type Count } from './report.ts';

/** Ids of users here by their ids there. */
export type People = ReadonlyMap<string, string>;

export interface Target extends Keeper {
  /** Writes nothing. */
  isDry: boolean;
}

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
});

/** An account with the same e-mail address is that user and stays as it is. */
export async function importUsers(target: Target, path: string | null, count: Count): Promise<People> {
  const people = new Map<string, string>();
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    count.read += 1;
    const { data } = Person.safeParse(document);
    if (!data) {
      skip(count, 'no id or e-mail address');
      continue;
    }
    const there = await findUserByEmail(target.db, data.email);
    if (there) count.present += 1;
    else count.written += 1;
    people.set(data._id, there?.id ?? (await addUser(target, data)));
  }
  return people;
}

async function addUser({ db, isDry }: Target, person: z.infer<typeof Person>): Promise<string> {
  const id = derivedId('installation', 'user', person._id);
  if (isDry) return id;
  const { email, password, username, emailVerified, plugins, createdAt, role } = person;
  const user = await createUser(db, {
    id,
    email,
    name: person.name ?? username ?? email,
    username: username ?? null,
    passwordHash: password ?? null,
    emailVerified,
    plugins,
    ...(role === 'ADMIN' && { role }),
    ...(createdAt && { createdAt }),
  });
  return user?.id ?? id;
}

/** Who owns a document; counted as skipped when nobody here does. */
function ownerOf(document: Document | null, people: People, count: Count): string | null {
  count.read += 1;
  const owner = document && typeof document.user === 'string' ? people.get(document.user) : undefined;
  if (!owner) skip(count, document ? 'its user is not in the export' : 'not readable');
  return owner ?? null;
}

export async function importPresets({ db, isDry }: Target, path: string | null, people: People, count: Count) {
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    const userId = ownerOf(document, people, count);
    if (!document || !userId) continue;
    const { presetId, title, endpoint, model, order } = document;
    const named = typeof endpoint === 'string' ? cleanText(endpoint).slice(0, 128) : null;
    const type = named === null ? null : typeOf(named);
    const chosen = typeof model === 'string' ? cleanText(model).slice(0, 256) : null;
    const values = {
      userId,
      id: Id.safeParse(presetId).data ?? derivedId('installation', 'preset', String(presetId ?? document._id)),
      title: typeof title === 'string' ? cleanText(title).slice(0, PRESET_TITLE_MAX) : UNNAMED,
      endpoint: named,
      endpointType: type,
      model: chosen,
      settings: type === null ? {} : presetSettings(type, withToolKeys(document), chosen),
      order: typeof order === 'number' && Number.isInteger(order) && order >= 0 ? order : null,
    };
    if (isDry) count.written += 1;
    else {
      const added = await db.query.insert(presets).values(values).onConflictDoNothing().returning({ id: presets.id });
      if (added.length > 0) count.written += 1;
      else count.present += 1;
    }
  }
}

function withToolKeys(document: Document): Document {
  if (!Array.isArray(document.tools)) return document;
  const Tool = z.union([z.string(), z.object({ pluginKey: z.string() }).transform(({ pluginKey }) => pluginKey)]);
  return { ...document, tools: document.tools.flatMap((tool) => Tool.safeParse(tool).data ?? []) };
}

function typeOf(endpoint: string): EndpointType {
  return Object.hasOwn(endpointTable, endpoint) ? (endpoint as EndpointType) : 'custom';
}

/** A user who has a balance here keeps it. */
export async function importBalances({ db, isDry }: Target, path: string | null, people: People, count: Count) {
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    const userId = ownerOf(document, people, count);
    if (!document || !userId) continue;
    const credits = Math.max(0, Math.round(Number(document.tokenCredits)));
    if (!Number.isSafeInteger(credits)) skip(count, 'no amount');
    else if (isDry || (await addBalance(db, userId, credits))) count.written += 1;
    else count.present += 1;
  }
}

function addBalance(db: Db, userId: string, credits: number): Promise<boolean> {
  return db.query.transaction(async (tx) => {
    const added = await tx.insert(balances).values({ userId, credits }).onConflictDoNothing().returning();
    if (added.length === 0) return false;
    const given = { tokenType: 'credits', context: 'added', rawAmount: credits, tokenValue: credits } as const;
    await tx.insert(transactions).values({ userId, ...given });
    return true;
  });
}
