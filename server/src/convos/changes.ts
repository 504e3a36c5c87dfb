// The per-user change feed. Each conversation and each draft carries the counter of its last change, and the user's row
// those of the presets and the keys, so catching up after any gap is one look at what changed since, and a hundred
// changes of one conversation are one.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { drafts } from '@parley/db/tables/drafts';
import { users } from '@parley/db/tables/users';
import type { Change, Reread } from '@parley/schema/convos';
import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { presentDraft } from '../drafts/present.ts';
import { refuse } from '../errors.ts';
import type { Notices } from '../notices.ts';
import { presentConvo, type ConvoRow } from './present.ts';

const PAGE = 200;
/** A cursor that nothing comes after. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * The next number of the user's change counter, to be written on the row that changes. Takes the user's row
 * lock until the transaction ends, so numbers become visible in their order; call it first in the transaction, so that
 * all of a user's transactions take their locks in one order. Readers are told at the commit. `count` takes several
 * numbers and gives the last.
 */
export function nextChange(tx: Tx, userId: string, count = 1): Promise<number> {
  return takeNumber(tx, userId, { changeSeq: sql`${users.changeSeq} + ${count}` });
}

/** The same for what readers are only told to read again. */
export function nextReread(tx: Tx, userId: string, what: Reread): Promise<number> {
  const next = sql`${users.changeSeq} + 1`;
  return takeNumber(tx, userId, { changeSeq: next, [REREAD[what]]: next });
}

const REREAD = { presets: 'presetsSeq', keys: 'keysSeq' } as const satisfies Record<Reread, string>;

async function takeNumber(tx: Tx, userId: string, numbers: PgUpdateSetSource<typeof users>): Promise<number> {
  const [row] = await tx
    .update(users)
    .set(numbers)
    .where(eq(users.id, userId))
    .returning({ seq: users.changeSeq, told: sql`pg_notify('parley', ${`change:${userId}`}::text)` });
  return row?.seq ?? refuse({ type: 'not_found', what: 'user' });
}

/** What changed after `afterSeq`, then every change as it comes. Without a cursor: only what comes. */
export async function* followChanges(
  { db, notices }: { db: Db; notices: Notices },
  userId: string,
  afterSeq: number | null,
  signal: AbortSignal,
): AsyncGenerator<Change> {
  // Listening before reading: a change between the two rings and is read by the next round.
  const bell = notices.bell(`change:${userId}`);
  try {
    let page = await readChanges(db, userId, afterSeq ?? NEVER);
    let cursor = afterSeq ?? page.newest;
    // A cursor from the future belongs to a database that was restored from a backup.
    if (cursor > page.newest || cursor < page.forgotten) {
      cursor = page.newest;
      page = { ...page, changes: [] };
      yield { type: 'reset', seq: cursor };
    }
    while (!signal.aborted) {
      for (const change of page.changes) {
        yield change;
        cursor = change.seq;
      }
      if (page.changes.length < PAGE) await bell.next(signal);
      if (!signal.aborted) page = await readChanges(db, userId, cursor);
    }
  } finally {
    bell.end();
  }
}

interface ChangePage {
  /** The user's counter. */
  newest: number;
  forgotten: number;
  /** In order, at most `PAGE`. */
  changes: Change[];
}

/**
 * A page of what changed after `after`. One statement, because each ring of the bell asks it, and because all
 * tables are to be seen at one moment: a number of the one must not be passed over for a greater one of the other.
 */
async function readChanges({ sql }: Db, userId: string, after: number): Promise<ChangePage> {
  const [read] = await sql<Read[]>`
    select u.change_seq as newest, u.forgotten_seq as forgotten, u.presets_seq as presets, u.keys_seq as keys,
      (select json_agg(c) from (
        select * from convos where user_id = u.id and change_seq > ${after} order by change_seq limit ${PAGE}
      ) c) as convos,
      (select json_agg(d) from (
        select * from drafts where user_id = u.id and change_seq > ${after} order by change_seq limit ${PAGE}
      ) d) as drafts
    from users u where u.id = ${userId}`;
  if (!read) return { newest: 0, forgotten: 0, changes: [] };
  const changes = [
    ...(read.convos ?? []).map((row) => changeOf(rowOf<ConvoRow>(convos, row))),
    ...(read.drafts ?? []).map((row) => changeOfDraft(rowOf<DraftRow>(drafts, row))),
    ...(['presets', 'keys'] as const)
      .map((type): Change => ({ type, seq: read[type] }))
      .filter(({ seq }) => seq > after),
  ];
  const { newest, forgotten } = read;
  return { newest, forgotten, changes: changes.toSorted((a, b) => a.seq - b.seq).slice(0, PAGE) };
}

interface Read {
  newest: number;
  forgotten: number;
  presets: number;
  keys: number;
  convos: Json[] | null;
  drafts: Json[] | null;
}

type Json = Record<string, unknown>;
type DraftRow = typeof drafts.$inferSelect;

/** A row that came as JSON, as the query builder gives it. */
function rowOf<Row>(table: PgTable, row: Json): Row {
  const columns = Object.entries(getTableColumns(table));
  return Object.fromEntries(columns.map(([key, column]) => [key, row[column.name]])) as Row;
}

function changeOf(row: ConvoRow): Change {
  return row.deletedAt === null
    ? { type: 'convo', seq: row.changeSeq, convo: presentConvo(row) }
    : {
        type: 'removed',
        seq: row.changeSeq,
        conversationId: row.id,
        ...(row.deletionId !== null && { deletionId: row.deletionId }),
      };
}

function changeOfDraft(row: DraftRow): Change {
  return { type: 'draft', seq: row.changeSeq, draft: presentDraft(row) };
}
