// Reads at a hot standby while it is known to be at most some seconds behind the primary, and at the primary else.
import { setTimeout as sleep } from 'node:timers/promises';
import { DrizzleQueryError, sql } from 'drizzle-orm';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

/** Where an operation reads: all of it at one server. */
export interface Reader {
  query: PostgresJsDatabase;
}

/**
 * Runs what only reads and may be some seconds old, at the standby where there is one. What fails there for any reason
 * is run again at the primary: a row that is not there yet is not missing.
 */
export type Read = <T>(run: (reader: Reader) => Promise<T>) => Promise<T>;

interface StandbyClients {
  reader: Reader;
  /** With a connection of its own, so that it waits for nothing that is read. */
  measurer: PostgresJsDatabase;
  /** Ends what still runs there, too. */
  end(): Promise<unknown>;
}

/** In milliseconds. */
const LAG_MAX_MS = 5000;
const MEASURE_EVERY_MS = 1000;
const ANSWER_MAX_MS = 1000;

/**
 * `open` is called for the first read, and again after the standby was gone. `onLeft` is told once why it is used no
 * more. The lag is measured while somebody reads, at most once a second.
 */
export function createStandby(primary: Reader, open: () => StandbyClients, onLeft = (_reason: string) => {}) {
  let clients: StandbyClients | null = null;
  let isLeft = false;
  let measuring: Promise<void> | null = null;
  let measuredAt = -Infinity;
  /** What the primary had written then can be read at the standby. */
  let replayedAt = -Infinity;

  const read: Read = async (run) => {
    measure();
    if (!isFresh() && !isLeft) await measuring;
    const asked = clients;
    if (!isFresh() || !asked) return run(primary);
    // A statement at a server that is cut off would wait for minutes: a measurement that fails ends its connection.
    const watch = setInterval(measure, MEASURE_EVERY_MS).unref();
    try {
      return await run(asked.reader);
    } catch (error) {
      if (isGone(error)) leave(messageOf(error), asked);
      return run(primary);
    } finally {
      clearInterval(watch);
    }
  };

  return { read, end: async () => void (await clients?.end()) };

  function isFresh(): boolean {
    return performance.now() - replayedAt < LAG_MAX_MS;
  }

  function measure(): void {
    const now = performance.now();
    if (measuring !== null || now - measuredAt < MEASURE_EVERY_MS) return;
    measuredAt = now;
    const asked = (clients ??= open());
    measuring = findState(primary, asked)
      .then(({ fault, lag }) => {
        if (asked !== clients) return;
        replayedAt = Math.max(replayedAt, now - lag);
        if (fault === null && isFresh()) isLeft = false;
        else leave(fault ?? `It is more than ${LAG_MAX_MS / 1000} seconds behind`);
      })
      .catch((error: unknown) => leave(messageOf(error), asked))
      .finally(() => (measuring = null));
  }

  function leave(reason: string, gone?: StandbyClients): void {
    if (gone && gone !== clients) return;
    if (gone) {
      clients = null;
      void gone.end();
    }
    replayedAt = -Infinity;
    if (!isLeft) onLeft(reason);
    isLeft = true;
  }
}

const identity = sql`(select system_identifier from pg_control_system()) || ' ' || current_database()`;

/**
 * How many milliseconds of what the primary has written are not replayed. The standby cannot say it by itself: of an
 * idle primary its last transaction is old, and when it is cut off it has replayed all that it received. So the position
 * and the clock are those of the primary.
 */
async function findState(
  primary: Reader,
  { measurer }: StandbyClients,
): Promise<{ fault: string | null; lag: number }> {
  const [mark] = await primary.query.execute<Record<'position' | 'at' | 'identity', string>>(
    sql`select pg_current_wal_lsn()::text as position, now()::text as at, ${identity} as identity`,
  );
  const asked = measurer.execute<{ is_standby: boolean; identity: string; lag: number | null }>(sql`
    select pg_is_in_recovery() as is_standby, ${identity} as identity,
      case when pg_last_wal_replay_lsn() >= ${mark?.position}::pg_lsn then 0
        else extract(epoch from ${mark?.at}::timestamptz - pg_last_xact_replay_timestamp())::float8 * 1000 end as lag`);
  const [row] = await Promise.race([asked, giveUp()]);
  if (row?.identity !== mark?.identity) return { fault: 'It belongs to another database', lag: Infinity };
  return { fault: row?.is_standby ? null : 'It is not a standby', lag: row?.lag ?? Infinity };
}

async function giveUp(): Promise<never> {
  await sleep(ANSWER_MAX_MS, null, { ref: false });
  throw new Error(`It does not answer within ${ANSWER_MAX_MS} ms`);
}

/** Whether the server or its connection has ended; else it has refused or cancelled a statement, or nothing is wrong. */
function isGone(error: unknown): boolean {
  if (!(error instanceof DrizzleQueryError)) return false;
  return !(error.cause instanceof postgres.PostgresError) || /^(?:08|57P)/.test(error.cause.code);
}

/** Of the driver: drizzle's has the statement and its values. */
function messageOf(error: unknown): string {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
