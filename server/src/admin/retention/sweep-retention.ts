// Deletes what has stayed as long as the rules allow: once an hour, in one of the processes.
import type { Db } from '@parley/db/client';
import { auditEvents } from '@parley/db/tables/administration';
import { asc, inArray, lt, sql } from 'drizzle-orm';
import { binUntouched, listOwners, RETENTION } from '../../trash/retention.ts';
import { recordEvent } from '../audit-events.ts';
import type { CoreServices } from '../../platform/requests/request-services.ts';

/** Events that are deleted at once. */
const EVENTS_AT_ONCE = 1_000;
/** The fact that has when the last sweep began. */
const SWEPT = 'retention';

/** Does nothing where another process has begun within the hour. What is not done when `ending` aborts is for the next. */
export async function sweepRetention({ db, config }: CoreServices, ending: AbortSignal): Promise<void> {
  const { chatsDays, auditDays } = await RETENTION.current({ db, config });
  if ((chatsDays === null && auditDays === null) || !(await isMine(db))) return;
  const swept = { chats: 0, people: 0, events: 0 };
  try {
    if (chatsDays !== null) await sweepChats(db, chatsDays, swept, ending);
    if (auditDays !== null) await sweepEvents(db, auditDays, swept, ending);
  } finally {
    const isAny = swept.chats > 0 || swept.events > 0;
    if (isAny) await recordEvent(db.query, null, { event: 'retention.swept', details: swept });
  }
}

type Swept = Record<'chats' | 'people' | 'events', number>;

async function isMine({ sql: text }: Db): Promise<boolean> {
  const mine = await text`
    insert into facts as known (name, value) values (${SWEPT}, now()::text)
    on conflict (name) do update set value = excluded.value where known.value::timestamptz < now() - interval '1 hour'
    returning name`;
  return mine.length > 0;
}

async function sweepChats(db: Db, days: number, swept: Swept, ending: AbortSignal): Promise<void> {
  for (let after: string | null = null; ;) {
    const owners: string[] = await listOwners(db, days, after);
    for (const userId of owners) {
      if (ending.aborted) return;
      const chats = await binUntouched(db, userId, days);
      swept.chats += chats;
      if (chats > 0) swept.people += 1;
    }
    after = owners.at(-1) ?? null;
    if (after === null) return;
  }
}

async function sweepEvents({ query }: Db, days: number, swept: Swept, ending: AbortSignal): Promise<void> {
  for (let some = EVENTS_AT_ONCE; some === EVENTS_AT_ONCE && !ending.aborted;) {
    const old = query
      .select({ id: auditEvents.id })
      .from(auditEvents)
      .where(lt(auditEvents.at, sql`now() - make_interval(days => ${days})`))
      .orderBy(asc(auditEvents.at))
      .limit(EVENTS_AT_ONCE);
    const gone = await query.delete(auditEvents).where(inArray(auditEvents.id, old)).returning({ id: auditEvents.id });
    some = gone.length;
    swept.events += some;
  }
}
