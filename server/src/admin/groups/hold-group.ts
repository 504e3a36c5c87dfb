import type { Tx } from '@parley/db/client';
import { groups } from '@parley/db/tables/administration';
import { eq } from 'drizzle-orm';
import { refuse } from '../../platform/errors.ts';

/** Its name; nobody removes it until the transaction ends. @throws Refusal `conflict` without the group */
export async function holdGroup(tx: Tx, id: string): Promise<string> {
  const [row] = await tx.select({ name: groups.name }).from(groups).where(eq(groups.id, id)).for('key share');
  return row?.name ?? refuseGone();
}

export function refuseGone(): never {
  return refuse({ type: 'conflict', text: 'Another administrator has removed this group.' });
}
