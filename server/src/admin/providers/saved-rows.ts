// The stored providers of administrators. A key is encrypted and bound to the name of its provider.
import type { Db, Query } from '@parley/db/client';
import { providerSettings } from '@parley/db/tables/administration';
import { SAVED_TYPES, type SavedType } from '@parley/schema/catalog/provider-kinds';
import { ProviderConfig } from '@parley/schema/catalog/saved-providers';
import { eq } from 'drizzle-orm';
import type { Encryption, KeyOwner } from '../../keys/encryption.ts';
import type { SavedProvider } from '../../providers/saved/saved-provider.ts';

export type StoredProvider = typeof providerSettings.$inferSelect;

/** No account has this id. */
const SERVER = 'server';

export function providerKeyOwner(name: string): KeyOwner {
  return { userId: SERVER, name: `provider:${name}` };
}

/** In the order of the menu. */
export async function storedProviders(query: Query): Promise<StoredProvider[]> {
  return query.select().from(providerSettings).orderBy(providerSettings.position, providerSettings.name);
}

export async function lockProvider(query: Query, name: string): Promise<StoredProvider | undefined> {
  const [row] = await query.select().from(providerSettings).where(eq(providerSettings.name, name)).for('update');
  return row;
}

/** Those that are on and can be used, in the order of the menu. */
export async function readSaved({ query }: Db, encryption: Encryption): Promise<SavedProvider[]> {
  const rows = await storedProviders(query);
  return rows.filter(({ isOn }) => isOn).flatMap((row) => decrypted(row, encryption) ?? []);
}

/** Null when its key was encrypted with an unknown secret, or a newer server wrote it. */
export function decrypted(row: StoredProvider, encryption: Encryption): SavedProvider | null {
  const { data: config } = ProviderConfig.safeParse(row.config);
  const apiKey = row.encrypted === null ? undefined : encryption.decrypt(row.encrypted, providerKeyOwner(row.name));
  if (!config || !isSavedType(row.type) || apiKey === null) return null;
  return { ...config, name: row.name, type: row.type, apiKey };
}

export function isSavedType(type: string): type is SavedType {
  return SAVED_TYPES.some((known) => known === type);
}
