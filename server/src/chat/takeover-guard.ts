// Decides when runs of other processes may be taken over. After a database outage every lease has expired, those of
// living processes too: the first process to reconnect must not take runs that their owners are about to renew.
import type { Db } from '@parley/db/client';

export interface TakeoverGuard {
  /**
   * Says whether this process has had contact with the database for a whole lease, so that every living owner has had
   * time to renew its runs. Throws the database's errors.
   */
  mayTakeOver(): Promise<boolean>;
  /**
   * Puts another question to the database. One that fails or is slow is an outage, too: leases are renewed when five
   * eighths of them are left, so that they expire in outages that are shorter than a lease.
   */
  watch<Answer>(question: () => Promise<Answer>): Promise<Answer>;
}

/** A response slower than this fraction of a lease counts as an outage: other processes may be cut off too. */
const SLOW_PART = 1 / 4;

/**
 * `waitMs` is the length of a lease. Four things reset the contact time: a database restart or failover, a connection
 * that had to be reopened, a failed question, and a period without any response.
 */
export function createTakeoverGuard(
  { sql, direct }: Pick<Db, 'sql' | 'direct'>,
  waitMs: number,
  now: () => number = Date.now,
): TakeoverGuard {
  const created = now();
  let lastReply = created;
  let inTouchSince = -Infinity;

  return { mayTakeOver, watch };

  async function watch<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    const asked = now();
    try {
      const answer = await question();
      if (now() - asked > waitMs * SLOW_PART) inTouchSince = now();
      return answer;
    } catch (error) {
      inTouchSince = now();
      throw error;
    }
  }

  async function mayTakeOver(): Promise<boolean> {
    const asked = now();
    const age = await readAge().catch((error: unknown) => {
      // A pooler hides when its connections broke: the failures are what shows it.
      inTouchSince = now();
      throw error;
    });
    const answered = now();
    const silence = answered - lastReply;
    lastReply = answered;
    // A clock set back measures no elapsed time.
    if (silence < 0 || silence > waitMs || answered - asked > waitMs * SLOW_PART) inTouchSince = answered;
    const { server = 0, connection = 0 } = age ?? {};
    // The first connections of a process are as old as the process, and no sign of an outage.
    const isReconnected = connection < waitMs && answered - connection > created + waitMs;
    return server >= waitMs && !isReconnected && answered - inTouchSince >= waitMs;
  }

  /** In milliseconds. Runs are renewed through the pooler, so both ways must answer. */
  async function readAge() {
    if (sql !== direct) await sql`select 1`;
    const [age] = await direct<{ server: number; connection: number }[]>`
      select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float * 1000 as server,
        extract(epoch from clock_timestamp() - backend_start)::float * 1000 as connection
      from pg_stat_activity where pid = pg_backend_pid()`;
    return age;
  }
}
