// The keys that people saved for providers and plugins: decrypted with the secrets of the other installation, encrypted
// with those of this one. A key that a person has here stays.
import { pluginKeys } from '@parley/db/tables/tools';
import { cleanText } from '@parley/schema/clean-text';
import * as z from 'zod';
import { and, eq } from 'drizzle-orm';
import { PLUGIN_FIELDS } from '../../../plugins/manifest.ts';
import { findEncrypted, putKey } from '../../../keys/keys.ts';
import { savePluginValues } from '../../../plugins/keys.ts';
import { readDocuments, type Document } from '../documents.ts';
import { decryptOld } from './old-secrets.ts';
import { skip, type Count } from '../report.ts';
import type { People, Target } from '../target.ts';

const WITHOUT_SECRETS = 'LIBRECHAT_CREDS_KEY and LIBRECHAT_CREDS_IV are not given';
const UNDECRYPTED = 'these secrets do not decrypt them';

const SavedKey = z.object({
  userId: z.string(),
  name: z.string().min(1).max(128).overwrite(cleanText),
  value: z.string().max(65_536),
  expiresAt: z.iso.datetime().nullish().catch(null),
});

export async function importKeys(target: Target, path: string | null, people: People, count: Count): Promise<void> {
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    count.read += 1;
    const { data } = SavedKey.safeParse(document);
    if (!data) skip(count, 'not readable');
    else if (data.expiresAt && Date.parse(data.expiresAt) <= Date.now()) skip(count, 'they have expired');
    else await importValue(target, people, data, count, () => importKey(target, people.get(data.userId) ?? '', data));
  }
}

async function importKey(target: Target, userId: string, { name, value, expiresAt }: z.infer<typeof SavedKey>) {
  const { db, encryption, oldSecrets, isDry } = target;
  if (await findEncrypted(db, userId, name)) return 'present';
  const plain = oldSecrets ? decryptOld(oldSecrets, value) : null;
  if (plain === null || !encryption) return 'undecrypted';
  if (!isDry)
    await putKey(db, userId, {
      name,
      expiresAt: expiresAt ?? null,
      encrypted: encryption.encrypt(plain, { userId, name }),
    });
  return 'written';
}

const PluginAuth = z.object({ userId: z.string(), authField: z.string(), value: z.string().max(65_536) });

export async function importPluginKeys(
  target: Target,
  path: string | null,
  people: People,
  count: Count,
): Promise<void> {
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    count.read += 1;
    const { data } = PluginAuth.safeParse(document);
    const field = data?.authField.split('||').find((name) => Object.hasOwn(PLUGIN_FIELDS, name));
    if (!data) skip(count, 'not readable');
    else if (field === undefined) skip(count, 'no plugin here has such a field');
    else await importValue(target, people, data, count, () => importPluginKey(target, people, data, field));
  }
}

async function importPluginKey(target: Target, people: People, auth: z.infer<typeof PluginAuth>, field: string) {
  const { db, encryption, oldSecrets, isDry } = target;
  const userId = people.get(auth.userId) ?? '';
  const isField = and(eq(pluginKeys.userId, userId), eq(pluginKeys.field, field));
  if ((await db.query.$count(pluginKeys, isField)) > 0) return 'present';
  const plain = oldSecrets ? decryptOld(oldSecrets, auth.value) : null;
  if (plain === null || !encryption) return 'undecrypted';
  if (!isDry) await db.query.transaction((tx) => savePluginValues(tx, encryption, userId, { [field]: plain }));
  return 'written';
}

/** Counts what became of a value. */
async function importValue(
  { oldSecrets, encryption }: Target,
  people: People,
  document: Document & { userId: string },
  count: Count,
  work: () => Promise<'present' | 'undecrypted' | 'written'>,
): Promise<void> {
  if (!people.has(document.userId)) return skip(count, 'their user is not in the export');
  if (!oldSecrets || !encryption) return skip(count, WITHOUT_SECRETS);
  const outcome = await work();
  if (outcome === 'undecrypted') skip(count, UNDECRYPTED);
  else count[outcome] += 1;
}
