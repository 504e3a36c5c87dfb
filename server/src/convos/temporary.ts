// Temporary conversations: they end when their page has left them, or after a day. One that another installation gave a
// later end keeps that, whether a page shows it or not.
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { LEFT_SECONDS, TEMPORARY_HOURS } from '@parley/schema/convos/temporary-rules';
import { and, eq, isNotNull, sql, type SQL } from 'drizzle-orm';
import { ownedBy } from './rows.ts';

/** When a temporary conversation ends that is begun now; null for one that stays. */
export function endOfNew(isTemporary: boolean | undefined): SQL {
  return isTemporary ? sql`now() + make_interval(hours => ${TEMPORARY_HOURS})` : sql`null::timestamptz`;
}

/** When one ends that a page shows, whether it was left before or not; null for a conversation that stays. */
export function endOfShown(): SQL {
  return sql`case when ${convos.temporaryUntil} is not null then greatest(${convos.temporaryUntil}, ${endOfDay}) end`;
}

/** The latest end of one that was begun here. */
const endOfDay = sql`${convos.createdAt} + make_interval(hours => ${TEMPORARY_HOURS})`;

/** A page shows it. Does nothing to a conversation that stays, is missing or has ended. */
export async function showTemporary(db: Db, userId: string, id: string): Promise<void> {
  await setEnd(db, userId, id, endOfShown());
}

/** The page that showed it has closed or shows something else: it ends soon, unless a page shows it again. */
export async function leaveTemporary(db: Db, userId: string, id: string): Promise<void> {
  const soon = sql`now() + make_interval(secs => ${LEFT_SECONDS})`;
  const { temporaryUntil: end } = convos;
  await setEnd(db, userId, id, sql`case when ${end} > ${endOfDay} then ${end} else least(${end}, ${soon}) end`);
}

async function setEnd({ query }: Db, userId: string, id: string, temporaryUntil: SQL): Promise<void> {
  await query
    .update(convos)
    .set({ temporaryUntil })
    .where(and(ownedBy(userId), eq(convos.id, id), isNotNull(convos.temporaryUntil)));
}
