// What administrators set of tools, as it is stored. Keys and headers are encrypted and bound to the name of their tool.
import type { Query } from '@parley/db/client';
import { toolSettings } from '@parley/db/tables/administration';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import type { Encryption, KeyOwner } from '../../keys/encryption.ts';

/** Told when an administrator has changed a tool. */
export const TOOLS_TOPIC = 'settings:tools';

export type StoredTool = typeof toolSettings.$inferSelect;

export interface SavedTool {
  name: string;
  isOn: boolean;
  /** Of a tool server. */
  url: string | null;
  /** Values by the names of their variables; of a tool server, its headers. */
  values: Readonly<Record<string, string>>;
}

const Config = z.object({ url: z.string().nullable().catch(null) });
const Values = z.record(z.string(), z.string());

export async function storedTools(query: Query): Promise<StoredTool[]> {
  return query.select().from(toolSettings).orderBy(toolSettings.name);
}

export async function lockTool(query: Query, name: string): Promise<StoredTool | undefined> {
  const [row] = await query.select().from(toolSettings).where(eq(toolSettings.name, name)).for('update');
  return row;
}

/** With neither values nor address where they were encrypted with an unknown secret. */
export function openedTool(row: StoredTool, encryption: Encryption): SavedTool {
  const { name, isOn, encrypted, config } = row;
  const text = encrypted === null ? null : encryption.decrypt(encrypted, ownerOf(name));
  const values = text === null ? {} : Values.parse(JSON.parse(text));
  const isLost = encrypted !== null && text === null;
  return { name, isOn, url: isLost ? null : Config.parse(config).url, values };
}

export function encryptedValues(encryption: Encryption, { name, values }: Pick<SavedTool, 'name' | 'values'>) {
  return Object.keys(values).length === 0 ? null : encryption.encrypt(JSON.stringify(values), ownerOf(name));
}

/** No account has this id. */
function ownerOf(name: string): KeyOwner {
  return { userId: 'server', name: `tool:${name}` };
}
