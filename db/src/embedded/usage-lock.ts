import postgres from 'postgres';
import { open } from '../client.ts';
import { connectionTo } from './paths.ts';
import type { Paths } from './paths.ts';

/** A database session whose advisory lock marks the server as in use while its process lives. */
export type UsageLock = {
  /** Resolves when the session ends without having been asked to. */
  lost: Promise<void>;
  /** Releases the lock. True when no other process held one, and then none can be acquired any more. */
  isOnlyOne(): Promise<boolean>;
  leave(): Promise<void>;
  /** Marks the session as one of a process that stops. */
  announceStop(): Promise<void>;
  /** The numbers of processes that have been stopping since `before`, in milliseconds since the epoch, or longer. */
  stoppingSince(before: number): Promise<number[]>;
};

/**
 * `absent`: no server answers. `starting`: one answers but accepts no sessions now (starting, recovering, stopping,
 * full).
 */
export async function acquireUsageLock(paths: Paths): Promise<UsageLock | 'absent' | 'starting'> {
  let onclose = () => {};
  const lost = new Promise<void>((resolve) => (onclose = resolve));
  const sql = open(connectionTo(paths, 'postgres'), { max: 1, max_lifetime: null, idle_timeout: 0, onclose });
  const leave = () => sql.end({ timeout: 0 });
  try {
    const [row] = await sql`select pg_try_advisory_lock_shared(${SEATS_LOCK_KEY}) as taken`;
    if (row?.taken)
      return {
        lost,
        leave,
        isOnlyOne: () => isOnlyOne(sql),
        announceStop: () => announceStop(sql),
        stoppingSince: (before) => stoppingSince(sql, before),
      };
    await leave();
    return 'starting';
  } catch (error) {
    await leave();
    return reasonFor(error);
  }
}

const SEATS_LOCK_KEY = 7_065_539;

async function isOnlyOne(sql: postgres.Sql) {
  try {
    await sql`select pg_advisory_unlock_shared(${SEATS_LOCK_KEY})`;
    const [row] = await sql`select pg_try_advisory_lock(${SEATS_LOCK_KEY}) as alone`;
    return row?.alone === true;
  } catch {
    return false;
  }
}

/** A name of a session says so to anyone who looks, also when the process answers nothing any more. */
async function announceStop(sql: postgres.Sql): Promise<void> {
  await sql`select set_config('application_name', ${STOPPING + process.pid}, false)`;
}

async function stoppingSince(sql: postgres.Sql, before: number): Promise<number[]> {
  const rows = await sql<{ name: string; at: Date }[]>`
    select application_name as name, state_change as at from pg_stat_activity
    where starts_with(application_name, ${STOPPING})`;
  return rows.flatMap(({ name, at }) => (at.getTime() <= before ? Number(name.slice(STOPPING.length)) : []));
}

const STOPPING = 'parley stops ';

/** Class 57 is a server that starts or stops, class 53 one without a free connection. */
function reasonFor(error: unknown) {
  if (!(error instanceof postgres.PostgresError)) return 'absent';
  if (/^(57|53)/.test(error.code)) return 'starting';
  throw new Error(`PostgreSQL refuses its own user: ${error.message}.`, { cause: error });
}
