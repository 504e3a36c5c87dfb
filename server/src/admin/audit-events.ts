// The log of what administrators change, in the database: each change and its event are one transaction.
import { and, desc, eq, getTableColumns, gte, inArray, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Db, Query } from '@parley/db/client';
import { auditEvents } from '@parley/db/tables/administration';
import { users, wordsOfPerson } from '@parley/db/tables/users';
import { cleanText } from '@parley/schema/clean-text';
import * as z from 'zod';
import { isoTime } from '../platform/iso-time.ts';
import { searchWords } from './people/list-people.ts';

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

/** Not strict: an endless list of the browser sends its direction, too. */
export const ListEvents = z.object({
  /** Only events before this id: the page after the one that ended with it. */
  cursor: z.int().positive().nullish(),
  /** Of this account. */
  userId: z.uuid().optional(),
  /** Beginnings of words of a person, of what the event says, or of an address. */
  query: z.string().overwrite(cleanText).max(200).optional(),
  /** How the event's name begins: `provider`, or `person.removed`. */
  events: z.array(z.string().overwrite(cleanText).max(100)).max(10).optional(),
  /** From this time on, and before the other one. */
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  limit: z.int().min(1).max(500).default(50),
});

/** The newest first. `actor` is the name of who did it, null where there is no such account (any more). */
export async function listEvents(db: Db, input: z.output<typeof ListEvents>) {
  const { cursor, userId, events, from, until, limit } = input;
  const rows = await db.query
    .select({ ...getTableColumns(auditEvents), actor: users.name })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.actorId))
    .where(
      and(
        cursor ? lt(auditEvents.id, cursor) : undefined,
        userId ? eq(auditEvents.userId, userId) : undefined,
        events ? sql`${auditEvents.event} ^@ any(${sql.param(events)}::text[])` : undefined,
        from ? gte(auditEvents.at, from) : undefined,
        until ? lt(auditEvents.at, until) : undefined,
        isAbout(db, input.query?.trim() ?? ''),
      ),
    )
    .orderBy(desc(auditEvents.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, at: isoTime(row.at) }));
}

/** People whom a search may mean at once. */
const PEOPLE_MAX = 1_000;

/** Who did it, whose account it was, what is named in it, or where it came from. */
function isAbout({ query }: Db, text: string): SQL | undefined {
  if (text === '') return undefined;
  const words = searchWords(text);
  const people = query
    .select({ id: users.id })
    .from(users)
    .where(sql`${wordsOfPerson(users)} @@ ${words}`)
    .limit(PEOPLE_MAX);
  const named = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return or(
    words ? inArray(auditEvents.actorId, people) : undefined,
    words ? inArray(auditEvents.userId, people) : undefined,
    sql`${auditEvents.details}::text ilike ${named}`,
    sql`starts_with(${auditEvents.ip}, ${text})`,
  );
}
