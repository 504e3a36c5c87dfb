// What administrators change: the change and its event are one transaction, and every process follows it.
import { notifyAtCommit, type Db, type Tx } from '@parley/db/client';
import { serverSettings } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { refuse } from '../../platform/errors.ts';
import { recordEvent, type Actor, type AuditEvent } from '../audit-events.ts';
import { assertStillAdministrator } from '../people/change-person.ts';

interface Followed {
  db: Db;
  /** What the other processes are told. */
  topic: string;
  /** Has this process read it again. */
  reload(): Promise<unknown>;
}

/**
 * `work` returns what has happened. It holds in this process when this resolves; in the others within two seconds.
 * @throws Refusal `forbidden`, and what `work` refuses
 */
export async function saveChange(
  { db, topic, reload }: Followed,
  actor: Actor,
  work: (tx: Tx) => Promise<AuditEvent>,
): Promise<null> {
  await db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    await recordEvent(tx, actor, await work(tx));
    notifyAtCommit(tx, topic);
  });
  await reload();
  return null;
}

/**
 * Writes a setting of the server, of which `version` was read: 0 where nothing is stored.
 * @throws Refusal `conflict` where another is stored
 */
export async function writeSetting(
  tx: Tx,
  actor: Actor,
  { name, value, version }: { name: string; value: object; version: number },
): Promise<void> {
  const set = { value, version: version + 1, changedBy: actor.id, changedAt: sql`now()` };
  const isRead = and(eq(serverSettings.name, name), eq(serverSettings.version, version));
  const saved = await (version === 0
    ? tx
        .insert(serverSettings)
        .values({ name, ...set })
        .onConflictDoNothing()
        .returning()
    : tx.update(serverSettings).set(set).where(isRead).returning());
  if (saved.length > 0) return;
  const text = 'Somebody else has changed this meanwhile. What is set now is shown; please change it again.';
  refuse({ type: 'conflict', text });
}

/**
 * Of two administrators at once the second reads what happened. `version` is what was read; null for a new one.
 * @throws Refusal `conflict`
 */
export function assertVersion(stored: { version: number } | undefined, version: number | null): void {
  if ((stored?.version ?? null) === version) return;
  if (version === null) refuseTaken();
  if (!stored) refuse({ type: 'conflict', text: 'Another administrator has removed this.' });
  const text = 'Another administrator has changed this meanwhile. Look at it again, and repeat your change.';
  refuse({ type: 'conflict', text });
}

export function refuseTaken(): never {
  return refuse({ type: 'conflict', text: 'There is one of this name already.' });
}

/** The names of the administrators who changed these rows last, by their ids. */
export async function readChangers(
  { query }: Db,
  stored: readonly { changedBy: string | null }[],
): Promise<Map<string, string>> {
  const ids = stored.flatMap(({ changedBy }) => changedBy ?? []);
  if (ids.length === 0) return new Map();
  const rows = await query
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, ids));
  return new Map(rows.map(({ id, name, email }) => [id, name || email]));
}
