// Tests of this room: tests/integration/convos/changes.test.ts, tests/integration/convos/convergence.test.ts.

// The per-user change feed: conversations, drafts and assistants by the change number on their rows, presets and keys
// by the numbers on the user's row. So catching up after any gap is one query for what changed since, and a hundred
// changes of one conversation are one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { drafts } from '@parley/db/tables/drafts';
import type { Change } from '@parley/schema/convos/convos';
import type { LiveEndpoints } from '../catalog/live/live-endpoints.ts';
import { CHANGE, changeTopic, parseRow, type JsonRow } from '../convos/changes.ts';
import { presentConvo, type ConvoRow } from '../convos/present.ts';
import type { WrittenConvos } from '../convos/written-convos.ts';
import { presentDraft } from '../drafts/present.ts';
import type { PubSub } from '../platform/pubsub.ts';

const PAGE_CHANGES = 200;
/** How much later than its notification the result of a statement arrives, in milliseconds. */
const OVERTAKING_MS = 5;
/** A cursor after which nothing comes. */
const NEVER = Number.MAX_SAFE_INTEGER;

interface FeedDeps {
  db: Db;
  endpoints: Pick<LiveEndpoints, 'version'>;
  pubsub: PubSub;
  writtenConvos: WrittenConvos;
}

/**
 * Yields what changed after `afterSeq`, then every new change. Without a cursor: `reset` first, and then only new changes;
 * what is read after it misses none.
 */
export async function* followChanges(
  { db, endpoints, pubsub, writtenConvos }: FeedDeps,
  userId: string,
  afterSeq: number | null,
  signal: AbortSignal,
): AsyncGenerator<Change> {
  // Subscribe before reading: a change in between causes another read.
  const subscription = pubsub.subscribe(changeTopic(userId));
  const written = writtenConvos.follow(userId);
  let offered = endpoints.version(userId);
  /** Whether something else may be offered: the code that changes it notifies everybody as if something had been lost. */
  let isToldToAll = false;
  try {
    const { newest, forgotten, changes } = await readChanges(db, userId, afterSeq ?? NEVER);
    let cursor = afterSeq ?? newest;
    let page = changes;
    // A cursor from the future belongs to a database that was restored from a backup.
    if (afterSeq === null || cursor > newest || cursor < forgotten) {
      cursor = newest;
      page = [];
      yield { type: 'reset', seq: cursor };
    }
    while (!signal.aborted) {
      for (const change of page) {
        yield change;
        cursor = change.seq;
      }
      page = page.length < PAGE_CHANGES ? await nextPage(cursor) : await read(cursor);
      if (!isToldToAll || endpoints.version(userId) === offered || signal.aborted) continue;
      offered = endpoints.version(userId);
      yield { type: 'endpoints', seq: cursor };
    }
  } finally {
    subscription.end();
    written.end();
  }

  /** Waits for a change after the cursor. Reads it, unless every transaction that was notified is known already. */
  async function nextPage(cursor: number): Promise<Change[]> {
    const count = await subscription.next(signal);
    isToldToAll = count === Infinity;
    if (signal.aborted) return [];
    let known = written.takeAfter(cursor);
    if (known.length === 0) {
      // A notification may overtake the result of the statement that it belongs to.
      await sleep(OVERTAKING_MS);
      known = written.takeAfter(cursor);
    }
    return known.length < count ? read(cursor) : known.map(changeOf);
  }

  async function read(cursor: number): Promise<Change[]> {
    return signal.aborted ? [] : (await readChanges(db, userId, cursor)).changes;
  }
}

interface ChangePage {
  /** The user's counter. */
  newest: number;
  forgotten: number;
  /** In order of `seq`, at most `PAGE_CHANGES`. */
  changes: Change[];
}

/**
 * A page of the changes after `after`. One statement, because every notification runs it, and because all tables must
 * be seen in one snapshot: otherwise a larger number of one table could skip a smaller one of another.
 */
async function readChanges({ sql }: Db, userId: string, after: number): Promise<ChangePage> {
  const [read] = await sql<Read[]>`
    select u.change_seq as newest, u.forgotten_seq as forgotten, u.presets_seq as presets, u.keys_seq as keys,
      u.settings_seq as settings, u.folders_seq as folders, u.queue_seq as queue,
      u.schedules_seq as schedules,
      (select coalesce(max(change_seq), 0) from assistants where user_id = u.id) as assistants,
      (select json_agg(c) from (
        select * from convos where user_id = u.id and change_seq > ${after} and temporary_until is null
        order by change_seq limit ${PAGE_CHANGES}
      ) c) as convos,
      (select json_agg(d) from (
        select * from drafts where user_id = u.id and change_seq > ${after} order by change_seq limit ${PAGE_CHANGES}
      ) d) as drafts
    from users u where u.id = ${userId}`;
  if (!read) return { newest: 0, forgotten: 0, changes: [] };
  const changes = [
    ...(read.convos ?? []).map((row) => changeOf(parseRow<ConvoRow>(convos, row))),
    ...(read.drafts ?? []).map((row) => changeOfDraft(parseRow<DraftRow>(drafts, row))),
    ...(['presets', 'keys', 'assistants', 'settings', 'folders', 'queue', 'schedules'] as const)
      .map((type): Change => ({ type, seq: read[type] }))
      .filter(({ seq }) => seq > after),
  ];
  const { newest, forgotten } = read;
  return { newest, forgotten, changes: changes.toSorted((a, b) => a.seq - b.seq).slice(0, PAGE_CHANGES) };
}

interface Read {
  newest: number;
  forgotten: number;
  presets: number;
  keys: number;
  assistants: number;
  settings: number;
  folders: number;
  queue: number;
  schedules: number;
  convos: JsonRow[] | null;
  drafts: JsonRow[] | null;
}

type DraftRow = typeof drafts.$inferSelect;

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

/**
 * Wakes the followers of the people who have changed since the last call, in one statement: the notification of a
 * process that died after its commit never arrives. Where this process is alone it asks for no counters.
 */
export function createFollowedComparison({ db, pubsub }: { db: Db; pubsub: PubSub }): () => Promise<void> {
  let counters = new Map<string, number>();
  return async () => {
    const hasOthers = await db.lookForOthers();
    const followed = pubsub.subscribed(CHANGE);
    const rows =
      hasOthers && followed.length > 0
        ? await db.sql<{ id: string; change_seq: number }[]>`
            select id, change_seq from users where id = any(${followed}::uuid[])`
        : [];
    for (const { id, change_seq: seq } of rows) if (counters.get(id) !== seq) pubsub.notifyLost(changeTopic(id));
    counters = new Map(rows.map(({ id, change_seq: seq }) => [id, seq]));
  };
}
