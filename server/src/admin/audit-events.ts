// The log of what administrators change, in the database: each change and its event are one transaction.
import { and, desc, eq, getTableColumns, lt } from 'drizzle-orm';
import type { Db, Query } from '@parley/db/client';
import { auditEvents } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { isoTime } from '../platform/iso-time.ts';

/** Who changes something: an administrator, or null for a command of the operator. */
export interface Actor {
  id: string;
  ip: string | null;
}

export interface AuditEvent {
  /** What happened, as `object.verb` in the past: `provider.saved`. */
  event: string;
  /** Whose account it changed. */
  userId?: string;
  /** Names and figures, never a key, a password or words of a conversation; 8 KB together at most. */
  details?: Record<string, string | number | boolean | null>;
}

/** Call it in the transaction of the change. */
export async function recordEvent(tx: Query, actor: Actor | null, event: AuditEvent): Promise<void> {
  await tx.insert(auditEvents).values({ ...event, actorId: actor?.id ?? null, ip: actor?.ip ?? null });
}

export interface EventFilter {
  /** Only events before this id: the page after the one that ended with it. */
  before?: number | undefined;
  userId?: string | undefined;
}

const PAGE_SIZE = 50;

/** The newest first, at most 50. `actor` is the name of who did it, null where there is no such account (any more). */
export async function listEvents(db: Db, { before, userId }: EventFilter) {
  const rows = await db.query
    .select({ ...getTableColumns(auditEvents), actor: users.name })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.actorId))
    .where(and(before ? lt(auditEvents.id, before) : undefined, userId ? eq(auditEvents.userId, userId) : undefined))
    .orderBy(desc(auditEvents.id))
    .limit(PAGE_SIZE);
  return rows.map((row) => ({ ...row, at: isoTime(row.at) }));
}
